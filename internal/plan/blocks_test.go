package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

func TestToLine(t *testing.T) {
	for _, c := range []struct {
		start, row, rows int
		lines            bool
	}{
		{0, 10, 0, true},
		{8, 8, 71, true},
		{4, 8, 0, false},
		{24, 40, 65, true},
		{1, 3, 85, true},
		{63, 1, 65, true},
		{32, 64, 0, false},
	} {
		rows, lines := ToLine(c.start, c.row)
		assert.Equal(t, c.rows, rows, "start %d, row %d", c.start, c.row)
		assert.Equal(t, c.lines, lines, "start %d, row %d", c.start, c.row)
	}
}

// A short block comes first if the row after it then starts a cache line. It
// is shorter than AlignRows.
func TestFirstBlock(t *testing.T) {
	for _, c := range []struct {
		n, start int
		want     Plan
	}{
		{10_000, 0, Plan{Strategy: Rows, Block: LargeBlock}},
		{10_000, 8, Plan{Strategy: Rows, Block: LargeBlock, First: 67}},
		{10_000, 4, Plan{Strategy: Rows, Block: LargeBlock}},
		{1000, 8, Plan{Strategy: Rows, Block: MediumBlock}},
		{1_000_000, 0, Plan{Strategy: Rows, Stream: true, Block: LargeBlock}},
		{1_000_000, 8, Plan{Strategy: Rows, Stream: true, Block: LargeBlock, First: 67}},
		{1_000_000, 4, Plan{Strategy: Rows, Stream: true, Tiles: true, Block: 384}},
	} {
		s := rowShape(c.n, 10, 4)
		s.Start = c.start
		assert.Equal(t, c.want, Encode(machine(tier.AVX512Path), &s), "%d rows from %d on", c.n, c.start)
	}
	assert.Less(t, (2*Least-1)*blendBytes, AlignRows)
}

func TestTake(t *testing.T) {
	for _, c := range [][4]int{{1000, 128, 64, 128}, {192, 128, 64, 128}, {191, 128, 64, 191}, {128, 128, 64, 128}, {64, 128, 64, 64}} {
		assert.Equal(t, c[3], Take(c[0], c[1], c[2]), "%v", c)
	}
}
