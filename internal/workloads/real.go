package workloads

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-onehot/onehot"
)

// This file has two workloads on real input, from the Go tree.

// crepeSymbols are the symbols of the character-level convolutional networks.
// Spaces and all other bytes have no class. The published list has 70 places
// and names '-' twice, so that one of the 70 planes stays empty.
const crepeSymbols = "abcdefghijklmnopqrstuvwxyz0123456789-,;.!?:'\"/\\|_@#$%^&*~`+=<>()[]{}\n"

// opticks encodes a book. The alphabet folds upper case to lower case.
func opticks() Workload {
	const length = 567198
	return Workload{"real/opticks", "EncodeText", length * 70, func() (*Job, error) {
		book, err := goTreeFile("src", "testdata", "Isaac.Newton-Opticks.txt")
		if err != nil {
			return nil, err
		}
		alias := map[string]string{"ABCDEFGHIJKLMNOPQRSTUVWXYZ": "abcdefghijklmnopqrstuvwxyz"}
		return textJob(string(book), crepeSymbols, alias, 70, onehot.Spec[uint8]{Depth: 70, On: 1})
	}}
}

// videoGIF makes one plane per palette entry of a paletted image.
func videoGIF() Workload {
	const length = 150 * 103
	return Workload{"real/video-001.gif", "Encode", length * 256 * 4, func() (*Job, error) {
		data, err := goTreeFile("src", "image", "testdata", "video-001.gif")
		if err != nil {
			return nil, err
		}
		m, err := gif.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		p, ok := m.(*image.Paletted)
		if !ok {
			return nil, fmt.Errorf("video-001.gif decodes to %T", m)
		}
		s := onehot.Spec[float32]{Depth: len(p.Palette), On: 1, Inner: len(p.Pix)}
		return encode("", len(p.Pix), s, func(_ *rand.Rand, dst []uint8) { copy(dst, p.Pix) }).Build()
	}}
}

var goRoot = sync.OnceValues(func() (string, error) {
	if root := os.Getenv("GOROOT"); root != "" {
		return root, nil
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(root)), err
})

func goTreeFile(elem ...string) ([]byte, error) {
	root, err := goRoot()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoInput, err)
	}
	data, err := os.ReadFile(filepath.Join(append([]string{root}, elem...)...))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoInput, err)
	}
	return data, nil
}
