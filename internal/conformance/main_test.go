package conformance

import (
	"os"
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
)

func TestMain(m *testing.M) { os.Exit(pathtest.Main(m)) }
