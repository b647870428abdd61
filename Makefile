# test, check and fuzz are what a change has to pass; bench prints the table; asm regenerates the assembly.
BENCH     ?= ^Benchmark(Encode|MultiHot|Update|Decode|OneRow)
BENCHTIME ?= 20ms
COUNT     ?= 3
FUZZTIME  ?= 30s
TABLE      = .bin/table

.PHONY: test bench sweep check fuzz asm cost table

test:
	go test ./...

# Every named workload on every path of this machine.
bench: table
	@go test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(COUNT) . | $(TABLE)

# Every depth and size instead.
sweep: table
	@go test -run '^$$' -bench '^BenchmarkSweep' -benchtime $(BENCHTIME) -timeout 1h . | $(TABLE)

# Built beforehand, so that no compiler runs beside the first measurement.
table:
	@go -C bench build -buildvcs=false -o ../$(TABLE) ./table

check:
	@.ci/check

fuzz:
	@.ci/fuzz $(FUZZTIME)

asm:
	cd asm && go run ./amd64 -out ../onehot_amd64.s -stubs ../stubs_amd64.go
	cd asm && go run ./arm64 -out ../onehot_arm64.s -stubs ../stubs_arm64.go

# What the kernels cost, by a model of processors that need not be here.
cost:
	@cd asm && go run ./cost -root ..
