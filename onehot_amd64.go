//go:build !purego

package onehot

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// This file makes the tables of the kernels of rows and rowsMiss on amd64,
// which say to which row and column of a block each cell belongs. rowTable and
// missTable return a table. It is made when it is first asked for, in static
// memory, to which the system gives no pages before then.
// Other kernels have no tables.
var (
	rowTables  [5][maxDepth + 1]atomic.Bool // whether a table is made: for AVX2, by width and depth
	unitTables [4][maxDepth + 1]atomic.Bool // for AVX-512, by order and units of a row
	rowMemory  [5][rowTablesBytes]byte
	unitMemory [4][unitTablesBytes]byte
	making     sync.Mutex
)

const (
	maxDepth = plan.MaxDepth // the most cells, or units, of a row

	// The bytes of the tables of a width or an order, and of the gap before the
	// first cache line. For AVX2 the tables of 2-byte cells take most: see
	// byteTable. Rows of wider cells are less deep, since none has more than
	// plan.MaxRow bytes.
	unitTablesBytes = (maxDepth+1)*(maxDepth+2)/2*64 + lineBytes
	rowTablesBytes  = 32*(maxDepth+1)*(maxDepth+6) + lineBytes
)

// rowTable returns the table for rows of depth cells and vectors of that many
// bytes. If the AVX-512 table is there already, it calls nothing.
func rowTable(vector, width, depth int) unsafe.Pointer {
	if vector != 64 {
		return byteTable(width, depth)
	}
	units := unitsOf(width, depth)
	if unitTables[0][units].Load() {
		return unitRoom(0, units)
	}
	return unitTable(0, units)
}

// missTable is rowTable for the kernels of rowsMiss.
func missTable(vector, width, depth int) unsafe.Pointer {
	if vector != 64 {
		return byteTable(width, depth)
	}
	return unitTable(min(bits.TrailingZeros(uint(width)), 3), unitsOf(width, depth))
}

// unitsOf returns the units of a row: cells, or halves of cells of 16 bytes.
func unitsOf(width, depth int) int {
	if width == 16 {
		return 2 * depth
	}
	return depth
}

// byteTable returns the table for AVX2.
func byteTable(width, depth int) unsafe.Pointer {
	// A depth has a head of 128 bytes, and width*depth/2 entries of 64, rounded up:
	// 192 bytes at most besides 32*width*depth.
	log := bits.TrailingZeros(uint(width)) // the place of the width among 1, 2, 4, 8 and 16
	table := unsafe.Add(lineIn(unsafe.Pointer(&rowMemory[log])), 32*width*depth*(depth-1)/2+192*depth)
	if made := &rowTables[log][depth]; !made.Load() {
		makeTable(made, func() { fillRowTable(table, width, depth) })
	}
	return table
}

// fillRowTable makes a table for AVX2. Its head says for each of 32 bytes which
// byte of a cell it is, how many bytes a block of 16 rows has, and the row and
// the column of each of its last 32 bytes. Then follow, for each 32 bytes of
// the block, the row of every byte and its column.
func fillRowTable(table unsafe.Pointer, width, depth int) {
	const lastEntry, head, register = 64, 128, 32
	for b := range register {
		*(*byte)(unsafe.Add(table, b)) = byte(b % width)
	}
	size := 16 * depth * width
	*(*int)(unsafe.Add(table, register)) = size
	set := func(at, b int) {
		cell := b / width
		*(*byte)(unsafe.Add(table, at)) = byte(cell / depth)
		*(*byte)(unsafe.Add(table, at+register)) = byte(cell % depth)
	}
	for b := range register {
		set(lastEntry+b, size-register+b)
	}
	for b := range size {
		set(head+b/register*64+b%register, b)
	}
}

// unitTable returns a table for AVX-512: row*units, modulo 256, for each of the
// 64 rows of a block, and then the row of each unit. In order 0 units come one
// after the other; in order k the units of 1<<k vectors take turns.
func unitTable(order, units int) unsafe.Pointer {
	table, made := unitRoom(order, units), &unitTables[order][units]
	if made.Load() {
		return table
	}
	makeTable(made, func() {
		for r := range 64 {
			*(*byte)(unsafe.Add(table, r)) = byte(r * units)
		}
		for i := range 64 * units {
			vector, lane := i%(1<<order), i%64>>order
			unit := i&^63 + vector*(64>>order) + lane
			*(*byte)(unsafe.Add(table, 64+i)) = byte(unit / units)
		}
	})
	return table
}

// unitRoom returns the place of the table for rows of that many units.
func unitRoom(order, units int) unsafe.Pointer {
	return unsafe.Add(lineIn(unsafe.Pointer(&unitMemory[order])), units*(units+1)/2*64)
}

// makeTable calls fill and sets made, unless made is set already.
func makeTable(made *atomic.Bool, fill func()) {
	making.Lock()
	defer making.Unlock()
	if !made.Load() {
		fill()
		made.Store(true)
	}
}
