package plan

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// structural has the numbers of 16 and more that the root package may compare
// with. A format, a type or the available memory fixes what they mean, so that
// no measurement would choose another number. Constants are listed by their
// names, other numbers by the function that has them.
var structural = map[string]string{
	"hitChunk":   "the bits that a load of a word is sure to hold, from any bit on",
	"maxSymbols": "the bytes there are",

	"check":         "a width of 16 bytes",
	"repeated":      "a width of 16 bytes",
	"rowTable":      "the bytes of a register",
	"missTable":     "the bytes of a register",
	"unitsOf":       "a width of 16 bytes",
	"classes":       "the classes that a byte can name",
	"fillShortRuns": "the units of its stores",
	"fillAt":        "the units of its stores",
	"recodeTable":   "the classes that a byte can name",
	"limitOf":       "the classes that 32 bits can name",
	"mayMove":       "the classes that 32 bits can name",

	"cellsGeneric":    "the bits of a word",
	"marksGeneric":    "the bits of a word",
	"setMarksGeneric": "the bits of a word",
	"nullGeneric":     "the bits of a word",
}

// TestThresholdsStandHere finds numbers of 16 and more in comparisons, and
// among the arguments of min and max, in the files of the root package. It does
// not see a number that is computed, or that another package declares.
func TestThresholdsStandHere(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, file := range files {
		if name := filepath.Base(file); strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zkernels_") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, 0)
		require.NoError(t, err)
		parsed = append(parsed, f)
	}
	require.Greater(t, len(parsed), 10)
	large := largeConstants(parsed)
	seen := map[string]bool{}
	for _, f := range parsed {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for _, name := range compared(fn, large) {
				seen[name] = true
				assert.Contains(t, structural, name, "%s: a threshold belongs to this package", fset.Position(fn.Pos()))
			}
		}
	}
	for name := range structural {
		assert.Contains(t, seen, name, "nothing compares with it")
	}
}

// largeConstants reports which of the constants that files declare are 16 or
// more.
func largeConstants(files []*ast.File) map[string]bool {
	large := map[string]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, s := range d.Specs {
					spec := s.(*ast.ValueSpec)
					for k, value := range spec.Values {
						large[spec.Names[k].Name] = isLarge(value)
					}
				}
			}
			return true
		})
	}
	return large
}

// isLarge reports whether an expression has a value that is known without its
// package and is 16 or more.
func isLarge(e ast.Expr) bool {
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(e))
	return err == nil && v.Value != nil && v.Value.Kind() == constant.Int && constant.Compare(v.Value, token.GEQ, constant.MakeInt64(16))
}

// compared returns the large numbers that a function compares with: the names
// of constants, and for a literal the name of the function.
func compared(fn *ast.FuncDecl, large map[string]bool) (names []string) {
	within := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.INT && isLarge(n) {
					names = append(names, fn.Name.Name)
				}
			case *ast.BinaryExpr:
				if isLarge(n) { // 1<<8
					names = append(names, fn.Name.Name)
					return false
				}
			case *ast.SelectorExpr: // of another package, or a field
				return false
			case *ast.Ident:
				if large[n.Name] {
					names = append(names, n.Name)
				}
			}
			return true
		})
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				within(n.X)
				within(n.Y)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "min" || id.Name == "max") {
				for _, arg := range n.Args {
					within(arg)
				}
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				within(e)
			}
		}
		return true
	})
	return names
}
