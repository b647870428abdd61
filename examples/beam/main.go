// Command beam one-hot encodes a column of a CSV file in a batch pipeline of
// Apache Beam: every line gets a 1 or 0 for each level of the column, and a
// second file counts the levels.
//
//	go run ./beam --input testdata/penguins.csv --column island --rows rows.csv --counts counts.csv
//
// Beam hands out single elements, and a call for each would cost more than its
// encoding. The DoFn therefore collects the lines of a bundle and calls
// onehot.Encode once for each batch of them, into memory that it keeps. On and
// Off are the strings "1" and "0", so that the cells are the text of the
// output. A line without a value is a miss: its cells are all 0, and Beam's
// counter "misses" counts it.
//
// Without --runner the pipeline runs on this machine, on Prism. The same
// program runs on a cluster:
//
//	--runner flink --endpoint HOST:8099         a job server of Beam's Flink runner; spark likewise
//	--runner dataflow --project P --region R --staging_location gs://BUCKET/staging
//
// with files that all workers see, such as gs://. go run ./beam --help has the
// other flags of the runners.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func main() {
	input := flag.String("input", "", "CSV file with a header")
	column := flag.String("column", "", "column to encode")
	rows := flag.String("rows", "", "file for the lines with their encoding, in no order")
	counts := flag.String("counts", "", "file for the levels and how often they occur, in no order")
	flag.Parse()
	beam.Init()
	misses, err := run(context.Background(), *input, *column, *rows, *counts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(misses, "lines without a value")
}

// run builds the pipeline and waits for it.
func run(ctx context.Context, input, column, rows, counts string) (misses int64, err error) {
	header, at, err := find(ctx, input, column)
	if err != nil {
		return 0, err
	}
	p, s := beam.NewPipelineWithRoot()
	lines := beam.ParDo(s, &valueFn{Header: header, At: at}, textio.Read(s, input)) // KV<value, line>
	levels := stats.Count(s, beam.DropValue(s, lines))                              // KV<value, int>
	encoded := beam.ParDo(s, &encodeFn{Batch: 4096}, lines, beam.SideInput{Input: levels})
	textio.Write(s, rows, encoded)
	textio.Write(s, counts, beam.ParDo(s, format, levels))

	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return 0, err
	}
	missed := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Name() == "misses" })
	for _, counter := range missed.Counters() {
		misses += counter.Result()
	}
	return misses, nil
}

func format(level string, count int) string {
	return fmt.Sprintf("%s,%d", level, count)
}

func init() {
	register.Function2x1(format)
	register.DoFn2x1[string, func(string, string), error](&valueFn{})
	register.DoFn5x1[context.Context, string, string, func(*string, *int) bool, func(string), error](&encodeFn{})
	register.Emitter1[string]()
	register.Emitter2[string, string]()
	register.Iter2[string, int]()
}
