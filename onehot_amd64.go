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
// missTable return a table, which is made when it is first asked for. Other
// kernels have no tables.
var (
	byteTables [5][maxDepth + 1]atomic.Pointer[byte] // for AVX2, by width and depth
	unitTables [4][maxDepth + 1]atomic.Pointer[byte] // for AVX-512, by order and units of a row
	making     sync.Mutex                            // held while a table is made

	// tableMemory has room for all tables of a path, so that no call allocates.
	// Only a process that changes paths, as tests do, may need more. The system
	// gives it no pages before they are used.
	tableMemory [6 << 20]byte
	tablesEnd   int // the bytes of tables, from the first cache line of tableMemory on
)

// The kernels of AVX-512 read values.ahead 48 bytes after the start of values.
var _ [48]byte = [unsafe.Offsetof(values{}.ahead)]byte{}

const maxDepth = plan.MaxDepth // the most cells, or units, of a row

// rowTable returns the table for rows of depth cells and vectors of that many
// bytes. If the AVX-512 table is there already, it calls nothing.
func rowTable(vector, width, depth int) unsafe.Pointer {
	if vector != 64 {
		return byteTable(width, depth)
	}
	units := unitsOf(width, depth)
	if table := unitTables[0][units].Load(); table != nil {
		return unsafe.Pointer(table)
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
	made := &byteTables[bits.TrailingZeros(uint(width))][depth]
	if table := made.Load(); table != nil {
		return unsafe.Pointer(table)
	}
	return makeTable(made, headBytes+(width*depth+1)/2*entryBytes, fillByteTable, width, depth)
}

// The bytes of the head of a table for AVX2, and of an entry for 32 bytes of
// the block, which has 16 rows.
const headBytes, entryBytes = 128, 64

// fillByteTable makes a table for AVX2. Its head says for each of 32 bytes
// which byte of a cell it is, how many bytes a block of 16 rows has, and the
// row and the column of each of its last 32 bytes. Then follow, for each 32
// bytes of the block, the row of every byte and its column.
func fillByteTable(table unsafe.Pointer, width, depth int) {
	const lastEntry, register = 64, 32
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
		set(headBytes+b/register*entryBytes+b%register, b)
	}
}

// unitTable returns a table for AVX-512.
func unitTable(order, units int) unsafe.Pointer {
	made := &unitTables[order][units]
	if table := made.Load(); table != nil {
		return unsafe.Pointer(table)
	}
	return makeTable(made, 64+64*units, fillUnitTable, order, units)
}

// fillUnitTable makes a table for AVX-512: row*units, modulo 256, for each of
// the 64 rows of a block, and then the row of each unit. In order 0 units come
// one after the other; in order k the units of 1<<k vectors take turns.
func fillUnitTable(table unsafe.Pointer, order, units int) {
	for r := range 64 {
		*(*byte)(unsafe.Add(table, r)) = byte(r * units)
	}
	for i := range 64 * units {
		vector, lane := i%(1<<order), i%64>>order
		unit := i&^63 + vector*(64>>order) + lane
		*(*byte)(unsafe.Add(table, 64+i)) = byte(unit / units)
	}
}

// makeTable returns the table that made points to. Unless another goroutine has
// made it meanwhile, it calls fill, with x and y, for memory of that size, a
// multiple of lineBytes.
func makeTable(made *atomic.Pointer[byte], size int, fill func(table unsafe.Pointer, x, y int), x, y int) unsafe.Pointer {
	making.Lock()
	defer making.Unlock()
	if table := made.Load(); table != nil {
		return unsafe.Pointer(table)
	}
	first := lineIn(unsafe.Pointer(&tableMemory))
	table := unsafe.Add(first, tablesEnd)
	if tablesEnd+size > len(tableMemory)-lineBytes {
		table = lineIn(unsafe.Pointer(&make([]byte, size+lineBytes)[0]))
	} else {
		tablesEnd += size
	}
	fill(table, x, y)
	made.Store((*byte)(table))
	return table
}
