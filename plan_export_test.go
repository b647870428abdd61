package onehot

import "fmt"

// strategyNames has every strategy of plan.go.
var strategyNames = map[strategy]string{
	direct: "direct", expand: "expand", fused: "fused", planes: "planes", bitPlanes: "bit planes", lit: "lit", spread: "spread", marked: "marked",
}

// StrategyNames returns the names of the strategies, each by its constant's value.
func StrategyNames() (names []string) {
	for k := range len(strategyNames) {
		names = append(names, strategyNames[strategy(k)])
	}
	return names
}

// name tells plans apart.
func (p *plan) name() string {
	name := strategyNames[p.strategy]
	switch {
	case p.stream:
		name += ", streamed"
	case p.strategy == direct:
		name += [...]string{fillGo: " by clear", fillVector: " by vectors", fillString: " by strings"}[p.fill]
	case p.boards:
		name += fmt.Sprintf(" of boards, %d bytes of lanes", p.lanes)
	case p.lanes > 0:
		name += fmt.Sprintf(", %d bytes of lanes", p.lanes)
	}
	return name
}

// PlanOf names the plan of an encoding on the path that is set; "" if there is
// nothing to plan. zero tells that off is.
func PlanOf(width int, typ IndexType, n, depth, inner, stride int, zero bool) string {
	j := job{width: width, in: input{len: n, typ: typ}}
	if j.set(n, depth, inner, stride, width, Ignore) != nil || n == 0 || depth == 0 || n*depth <= shortCells && inner <= 1 && stride == 0 {
		return ""
	}
	j.bytes = j.need * width
	if !zero {
		j.off = element{lo: 1}
	}
	var p plan
	p.choose(&j)
	return p.name()
}

// PlanOfBits names the plan of EncodeBits.
func PlanOfBits(typ IndexType, n, depth int) string {
	j := job{width: 1, in: input{len: n, typ: typ}}
	words := BitWords(n)
	if j.set(words, depth, words, 0, wordBits/8, Ignore) != nil || j.need == 0 {
		return ""
	}
	var p plan
	p.chooseBits(&j)
	return p.name()
}

// PlanOfDecode names the plan of Decode.
func PlanOfDecode(width, n, depth, inner, stride int) string {
	var l layout
	if l.set(n, depth, inner, stride, width, Ignore) != nil || n == 0 {
		return ""
	}
	var p plan
	p.chooseDecode(&l, width)
	return p.name()
}

// PlanOfColumns names the plan of EncodeColumns, for rows of that many cells.
func PlanOfColumns(width, rows, cells, columns, stride int) string {
	var l layout
	if l.set(rows, cells, 1, stride, width, Ignore) != nil || l.need == 0 {
		return ""
	}
	var p plan
	p.chooseColumns(&l, width, columns)
	return p.name()
}

// PlanOfSets names the plan of MultiHot.
func PlanOfSets(width, rows, depth, k, stride int) string {
	j := job{width: width}
	if j.set(rows, depth, 1, stride, width, Ignore) != nil || j.need == 0 {
		return ""
	}
	var p plan
	p.chooseSets(&j, k)
	return p.name()
}

// PlanOfUpdate names the way of Update, which has no plan of its own.
func PlanOfUpdate(n, depth, inner, stride int) string {
	var l layout
	if l.set(n, depth, inner, stride, 1, Ignore) != nil || n == 0 {
		return ""
	}
	name := "one by one"
	if updateByKernels(&l, n) {
		name = "compared"
	}
	switch {
	case l.plane == 1:
		return name + ", rows"
	case l.outer == 1:
		return name + ", one block of planes"
	}
	return name + ", blocks of planes"
}
