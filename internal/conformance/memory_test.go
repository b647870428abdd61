package conformance

import "unsafe"

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}

func size[T any]() int {
	var t T
	return int(unsafe.Sizeof(t))
}

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size[T]())
}
