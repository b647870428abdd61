package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
)

const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestStart(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(&out, []string{start}))
	require.Equal(t, `[1 12 8 8], 32 squares are empty

........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
PPPPPPPP ........ ........ ........ ........ ........
........ .N....N. ..B..B.. R......R ...Q.... ....K...

........ .n....n. ..b..b.. r......r ...q.... ....k...
pppppppp ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
........ ........ ........ ........ ........ ........
`, out.String())
}

// A batch holds its positions one after the other, and every piece is where the
// mailbox has it.
func TestBatch(t *testing.T) {
	fens := []string{start, "8/8/8/8/8/8/8/8", "4k3/8/8/3pP3/8/8/8/R3K2R b KQ - 3 17", "QQQQQQQQ/8/8/8/8/8/8/nnnnnnnn"}
	var boards []uint64
	var want []uint8
	for _, fen := range fens {
		mailbox, err := parse(fen)
		require.NoError(t, err)
		bitboards := bitboardsOf(mailbox)
		boards = append(boards, bitboards[:]...)
		planes := make([]uint8, 12*64)
		for square, piece := range mailbox {
			if piece != empty {
				planes[int(piece)*64+square] = 1
			}
		}
		want = append(want, planes...)
	}
	got := make([]uint8, len(want))
	require.NoError(t, onehot.ExpandBits(got, boards, 64, 1, 0))
	require.True(t, slices.Equal(want, got))
	var out bytes.Buffer
	require.NoError(t, run(&out, fens))
	require.Contains(t, out.String(), "[4 12 8 8], 202 squares are empty\n")
}

func TestWrongInput(t *testing.T) {
	for fen, problem := range map[string]string{
		"": "1 ranks", "8/8/8/8/8/8/8": "7 ranks", "8/8/8/8/8/8/8/9": "no piece", "8/8/8/8/8/8/8/7": "rank 1 has 7 squares",
		"8/8/8/8/8/8/8/8p": "rank 1 has 9 squares", "x7/8/8/8/8/8/8/8": "no piece",
	} {
		require.ErrorContains(t, run(&bytes.Buffer{}, []string{fen}), problem, fen)
	}
}
