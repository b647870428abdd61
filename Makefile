# test, check and fuzz are what a change has to pass; bench prints the table, peers the comparison with other libraries, and report
# measures both for the committed figures; asm regenerates the assembly.
BENCH     ?= ^Benchmark(Encode|MultiHot|Update|Decode|OneRow|Small)
BENCHTIME ?= 20ms
COUNT     ?= 3
FUZZTIME  ?= 2000000x
TABLE      = .bin/table
REPORT     = .bin/report
FIGURES    = bench/report
FIRST     ?= zen5
DATA      ?= $(FIGURES)/$(FIRST).txt $(filter-out $(FIGURES)/$(FIRST).txt,$(shell ls -r $(FIGURES)/*.txt))

.PHONY: test bench small sweep plan peers report pictures check fuzz faults asm cost table

test:
	go test ./...

# Every named workload on every path of this machine.
bench: table
	@go test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(COUNT) . | $(TABLE)

# The calls that write little, in turns with the loop, the least of many rounds: SMALL='-only 8x10'.
small:
	@go -C bench run ./small $(SMALL)

# Every depth and size instead.
sweep: table
	@go test -run '^$$' -bench '^BenchmarkSweep' -benchtime $(BENCHTIME) -timeout 1h . | $(TABLE)

# What is done at which depth and width, as tables, without doing it: PLAN='-path avx2 -llc 16777216'.
plan:
	@go run ./internal/plan/show $(PLAN)

# Built beforehand, so that no compiler runs beside the first measurement.
table:
	@go -C bench build -buildvcs=false -o ../$(TABLE) ./table

# Other libraries on the same work. Installs those that can be had here, and says which are left out.
peers: COUNT = 3
peers: $(REPORT)
	@COUNT=$(COUNT) BENCHTIME=$(BENCHTIME) $(FIGURES)/measure peers > .bin/peers.txt
	@$(REPORT) -peers < .bin/peers.txt

# Measures everything in rounds, keeps the output as one file a processor (zen4.txt), and draws from it. FIRST
# says whose figures come first, those of the newest code, beside which the others stand.
report: COUNT = 5
report: $(REPORT) table
	COUNT=$(COUNT) BENCHTIME=$(BENCHTIME) $(FIGURES)/measure > .bin/data.txt
	cp .bin/data.txt $(FIGURES)/$$($(TABLE) -processor | sed 's/ (.*//; s/[^A-Za-z0-9]//g' | tr A-Z a-z).txt
	$(MAKE) pictures

# The report, its pictures and the figures of the README again, from the file that is there.
pictures: $(REPORT)
	$(REPORT) -data "$(DATA)" -dir $(FIGURES) -readme README.md

.PHONY: $(REPORT)
$(REPORT):
	@go -C $(FIGURES) build -buildvcs=false -o ../../$(REPORT) .

check:
	@.ci/check

fuzz:
	@.ci/fuzz $(FUZZTIME)

# One fault of each kind after the other, in a copy: the tests have to find them.
faults:
	@cd asm && go run ./faults

asm:
	cd asm && go run ./amd64 && go run ./arm64

# What the kernels cost, by a model of processors that need not be here.
cost:
	@cd asm && go run ./cost
