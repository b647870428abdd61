// Small times small calls and the careful Go loops for the same jobs, and
// prints the least nanoseconds of either.
//
//	go -C bench run ./small                   all calls, worst ratio first
//	go -C bench run ./small -only 8x10        the calls whose names match
//	GODEBUG=cpu.avx512f=off go -C bench run ./small
//
// Call and loop take turns in many short rounds, so that what disturbs the
// machine disturbs both, and the least of the rounds is undisturbed.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/workloads"
)

func main() {
	only := flag.String("only", "", "time only the cases whose name matches")
	rounds := flag.Int("rounds", 200, "rounds of each")
	flag.Parse()
	if err := run(os.Stdout, *only, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "small:", err)
		os.Exit(1)
	}
}

// A timing has the least nanoseconds of a call and of the loop for the same
// job.
type timing struct {
	workloads.Workload
	call, loop float64
}

func run(w io.Writer, only string, rounds int) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var all []timing
	for _, w := range workloads.Small() {
		if !pattern.MatchString(w.String()) {
			continue
		}
		t, err := measure(w, rounds)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	if len(all) == 0 {
		return fmt.Errorf("no call matches %q", only)
	}
	slices.SortStableFunc(all, func(a, b timing) int { return cmp.Compare(a.ratio(), b.ratio()) })
	fmt.Fprintf(w, "path %s\n%-42s %7s %9s %9s %8s %6s\n", onehot.Path(), "", "bytes", "call ns", "loop ns", "excess", "/go")
	for _, t := range all {
		fmt.Fprintf(w, "%-42s %7d %9.1f %9.1f %8.1f %6.2f\n", t.String(), t.Bytes, t.call, t.loop, t.call-t.loop, t.ratio())
	}
	summary(w, all)
	return nil
}

// ratio returns how many times as fast as the loop the call is.
func (t timing) ratio() float64 { return t.loop / t.call }

// batchTime is the least time of a round: long compared with reading the clock,
// and short enough that most rounds are not interrupted.
const batchTime = 10 * time.Microsecond

func measure(w workloads.Workload, rounds int) (timing, error) {
	t := timing{w, math.Inf(1), math.Inf(1)}
	j, err := w.Build()
	if err == nil {
		err = j.Verify()
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", &w, err)
	}
	calls, loops := batch(j.Run), batch(j.Plain)
	for range rounds {
		t.call = min(t.call, timed(j.Run, calls))
		t.loop = min(t.loop, timed(j.Plain, loops))
	}
	return t, nil
}

// batch returns how many times f runs in a round.
func batch(f func()) (n int) {
	for n = 1; ; n *= 2 {
		if timed(f, n)*float64(n) >= float64(batchTime) {
			return n
		}
	}
}

// timed returns the nanoseconds of one run, on average over n runs.
func timed(f func(), n int) float64 {
	start := time.Now()
	for range n {
		f()
	}
	return float64(time.Since(start)) / float64(n)
}

// kib is the number of bytes of output below which the summary judges calls by
// their excess, and from which on by their ratio.
const kib = 1 << 10

func summary(w io.Writer, all []timing) {
	logs, excess, least := 0.0, math.Inf(-1), math.Inf(1)
	var worst, slowest string
	for _, t := range all {
		logs += math.Log(t.ratio())
		if e := t.call - t.loop; t.Bytes < kib && e > excess {
			excess, worst = e, t.String()
		}
		if t.Bytes >= kib && t.ratio() < least {
			least, slowest = t.ratio(), t.String()
		}
	}
	fmt.Fprintf(w, "\n%d calls, geometric mean of call / loop speed %.2f\n", len(all), math.Exp(logs/float64(len(all))))
	if worst != "" {
		fmt.Fprintf(w, "below 1 KiB at most %.1f ns more than the loop: %s\n", excess, worst)
	}
	if slowest != "" {
		fmt.Fprintf(w, "from 1 KiB on at least %.2f times as fast: %s\n", least, slowest)
	}
}
