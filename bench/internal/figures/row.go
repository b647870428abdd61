package figures

// A Row is one workload of one benchmark, with all speeds by path.
type Row struct {
	Function, Workload string
	Paths              []string // in order of appearance
	Speeds             map[string][]float64
	Bytes              float64 // credited to one operation
}

// Speed returns the median of a path's repetitions in GB/s, or NaN if there are
// none.
func (r *Row) Speed(path string) float64 { return Median(r.Speeds[path]) }

// Ratio returns how many times as fast a path is as another, or NaN if there
// are no repetitions of one. It is the median of the ratios of all rounds,
// since what disturbs a round disturbs both paths alike. If one path has more
// rounds than the other, it is the ratio of the medians.
func (r *Row) Ratio(path, other string) float64 {
	speeds, others := r.Speeds[path], r.Speeds[other]
	if len(speeds) != len(others) {
		return r.Speed(path) / r.Speed(other)
	}
	ratios := make([]float64, len(speeds))
	for round := range ratios {
		ratios[round] = speeds[round] / others[round]
	}
	return Median(ratios)
}

// Rows are the rows of some results, in order of appearance.
type Rows []*Row

// Row returns the row of a workload, or a new, empty one if there is none.
func (rows Rows) Row(function, workload string) *Row {
	for _, r := range rows {
		if r.Function == function && r.Workload == workload {
			return r
		}
	}
	return &Row{Function: function, Workload: workload, Speeds: map[string][]float64{}}
}

// Add adds a result to the row of its workload, and returns that row.
func (rows *Rows) Add(r Result) *Row {
	row := rows.Row(r.Function, r.Workload)
	if len(row.Paths) == 0 {
		*rows = append(*rows, row)
	}
	if _, seen := row.Speeds[r.Path]; !seen {
		row.Paths = append(row.Paths, r.Path)
	}
	row.Speeds[r.Path] = append(row.Speeds[r.Path], r.Speed)
	row.Bytes = r.Bytes
	return row
}
