package onehot_test

import (
	"testing"

	"github.com/go-onehot/onehot/internal/conformance"
)

// The fuzz targets have their corpus in testdata/fuzz, beside this file, and
// their bodies in internal/conformance, beside the checks that they share with
// the other tests.

func FuzzEncode(f *testing.F)         { conformance.FuzzEncode(f) }
func FuzzAppendEncode(f *testing.F)   { conformance.FuzzAppendEncode(f) }
func FuzzEncodeRaw(f *testing.F)      { conformance.FuzzEncodeRaw(f) }
func FuzzUpdate(f *testing.F)         { conformance.FuzzUpdate(f) }
func FuzzEncodeColumns(f *testing.F)  { conformance.FuzzEncodeColumns(f) }
func FuzzMultiHot(f *testing.F)       { conformance.FuzzMultiHot(f) }
func FuzzEncodeBits(f *testing.F)     { conformance.FuzzEncodeBits(f) }
func FuzzEncodeText(f *testing.F)     { conformance.FuzzEncodeText(f) }
func FuzzAlphabet(f *testing.F)       { conformance.FuzzAlphabet(f) }
func FuzzDecode(f *testing.F)         { conformance.FuzzDecode(f) }
func FuzzEncodeParallel(f *testing.F) { conformance.FuzzEncodeParallel(f) }
