package workloads

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/tier"
)

func TestFillOnes(t *testing.T) {
	memory := make([]byte, 600<<10)
	for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 127, 128, 200, 4096, 256<<10 - 1, 256 << 10, 256<<10 + 64, 512<<10 + 129} {
		for _, start := range []int{0, 1, 8, 63, 64} {
			clear(memory)
			b := memory[64+start:][:n]
			fillOnes(b)
			require.Equal(t, n, bytes.Count(memory, []byte{1}), "n=%d start=%d", n, start)
			require.Equal(t, n, bytes.Count(b, []byte{1}), "n=%d start=%d", n, start)
		}
	}
}

func TestNonZeroBytes(t *testing.T) {
	b := make([]byte, 4*64+10)
	assert.Zero(t, nonZeroBytes(b))
	b[0], b[63], b[3*64], b[4*64] = 1, 1, 1, 1
	assert.Equal(t, 2*64, nonZeroBytes(b))
}

// A wrong byte on any path is found, and the path is put back.
func TestVerifyFinds(t *testing.T) {
	was := tier.Active()
	for _, wrong := range tier.Available() {
		j := &Job{Out: make([]byte, 3)}
		j.Plain = func() { clear(j.Out) }
		j.Run = j.Plain
		require.NoError(t, j.Verify())
		j.Run = func() {
			clear(j.Out)
			if tier.Active() == wrong {
				j.Out[1] = 7
			}
		}
		require.EqualError(t, j.Verify(), "path "+wrong.String()+" differs from the plain loop first in byte 1 of 3: 0x7, want 0x0")
		assert.Equal(t, was, tier.Active())
	}
}

func TestNames(t *testing.T) {
	depths := []int{2, 10}
	sweep := Sweep([]int{1 << 10}, depths, func(_, depth int) string { return "depth=" + string(rune('0'+depth)) })
	assert.Len(t, sweep, 3*4*len(depths))
	names := map[string]bool{}
	for _, w := range slices.Concat(All(), Small(), sweep) {
		name := w.String()
		assert.False(t, names[name], "%s is there twice", name)
		assert.Positive(t, w.Bytes, name)
		names[name] = true
	}
	assert.True(t, names["Encode/i64/f32/depth=2"])
}
