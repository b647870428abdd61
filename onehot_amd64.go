//go:build !purego

package onehot

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// The kernels of rows share a table for each depth, which says to which row of a
// block each cell belongs. It is made when it is first asked for, in memory that
// the process has from the start and that no system backs before then.
var (
	rowTables = [2]struct{ ready [maxUnits + 1]atomic.Bool }{}
	rowMemory [2 * tablesBytes]byte
	making    sync.Mutex
)

// maxUnits is the most that a row of those kernels has of what they blend: cells,
// or halves of cells of 16 bytes.
const maxUnits = 128

// tablesBytes is the room for the tables of a tier, and to start them at a cache
// line.
const tablesBytes = (maxUnits+1)*(maxUnits+2)/2*64 + lineBytes

// rowTable returns the table of rows of depth cells for vectors of that many
// bytes.
func rowTable(lanes, width, depth int) unsafe.Pointer {
	units, tier := depth, lanes/64
	if width == 16 {
		units *= 2
	}
	memory := unsafe.Pointer(&rowMemory[tier*tablesBytes])
	table := unsafe.Add(memory, int(-uintptr(memory)%lineBytes)+units*(units+1)/2*lanes)
	if ready := &rowTables[tier].ready[units]; !ready.Load() {
		makeRowTable(table, ready, lanes, units)
	}
	return table
}

// makeRowTable makes a table: row*units of each of the lanes rows of a block,
// modulo 256, and then the row of each unit. With AVX2, whose permutes know 16
// bytes, those are modulo 16.
func makeRowTable(table unsafe.Pointer, ready *atomic.Bool, lanes, units int) {
	making.Lock()
	defer making.Unlock()
	if ready.Load() {
		return
	}
	base, rows := bytesAt(table, lanes), bytesAt(unsafe.Add(table, lanes), units*lanes)
	for r := range base {
		base[r] = byte(r * units)
	}
	for e := range rows {
		if rows[e] = byte(e / units); lanes == 32 {
			rows[e] %= 16
		}
	}
	ready.Store(true)
}
