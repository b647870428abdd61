package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShow(t *testing.T) {
	for path, strategies := range map[string][]string{
		"avx512":  {"scatter clear", "scatter nt", "rows 2048", "rows 2048 nt", "nt tiles", "planes 2048", "by columns", "bit planes", "sets", "hits", "compare"},
		"avx2":    {"scatter clear", "scatter vectors", "by columns", "nt tiles", "rows 2048", "planes", "bit planes", "sets", "hits", "compare"},
		"neon":    {"scatter clear", "rows 2048", "planes", "bit planes", "sets", "hits", "compare"},
		"generic": {"scatter clear"},
	} {
		var out strings.Builder
		require.NoError(t, run(&out, []string{"-path", path, "-skylake=false", "-l1", "32768", "-l2", "1048576", "-llc", "33554432"}))
		for _, s := range strategies {
			assert.Contains(t, out.String(), s, path)
		}
		if path == "generic" {
			assert.NotContains(t, out.String(), "rows 2048")
		}
		assert.Contains(t, out.String(), "rows of Encode, 512 KiB of output")
		assert.NotRegexp(t, `\S(scatter|rows|planes|loop)\b`, out.String(), "two cells that touch")
	}
	var out strings.Builder
	require.NoError(t, run(&out, []string{"-path", "avx2", "-skylake"}))
	assert.Contains(t, out.String(), "path avx2 of a Skylake server, ")
	assert.Contains(t, out.String(), "scatter repeat")
	assert.NotContains(t, out.String(), " nt ", "non-temporal stores are slow there")
	for _, args := range [][]string{{"-path", "abacus"}, {"-index", "int7"}, {"-size", "many"}} {
		assert.Error(t, run(&strings.Builder{}, args))
	}
}
