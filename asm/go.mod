module github.com/go-onehot/onehot/asm

go 1.24.0

require (
	github.com/mmcloughlin/avo v0.6.0
	golang.org/x/arch v0.6.0
)

require (
	golang.org/x/mod v0.31.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/tools v0.40.0 // indirect
)
