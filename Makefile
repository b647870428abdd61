# A change has to pass check, which includes test and a short fuzz. bench prints
# the table of speeds, peers the comparison with other libraries; report
# measures both for the committed figures. asm regenerates the assembly.
BENCH     ?= ^Benchmark(Encode|MultiHot|Update|Decode|Recode|ExpandBits|OneRow|Small)
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

# The small calls, in turns with the careful loop, the least of many rounds:
# SMALL='-only 8x10' takes those whose names match.
small:
	@go -C bench run ./small $(SMALL)

# All depths and sizes instead of the named workloads.
sweep: table
	@go test -run '^$$' -bench '^BenchmarkSweep' -benchtime $(BENCHTIME) -timeout 1h . | $(TABLE)

# Tables of the strategy for each depth and width; nothing is encoded:
# PLAN='-path avx2 -llc 16777216'.
plan:
	@go run ./internal/plan/show $(PLAN)

# Built beforehand, so that no compiler runs during the first measurement.
table:
	@go -C bench build -buildvcs=false -o ../$(TABLE) ./table

# Other libraries on the same workloads. Installs those that this machine can
# have, and says which are left out.
peers: COUNT = 3
peers: $(REPORT)
	@COUNT=$(COUNT) BENCHTIME=$(BENCHTIME) $(FIGURES)/measure peers > .bin/peers.txt
	@$(REPORT) -peers < .bin/peers.txt

# Measures everything in rounds, keeps the output as one file per processor
# (zen4.txt), and makes the report from all of these files. FIRST names the file
# with the newest code, whose figures come first.
report: COUNT = 5
report: $(REPORT) table
	COUNT=$(COUNT) BENCHTIME=$(BENCHTIME) $(FIGURES)/measure > .bin/data.txt
	cp .bin/data.txt $(FIGURES)/$$($(TABLE) -processor | sed 's/ (.*//; s/[^A-Za-z0-9]//g' | tr A-Z a-z).txt
	$(MAKE) pictures

# Makes the report, its pictures and the README's figures again, from the files
# that are there.
pictures: $(REPORT)
	$(REPORT) -data "$(DATA)" -dir $(FIGURES) -readme README.md

.PHONY: $(REPORT)
$(REPORT):
	@go -C $(FIGURES) build -buildvcs=false -o ../../$(REPORT) .

check:
	@.ci/check

fuzz:
	@.ci/fuzz $(FUZZTIME)

# Plants one fault after the other in a copy; a test has to find each.
faults:
	@cd asm && go run ./faults

asm:
	cd asm && go run ./amd64 && go run ./arm64

# What the kernels cost in a model of other processors, with llvm-mca.
cost:
	@cd asm && go run ./cost
