module github.com/go-onehot/onehot/bench

go 1.24.0

require github.com/go-onehot/onehot v0.0.0

require golang.org/x/sys v0.41.0 // indirect

replace github.com/go-onehot/onehot => ../
