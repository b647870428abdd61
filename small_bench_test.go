package onehot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	smallcalls "github.com/go-onehot/onehot/internal/small"
)

// BenchmarkSmall is the calls that write little, where overhead is all that
// counts: BenchmarkSmall/<call>/<shape>/path=<path>.
func BenchmarkSmall(b *testing.B) {
	for _, c := range smallcalls.Cases() {
		b.Run(c.Name(), func(b *testing.B) {
			loop := func(f func()) func(b *testing.B) {
				return func(b *testing.B) {
					b.SetBytes(int64(c.Bytes))
					for b.Loop() {
						f()
					}
				}
			}
			for _, path := range pathtest.Names() {
				b.Run("path="+path, func(b *testing.B) { onehot.WithPath(path, func() { loop(c.Run)(b) }) })
			}
			b.Run("path=go", loop(c.Loop))
		})
	}
}

func TestSmall(t *testing.T) {
	names := map[string]bool{}
	for _, c := range smallcalls.Cases() {
		require.False(t, names[c.Name()], "%s twice", c.Name())
		names[c.Name()] = true
		for _, path := range pathtest.Names() {
			onehot.WithPath(path, func() { require.NoError(t, c.Verify(), "path %s", path) })
		}
	}
}
