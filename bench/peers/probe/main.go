// Probe prints how each peer of this machine does the small works on which
// implementations of OneHot disagree: a line for each peer and work, with the
// operator's specification that decides what is right.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-onehot/onehot/bench/peers"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) (err error) {
	present := peers.Installed()
	defer func() { err = errors.Join(err, present.Close()) }()
	for _, p := range present.Peers {
		outcomes, err := peers.Probe(p)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if _, err := fmt.Fprintf(w, "# probe\t%s\t%s\t%s\t%s\n", o.Peer, o.Text, o.Probe, o.Result); err != nil {
				return err
			}
		}
	}
	return nil
}
