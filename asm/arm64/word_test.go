package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

// TestWords decodes every instruction that is encoded by hand: it must be what
// its comment says.
func TestWords(t *testing.T) {
	words := regexp.MustCompile(`(?m)^\tWORD\s+\$(0x[0-9a-f]{8}) // (.+)$`).FindAllSubmatch(generate(), -1)
	if all := bytes.Count(generate(), []byte("WORD")); all == 0 || all != len(words) {
		t.Fatalf("%d words, %d of them with a comment to check", all, len(words))
	}
	for _, w := range words {
		code, err := strconv.ParseUint(string(w[1]), 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(code)))
		if err != nil {
			t.Errorf("%s: %v", w[0], err)
			continue
		}
		if got := arm64asm.GNUSyntax(inst); got != string(w[2]) {
			t.Errorf("%s is %s, its comment says %s", w[1], got, w[2])
		}
	}
}

// TestFresh compares the committed files with what the generator writes now.
func TestFresh(t *testing.T) {
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run make asm", name)
		}
	}
}
