// Package share says from which size on EncodeParallel shares its work, so that
// tests can have it share less.
package share

// Limits are in bytes of output.
type Limits struct {
	// Share is the least output that is shared, and Wake the least one that a
	// goroutine is woken for, in one call or in several that follow one another. To
	// wake it takes the caller some 7 microseconds, and it comes some 100 later: by
	// then a caller alone has written 8 MiB.
	Share, Wake int

	// Part is about the least part. The first parts are larger, because each costs
	// a start; the last ones are not, because the call waits for them.
	Part int
}

// Usual is what users get, and All has whatever can be shared shared.
var (
	Usual = Limits{Share: 4 << 20, Wake: 24 << 20, Part: 1 << 20}
	All   = Limits{Share: 1, Wake: 1, Part: 1 << 10}
)

// Now is what holds now. Nothing but a test sets it, while no call runs.
var Now = Usual

// With runs f under other limits.
func With(l Limits, f func()) {
	defer func(before Limits) { Now = before }(Now)
	Now = l
	f()
}
