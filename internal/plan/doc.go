// Package plan chooses how an output is written.
//
// A plan is a pure function of the shape of a job, of the path and of the
// processor's caches and cores. Every threshold by which the library chooses a
// strategy is in this package, with the measured cost of a wrong value. Outside
// it are those of the kernels (the generators in asm), of the goroutines that
// share work (package share and parallel.go), and the bounds of what a
// processor says of its caches (package tier). Command show prints plans as
// tables, without running anything.
//
// "Half costs 5%, twice 9%" is about the calls that half or twice the number
// would send another way, or cut into other blocks: they would take 5% or 9%
// longer on average. "Saves", or a negative cost, says that they would gain.
// "Half of 384" was measured around 384 in place of the constant. The processor
// was a Zen 4 and the path AVX-512, unless others are named. Where both figures
// are beyond 10%, no other number does better: the costs of the two ways
// diverge that fast. Where twice the number saves time on one processor, it
// would cost time on another: the number lies between the best values for
// either.
//
// In rotation, each call writes the next of several outputs, which together
// take the bytes that are named; otherwise a call writes the same output again.
//
// A Zen 3 is family 25, model 1; a Zen 4 is family 25, model 17; a Zen 5 is
// family 26, model 2; a Cascade Lake is family 6, model 85. A Granite Rapids,
// with 2 MiB for a core and 480 MiB for all, and a Sapphire Rapids, with 2 MiB
// and 105 MiB, were guests whose hypervisors report family 6, model 167.
package plan
