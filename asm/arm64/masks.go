package main

import "fmt"

// A marker turns the masks of elements into bits. It merges vectors bit by bit
// while a lane has bits to spare, so that each costs one VSLI, and only then
// adds up lanes. The bits of a lane that keep has are those that count for an
// element.
type marker struct {
	*kernel
	arrays []array
}

// An array is what is compared: pointer moves over it, and bank names the
// registers that it is loaded into.
type array struct{ pointer, bank string }

// A vector is one of a turn's: the one at some place in a group that merges,
// loaded into register x of the banks.
type vector struct{ group, place, x int }

// group returns how many vectors merge into one: as many as a lane has bits
// for, but 16 of 32 for 8 bytes, since more would hardly show in the cost.
func (m *marker) group() int { return map[int]int{1: 1, 2: 2, 4: 8, 8: 16}[m.width] }

// groups returns the number of groups in a turn, which make 32 or 64 bits.
func (m *marker) groups() int { return map[int]int{1: 4, 2: 4, 4: 2, 8: 1}[m.width] }

// turn returns the number of elements in a turn.
func (m *marker) turn() int { return m.groups() * m.group() * 16 / m.width }

// step returns how many bits of a lane a vector takes.
func (m *marker) step() int { return min(16/m.width, 8*m.width) }

// setup loads the constants, and clears the last word if turns write parts of
// it.
func (m *marker) setup() {
	span := 8 * m.width
	m.constant("keep", "tmp", func(i int) int {
		bits := 0
		for b := range 8 {
			if at := i*8 + b; at%span%m.step() == at/span%span {
				bits |= 1 << b
			}
		}
		return bits
	})
	if m.turn() < 64 {
		m.op("SUB", "$1, left, tmp")
		m.op("LSR", "$6, tmp")
		m.op("ADD", "tmp<<3, out, tmp")
		m.op("MOVD", "ZR, (tmp)")
	}
}

// words writes the bits of all elements. body makes those of a turn, of which
// the last may step back: its bits are shifted into place.
func (m *marker) words(body func()) {
	var pointers []pointer
	for _, a := range m.arrays {
		pointers = append(pointers, pointer{a.pointer, log2(m.width)})
	}
	m.op("MOVD", "ZR, again")
	m.turns(m.turn(), func() {
		body()
		for _, p := range pointers {
			m.op("ADD", "$%d, %s", m.turn()*m.width, p.role)
		}
	}, pointers...)
	bytes := m.turn() / 8
	m.op(map[int]string{4: "MOVWU", 8: "MOVD"}[bytes], "-%d(out), word", bytes)
	m.op("LSR", "again, word")
	m.op(map[int]string{4: "MOVW", 8: "MOVD"}[bytes], "word, -%d(out)", bytes)
}

// vectors loads the vectors of a turn and calls compare for each.
func (m *marker) vectors(compare func(v vector)) {
	for i := range m.groups() * m.group() {
		v := vector{i / m.group(), i % m.group(), i % 4}
		for _, a := range m.arrays {
			if i%2 == 0 {
				m.op("FLDPQ", "%d(%s), %s", 16*i, a.pointer, pair(a.bank, v.x))
			}
		}
		compare(v)
	}
}

// mask returns the register in which a vector's mask is made: that of the group
// for the first vector, and a spare one for the others.
func (v vector) mask(group, spare string) string {
	if v.place == 0 {
		return fmt.Sprint(group, v.group)
	}
	return fmt.Sprint(spare, v.x)
}

// merge merges a vector's mask with those before it in the group.
func (m *marker) merge(v vector, group, spare string) {
	if v.place > 0 {
		m.op("VSLI", "$%d, %s%d.T, %s%d.T", v.place*m.step(), spare, v.x, group, v.group)
	}
}

// store writes the bits of a turn's groups, or with bic their complement.
func (m *marker) store(mnemonic, groups string) {
	m.times(m.groups(), mnemonic, groups+"%d.16b, keep.16b, "+groups+"%d.16b")
	for n := m.groups() / 2; n > 0; n /= 2 {
		for i := range n {
			m.op("VADDP", "%s%d.T, %[1]s%[3]d.T, %[1]s%[4]d.T", groups, 2*i+1, 2*i, i)
		}
	}
	m.op("VADDP", "%s0.T, %[1]s0.T, %[1]s0.T", groups)
	bytes := m.turn() / 8
	m.op(map[int]string{4: "FMOVS.P", 8: "FMOVD.P"}[bytes], "%s0q, %d(out)", groups, bytes)
}
