package conformance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

func TestAppendEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		checkAppend[uint8, int64](t)
		checkAppend[bool, uint8](t)
		checkAppend[float32, float64](t)
		checkAppend[complex128, int8](t)
		checkAppend[string, int32](t)
		checkAppend[namedText, namedClass](t)
	})
}

// A Miss is read before anything is written, even where it lies in the room
// that is appended to.
func TestAppendEncodeMissInRoom(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, s := range []onehot.Spec[float32]{
			{Depth: 5, On: 1}, {Depth: 5, On: 1, Stride: 6}, {Depth: 5, On: 1, Plane: 2}, {Depth: 5, On: 1, Inner: 100, Plane: 120},
		} {
			indices := make([]int16, 100)
			indices[70] = -1
			miss := float32(0.25)
			s.Miss = &miss
			want, _, err := onehot.AppendEncode(nil, indices, s)
			require.NoError(t, err)
			room := make([]float32, len(want))
			s.Miss = &room[len(room)/2]
			*s.Miss = miss
			got, misses, err := onehot.AppendEncode(room[:0], indices, s)
			require.NoError(t, err)
			assert.Equal(t, 1, misses)
			assert.Equal(t, want, got, "%+v", s)
		}
	})
}

func checkAppend[V onehot.Value, I onehot.Index](t *testing.T) {
	for _, c := range []encodeCase{
		{n: 5, depth: 3, values: 0},
		{n: 300, depth: 10, values: 1},
		{n: 300, depth: 10, values: 2, inner: 100},
		{n: 300, depth: 10, values: 3, stride: 13},
		{n: 300, depth: 7, values: 2, inner: 3, stride: 40},
		{n: 4, depth: 0, stride: 9},
		{n: 0, depth: 3, stride: 9},
	} {
		indices, s := mixed[I](1, c.n, c.depth), specOf[V](c)
		need := layoutOf(c.n, s).Need()
		want := make([]V, 3+need) // gaps are zero values
		want[0], want[1], want[2] = s.On, s.Off, s.On
		wantMisses := defined(want[3:], indices, s)
		head := slices.Clone(want[:3])

		// Without room, with room full of something else, and with no slice at all.
		roomy := newArena[V](3+need, 0)
		copy(roomy.dst(), head)
		for _, dst := range [][]V{slices.Clip(slices.Clone(head)), roomy.dst()[:3]} {
			out, misses, err := onehot.AppendEncode(dst, indices, s)
			require.NoError(t, err)
			assert.Equal(t, wantMisses, misses)
			require.True(t, sameBits(want, out), "%+v: %v and not %v", c, out, want)
			assert.True(t, sameBits(head, dst), "dst itself stays")
			if cap(dst) >= len(want) {
				assert.Equal(t, addressOf(dst), addressOf(out), "there was room")
			}
		}
		assert.True(t, sameBits(newArena[V](1, 0).all[:canaries], roomy.all[len(roomy.all)-canaries:]), "beyond what was appended")
		out, misses, err := onehot.AppendEncode(nil, indices, s)
		require.NoError(t, err)
		assert.Equal(t, wantMisses, misses)
		require.True(t, sameBits(want[3:], out))
	}
}
