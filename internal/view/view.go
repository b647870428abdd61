// Package view treats slices as the bytes that they are made of.
package view

import "unsafe"

// Size returns the number of bytes of a T.
func Size[T any]() int { return int(unsafe.Sizeof(*new(T))) }

// Bytes returns the memory of a slice, which it does not copy.
func Bytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*Size[T]())
}
