package peers

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	flag.Parse()
	benchmarks := flag.Lookup("test.bench").Value.String() != ""
	if benchmarks {
		header(Installed())
	}
	code := m.Run()
	if benchmarks {
		if err := Installed().Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// header prints which libraries are compared and which are left out, in lines
// that benchstat reads as configuration or ignores.
func header(p Present) {
	for _, name := range slices.Sorted(maps.Keys(p.Versions)) {
		fmt.Printf("%s: %s\n", name, p.Versions[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.Missing)) {
		leftOut("", name, p.Missing[name])
	}
}

func leftOut(workload, peer string, why error) {
	fmt.Printf("# left out\t%s\t%s\t%s\n", workload, peer, Reason(why))
}

// BenchmarkPeers times every peer on every workload, after a check that it
// writes the same bits as this module.
func BenchmarkPeers(b *testing.B) {
	for _, make := range Workloads() {
		w := make()
		b.Run(w.Name, func(b *testing.B) { benchWork(b, w) })
		debug.FreeOSMemory()
	}
}

func benchWork(b *testing.B, w Work) {
	want := make([]float32, w.Elements())
	if err := w.Encode(want); err != nil {
		b.Fatal(err)
	}
	for _, p := range Installed().Peers {
		t, err := p.Load(w)
		if err != nil {
			leftOut(w.Name, p.Name(), err)
			continue
		}
		if err := Check(t, want); err != nil {
			leftOut(w.Name, p.Name(), err)
		} else {
			timeTask(b, p, t, len(want))
		}
		if err := t.Close(); err != nil {
			b.Error(err)
		}
		runtime.GC()
	}
	t, err := Clear().Load(w)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := t.Run(1); err != nil { // maps its memory, as Check does for the others
		b.Fatal(err)
	}
	timeTask(b, Clear(), t, len(want))
}

// timeTask reports the time that the task itself returns, because a peer in
// another process uses its own clock.
func timeTask(b *testing.B, p Peer, t Task, elements int) {
	b.Run("path="+p.Name(), func(b *testing.B) {
		took, err := t.Run(b.N)
		if err != nil {
			b.Fatal(err)
		}
		took = max(took, time.Nanosecond)
		bytes := float64(4*elements) * float64(b.N)
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/op")
		b.ReportMetric(bytes/1e6/took.Seconds(), "MB/s")
	})
}
