package main

import "fmt"

// A marker turns masks of elements into bits. Vectors are merged bit by bit as
// long as a lane has bits to spare, so that a vector costs one VSLI, and only
// then are lanes added up. Of a lane the bits in keep count for its element.
type marker struct {
	*kernel
	arrays []array
}

// An array is what is compared: pointer moves over it, bank has what is loaded.
type array struct{ pointer, bank string }

// A vector is one of a turn: the place-th of a group that merges, loaded into
// register x of the banks.
type vector struct{ group, place, x int }

// group is how many vectors merge into one: as many as a lane has bits for, and
// not more than that shows in the cost of what follows.
func (m *marker) group() int { return map[int]int{1: 1, 2: 2, 4: 8, 8: 16}[m.width] }

// groups is how many groups a turn has: one or more that make 32 or 64 bits.
func (m *marker) groups() int { return map[int]int{1: 4, 2: 4, 4: 2, 8: 1}[m.width] }

// turn is how many elements that is.
func (m *marker) turn() int { return m.groups() * m.group() * 16 / m.width }

// step is how many bits of a lane a vector takes.
func (m *marker) step() int { return min(16/m.width, 8*m.width) }

// setup loads the constants, and clears the last word, of which a turn may
// write a part.
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

// words writes the bits of all elements. body makes those of a turn, the last
// of which may step back: its bits are shifted into place.
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

// vectors loads the vectors of a turn and has each of them compared.
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

// mask is where a vector's mask is made: the first of a group in the group's
// register, the others in one that is spare.
func (v vector) mask(group, spare string) string {
	if v.place == 0 {
		return fmt.Sprint(group, v.group)
	}
	return fmt.Sprint(spare, v.x)
}

// merge puts a vector's mask behind those before it.
func (m *marker) merge(v vector, group, spare string) {
	if v.place > 0 {
		m.op("VSLI", "$%d, %s%d.T, %s%d.T", v.place*m.step(), spare, v.x, group, v.group)
	}
}

// store writes the bits of a turn's groups, or, with bic for and, their
// complement.
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
