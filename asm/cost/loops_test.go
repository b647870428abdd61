package main

import (
	"slices"
	"testing"
)

const listing = `
cost.test:	file format elf64-x86-64

0000000000000f00 <github.com/go-onehot/onehot.Encode>:
     f00:      	vmovdqu	%ymm0, (%rdi)
     f04:      	jne	0xf00 <github.com/go-onehot/onehot.Encode>

0000000000001000 <github.com/go-onehot/onehot.rowsAVX2.abi0>:
    1000:      	movq	0x8(%rsp), %rax
    1005:      	vpcmpeqb	(%rsi), %ymm1, %ymm2    # a comparison
    100a:      	vmovdqu	%ymm2, (%rdi)
    100e:      	vmovdqu	%ymm2, 0x20(%rdi)
    1013:      	jne	0x100a <github.com/go-onehot/onehot.rowsAVX2.abi0+0xa>
    1015:      	decq	%rdx
    1018:      	jne	0x1005 <github.com/go-onehot/onehot.rowsAVX2.abi0+0x5>
    101a:      	vmovdqu	%ymm2, (%rdi)
    101e:      	jmp	0x1015 <github.com/go-onehot/onehot.rowsAVX2.abi0+0x15>
    1020:      	retq

0000000000001040 <github.com/go-onehot/onehot.marksAVX2.abi0>:
    1040:      	jmp	0x1060 <github.com/go-onehot/onehot.markAllAVX2>

0000000000001060 <github.com/go-onehot/onehot.markAllAVX2>:
    1060:      	vpmovmskb	%ymm0, %eax
    1064:      	vmovdqu	0x20(%rsi), %ymm0
    1069:      	jb	0x1060 <github.com/go-onehot/onehot.markAllAVX2>

0000000000001080 <github.com/go-onehot/onehot.fillNEON.abi0>:
    1080:      	stp	q0, q1, [x0], #0x20
    1084:      	stp	q0, q1, [x0], #0x20
    1088:      	cbnz	x1, 0x1084 <github.com/go-onehot/onehot.fillNEON.abi0+0x4>
    108c:      	b.hi	0x1080 <github.com/go-onehot/onehot.fillNEON.abi0>
    1090:      	ret
`

// A kernel is named and has its loops. A jump back that is always taken closes
// none, and functions that are no kernels do not count.
func TestParse(t *testing.T) {
	kernels := parse(listing)
	want := []struct {
		name, tier, goesOn string
		shared             bool
		spans              []span
	}{
		{"rowsAVX2", "AVX2", "", false, []span{{2, 4}, {1, 6}}},
		{"marksAVX2", "AVX2", "markAllAVX2", false, nil},
		{"markAllAVX2", "AVX2", "", true, []span{{0, 2}}},
		{"fillNEON", "NEON", "", false, []span{{1, 2}, {0, 3}}},
	}
	if len(kernels) != len(want) {
		t.Fatalf("%d kernels, want %d", len(kernels), len(want))
	}
	for i, w := range want {
		k := kernels[i]
		if k.name != w.name || k.tier != w.tier || k.goesOn != w.goesOn || k.shared != w.shared || !slices.Equal(k.spans, w.spans) {
			t.Errorf("%+v, want %+v", k, w)
		}
	}
}

// The main loop is the innermost one that stores; what is around it comes
// without it. A loop that stores nothing is the main one if it loads.
func TestMainLoops(t *testing.T) {
	kernels := parse(listing)
	rows := kernels[0].mainLoops()
	if len(rows) != 1 {
		t.Fatalf("%d main loops", len(rows))
	}
	const inner, around = "vmovdqu\t%ymm2, (%rdi)\nvmovdqu\t%ymm2, 0x20(%rdi)\njne\t0\n", "vpcmpeqb\t(%rsi), %ymm1, %ymm2\ndecq\t%rdx\njne\t0\n"
	if l := rows[0]; l.text != inner || l.around != around || l.stored != 64 || l.loaded != 0 {
		t.Errorf("%+v", l)
	}
	if all := kernels[1].mainLoops(); len(all) != 0 {
		t.Errorf("a jump alone has the loops %+v", all)
	}
	if all := kernels[2].mainLoops(); len(all) != 1 || all[0].stored != 0 || all[0].loaded != 32 {
		t.Errorf("%+v", all)
	}
}

func TestStoredAndLoaded(t *testing.T) {
	for inst, want := range map[string][2]int{
		"vmovdqu\t%ymm2, (%rdi)":                        {32, 0},
		"vmovntdq\t%ymm2, 0x20(%rdi,%rcx)":              {32, 0},
		"vmovdqu8\t%zmm1, -0x40(%rdi) {%k1}":            {64, 0},
		"vpmovdb\t%zmm1, (%rdi)":                        {16, 0},
		"vmovdqu\t(%rsi), %xmm0":                        {0, 16},
		"vpcmpeqb\t0x20(%rsi), %ymm0, %ymm1":            {0, 32},
		"vpermb\t(%rdx,%rcx), %zmm0, %zmm1":             {0, 64},
		"vpbroadcastb\t(%rsi), %zmm0":                   {0, 0},
		"vpaddb\t%ymm0, %ymm1, %ymm2":                   {0, 0},
		"movq\t%rax, (%rdi)":                            {0, 0},
		"stp\tq0, q1, [x0], #0x20":                      {32, 0},
		"str\tq0, [x0]":                                 {16, 0},
		"st1\t{ v0.16b, v1.16b, v2.16b, v3.16b }, [x0]": {64, 0},
		"ldp\tq0, q1, [x1]":                             {0, 32},
		"ld2\t{ v0.16b, v1.16b }, [x1], #0x20":          {0, 32},
		"ldr\tx0, [x1]":                                 {0, 0},
		"stp\tx0, x1, [sp, #0x8]":                       {0, 0},
	} {
		if got := [2]int{stored(inst), loaded(inst)}; got != want {
			t.Errorf("%s stores and loads %v bytes, want %v", inst, got, want)
		}
	}
}
