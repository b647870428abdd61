package peers

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// inGoPeers returns the peers that need nothing but Go.
func inGoPeers(t *testing.T) []Peer {
	t.Helper()
	mlx, err := GoMLX()
	if err != nil {
		t.Fatal(err)
	}
	return []Peer{Ours(), Go(), Naive(), mlx}
}

// small returns small works with shapes like those of the workloads, of every
// index type.
func small() []Work {
	return []Work{
		{"rows of uint8", []uint8{0, 1, 2, 255, 3, 9}, 10, 1, 1, 0, 9, true},
		{"rows of int32", []int32{6, 0, -1, 3, 2}, 7, 1, 1, 0, 9, true},
		{"rows of int64", []int64{0, 1, 1 << 40, 1}, 2, 1, 1, 0, 9, true},
		{"planes of int64", []int64{0, 1, 4, 3, 2, 1}, 5, 3, 1, 0, 9, true},
		{"planes of float32", []float32{0, 1, 2, 2, 1, 0, 1, 2}, 3, 4, 1, 0, 9, true},
	}
}

func TestPeersInGoWriteTheSameBits(t *testing.T) {
	for _, w := range small() {
		want := make([]float32, w.Elements())
		if err := w.Encode(want); err != nil {
			t.Fatal(err)
		}
		for _, p := range inGoPeers(t) {
			t.Run(w.Name+"/"+p.Name(), func(t *testing.T) {
				task, err := p.Load(w)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := Check(task, want); err != nil {
						t.Error(err)
					}
				}
				if took, err := task.Run(3); err != nil || took <= 0 {
					t.Errorf("3 runs took %v, %v", took, err)
				}
				if err := task.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// The definition and this module pass every probe. Some other peer has to fail
// one: otherwise nothing would have been compared.
func TestProbes(t *testing.T) {
	deviations := 0
	for _, p := range inGoPeers(t) {
		outcomes, err := Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(outcomes) != len(Probes()) {
			t.Errorf("%s: %d outcomes of %d probes", p.Name(), len(outcomes), len(Probes()))
		}
		for _, o := range outcomes {
			if o.Result == "ok" {
				continue
			}
			deviations++
			if p.Name() == Ours().Name() || p.Name() == "naive" {
				t.Errorf("%s, %s (%s): %s", o.Peer, o.Probe, o.Text, o.Result)
			}
		}
	}
	if deviations == 0 {
		t.Error("no peer deviates in anything")
	}
}

func TestWorkloadsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, make := range Workloads() {
		w := make()
		if seen[w.Name] {
			t.Errorf("%s twice", w.Name)
		}
		seen[w.Name] = true
		if w.Count() == 0 || w.Count()%max(w.Inner, 1) != 0 {
			t.Errorf("%s: %d indices, inner %d", w.Name, w.Count(), w.Inner)
		}
		x, err := w.int64s()
		if err != nil || len(x) != w.Count() {
			t.Errorf("%s: %d of %d indices as int64: %v", w.Name, len(x), w.Count(), err)
		}
	}
}

// broken is a peer whose output and error are given.
type broken struct {
	out []float32
	err error
}

func (broken) Name() string              { return "broken" }
func (b broken) Load(Work) (Task, error) { return b, nil }
func (b broken) Run(int) (time.Duration, error) {
	return time.Second, b.err
}
func (b broken) Output() ([]float32, error) { return b.out, nil }
func (broken) Close() error                 { return nil }

func TestCheckFindsWhatDiffers(t *testing.T) {
	negativeZero, nan := float32(math.Copysign(0, -1)), float32(math.NaN())
	for _, c := range []struct {
		task broken
		want string
	}{
		{broken{out: []float32{0, 1, nan}}, ""},
		{broken{out: []float32{0, 2, nan}}, "differs: element 1 of 3 is 2, not 1"},
		{broken{out: []float32{negativeZero, 1, nan}}, "differs: element 0 of 3 is -0, not 0"},
		{broken{out: []float32{0, 1, math.Float32frombits(0x7fa00001)}}, "differs: element 2 of 3 is NaN 0x7fa00001, not NaN 0x7fc00000"},
		{broken{out: []float32{0, 1}}, "differs: writes 2 elements, not 3"},
		{broken{err: errors.New("no such class\nat line 3")}, "error: no such class"},
		{broken{err: cannot("no %s", "planes")}, "cannot: no planes"},
	} {
		got := ""
		if err := Check(c.task, []float32{0, 1, nan}); err != nil {
			got = Reason(err)
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Every field of the model has the wire format, down to the names of the node's
// inputs.
func TestModel(t *testing.T) {
	var names []string
	var walk func(b []byte) bool
	walk = func(b []byte) bool {
		for len(b) > 0 {
			_, kind, n := protowire.ConsumeTag(b)
			if n < 0 {
				return false
			}
			b = b[n:]
			m := protowire.ConsumeFieldValue(1, kind, b)
			if m < 0 {
				return false
			}
			if kind == protowire.BytesType {
				body, _ := protowire.ConsumeBytes(b)
				if !walk(body) {
					names = append(names, string(body))
				}
			}
			b = b[m:]
		}
		return true
	}
	if !walk(model(11, -1, onnxInt64, 1)) {
		t.Fatal("the model is no message")
	}
	all := strings.Join(names, " ")
	for _, name := range []string{"OneHot", "indices", "depth", "values", "output", "axis"} {
		if !strings.Contains(all, name) {
			t.Errorf("no %s among %s", name, all)
		}
	}
}

// A peer that is not installed is left out with a reason, and nothing else
// fails.
func TestMissingPeers(t *testing.T) {
	for _, library := range []string{"", "/no/such/library"} {
		if _, _, err := ONNXRuntime(library); err == nil {
			t.Errorf("ONNX Runtime from %q", library)
		}
	}
	for _, interpreter := range []string{"", "/no/such/interpreter", "false"} {
		if _, err := StartPython(interpreter); err == nil {
			t.Errorf("Python from %q", interpreter)
		}
	}
}
