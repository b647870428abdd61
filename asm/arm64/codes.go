package main

import "fmt"

// codes widens bytes to the codes of Recode.
func (k *kernel) codes() {
	k.prose = `A turn takes 16 bytes and makes the mask of those that are 255. A zip with the mask doubles the width of
the elements: the mask becomes their upper half. The masks are zipped with themselves for the next doubling. The
last turn steps back to end at the last byte. 16 bytes cost 3 vector operations with elements of two bytes, 9
with four, and 21 with eight.`
	k.role("to R0", "in R1", "left R2", "noneV V0")
	k.bank("x", 22, 1)
	k.arguments("dst to", "classes in", "n left")
	k.op("VMOVI", "$255, noneV.B16")
	k.turns(16, func() {
		k.op("VLD1.P", "16(in), [x0.B16]")
		k.op("VCMEQ", "noneV.B16, x0.B16, x1.B16")
		elements, masks, free := []int{0}, []int{1}, 2
		double := func(lower []int, lanes string) (doubled []int) {
			for i, x := range lower {
				for half := range 2 {
					k.op(fmt.Sprint("VZIP", half+1), "x%d.%s, x%d.%[2]s, x%[4]d.%[2]s", masks[i], lanes, x, free)
					doubled = append(doubled, free)
					free++
				}
			}
			return doubled
		}
		for width := 1; width < k.width; width *= 2 {
			doubled := double(elements, lanes[width])
			if 2*width < k.width {
				masks = double(masks, lanes[width])
			}
			elements = doubled
		}
		for i := 0; i < len(elements); i += 2 {
			k.op("FSTPQ.P", "%s, 32(to)", pair("x", elements[i]))
		}
	}, pointer{"in", 0}, pointer{"to", log2(k.width)})
}

// nones counts the codes that say that there is no class.
func (k *kernel) nones() {
	k.prose = `A turn compares four vectors with 255s and counts the bytes of the codes that are equal. The count is
divided by the bytes of a code in the end. 64 bytes read cost 9 vector operations.`
	k.role("in R0", "left R1", "tmp R2")
	k.role("noneV V0", "set V1", "sums V2")
	k.bank("x", 4, 4)
	k.bank("m", 4, 8)
	k.arguments("codes in", "n left")
	k.op("VMOVI", "$255, noneV.B16")
	k.zero("sums")
	k.repeat("loop", "left", 64/k.width, func() {
		k.op("VLD1.P", "64(in), %s", list("x", 0))
		k.four("VCMEQ", "noneV.T, x%d.T, m%d.T")
		k.countM("set", "sums")
	})
	k.sum("sums")
	k.op("LSR", "$%d, tmp", log2(k.width))
	k.op("MOVD", "tmp, %s", k.arg("count"))
}
