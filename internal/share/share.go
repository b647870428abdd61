// Package share holds the sizes from which EncodeParallel shares its work.
// Tests can make it share smaller outputs.
package share

// Limits are in bytes of output.
type Limits struct {
	// Share is the least output that is shared. Wake is the least output, of one
	// call or of several that follow one another, for which goroutines are woken.
	// Waking one takes the caller some time, and it starts so much later that a
	// caller alone has written 8 MiB by then.
	Share, Wake int

	// Part is roughly the smallest part. The first parts are larger, because each
	// part takes time to start; the last ones are not, because the call waits for
	// all.
	Part int
}

// Usual is what users get. With All, everything that can be shared is shared.
var (
	Usual = Limits{Share: 4 << 20, Wake: 24 << 20, Part: 1 << 20}
	All   = Limits{Share: 1, Wake: 1, Part: 1 << 10}
)

// Now holds the limits in force. Only tests set it, while no call runs.
var Now = Usual

// With calls f under other limits.
func With(l Limits, f func()) {
	defer func(before Limits) { Now = before }(Now)
	Now = l
	f()
}
