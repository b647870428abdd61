module github.com/go-onehot/onehot/bench

go 1.24
