// Command chess turns a batch of positions into the planes that networks read.
// Each position has twelve planes of 8 by 8 squares, one for each piece of each
// side, white first.
//
//	go run ./chess "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
//
// Engines keep a position in one of two ways. Bitboards are twelve words with a
// bit for each square: onehot.ExpandBits expands the bitboards of N positions
// to cells of the shape [N, 12, 64]. A mailbox is 64 bytes with a piece each:
// onehot.Encode encodes N mailboxes to the same shape, because Inner is 64. An
// empty square is a miss. The program does both and checks that the planes are
// the same.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/go-onehot/onehot"
)

const (
	pieces  = "PNBRQKpnbrqk"
	squares = 64 // a1 is 0, h1 is 7 and h8 is 63
	empty   = 255
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal(`usage: chess "FEN" ...`)
	}
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, fens []string) error {
	var boards []uint64
	var mailboxes []uint8
	for _, fen := range fens {
		mailbox, err := parse(fen)
		if err != nil {
			return err
		}
		mailboxes = append(mailboxes, mailbox[:]...)
		bitboards := bitboardsOf(mailbox)
		boards = append(boards, bitboards[:]...)
	}
	batch := make([]float32, len(fens)*len(pieces)*squares)
	if err := onehot.ExpandBits(batch, boards, squares, 1, 0); err != nil {
		return err
	}
	same := make([]float32, len(batch))
	vacant, err := onehot.Encode(same, mailboxes, onehot.Planes[float32](len(pieces), squares))
	if err != nil {
		return err
	}
	if !slices.Equal(batch, same) {
		return fmt.Errorf("the planes of %d positions differ", len(fens))
	}
	fmt.Fprintf(w, "[%d 12 8 8], %d squares are empty\n", len(fens), vacant)
	for planes := range slices.Chunk(batch, len(pieces)*squares) {
		draw(w, planes)
	}
	return nil
}

// parse reads the squares of a position in Forsyth-Edwards notation.
func parse(fen string) (mailbox [squares]uint8, err error) {
	placement, _, _ := strings.Cut(fen, " ")
	ranks := strings.Split(placement, "/")
	if len(ranks) != 8 {
		return mailbox, fmt.Errorf("%q has %d ranks", fen, len(ranks))
	}
	for i, rank := range ranks { // the eighth rank comes first
		var row []uint8
		for _, r := range rank {
			piece := strings.IndexRune(pieces, r)
			switch {
			case piece >= 0:
				row = append(row, uint8(piece))
			case r >= '1' && r <= '8':
				row = append(row, slices.Repeat([]uint8{empty}, int(r-'0'))...)
			default:
				return mailbox, fmt.Errorf("%q: %q is no piece", fen, r)
			}
		}
		if len(row) != 8 {
			return mailbox, fmt.Errorf("%q: rank %d has %d squares", fen, 8-i, len(row))
		}
		copy(mailbox[8*(7-i):], row)
	}
	return mailbox, nil
}

func bitboardsOf(mailbox [squares]uint8) (boards [len(pieces)]uint64) {
	for square, piece := range mailbox {
		if piece != empty {
			boards[piece] |= 1 << square
		}
	}
	return boards
}

// draw prints the planes of one position, those of each side next to each
// other, with the eighth rank on top.
func draw(w io.Writer, planes []float32) {
	for side := range 2 {
		fmt.Fprintln(w)
		for rank := 7; rank >= 0; rank-- {
			for piece := range 6 {
				p := 6*side + piece
				for _, cell := range planes[p*squares+8*rank:][:8] {
					mark := "."
					if cell == 1 {
						mark = pieces[p : p+1]
					}
					fmt.Fprint(w, mark)
				}
				if piece < 5 {
					fmt.Fprint(w, " ")
				}
			}
			fmt.Fprintln(w)
		}
	}
}
