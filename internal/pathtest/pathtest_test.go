package pathtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

func TestMissing(t *testing.T) {
	clear(ran)
	names := Names()
	assert.Equal(t, names, Missing(strings.Join(names, ", ")), "none has run yet")
	With(tier.GenericPath, func() {})
	assert.Empty(t, Missing("generic"))
	assert.Len(t, Missing(strings.Join(names, ",")), len(names)-1)

	before, seen := tier.Active(), []string(nil)
	Each(t, func(t *testing.T) { seen = append(seen, tier.Active().String()) })
	assert.Equal(t, names, seen)
	All(func() { seen = append(seen, tier.Active().String()) })
	assert.Equal(t, append(names, names...), seen)
	assert.Equal(t, before, tier.Active(), "the path is put back")

	assert.Empty(t, Missing(strings.Join(names, ", ")))
	assert.Empty(t, Missing(""))
	assert.Equal(t, []string{"abacus"}, Missing("generic,abacus"))
}

func TestPathIsPutBackAfterAPanic(t *testing.T) {
	before := tier.Active()
	assert.Panics(t, func() { With(tier.GenericPath, func() { panic("of a test body") }) })
	assert.Equal(t, before, tier.Active())
}
