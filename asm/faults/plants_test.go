package main

import "testing"

// TestPlaces checks that each fault still has its place in the source. The
// checks that find the faults take long to run, and whoever changes the source
// should hear of a lost place at once.
func TestPlaces(t *testing.T) {
	for _, f := range faults {
		if _, _, err := f.planted("../.."); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}
