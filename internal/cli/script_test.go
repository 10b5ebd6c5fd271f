package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // the tables of scripts are made by hand
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"leasetop": func() { os.Exit(Run(context.Background(), Process(), os.Args[1:])) },
	})
}

// noNap keeps a process of a raced run from sleeping for a second at its end.
const noNap = "atexit_sleep_ms=0"

// The scripts run the program as processes of its own, with nothing configured
// but what a script writes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			for _, kind := range []string{"CONFIG", "STATE", "DATA", "CACHE"} {
				e.Setenv("XDG_"+kind+"_HOME", filepath.Join(e.WorkDir, strings.ToLower(kind)))
			}
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GORACE", noNap)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"sqlite": runSQLite,
			"json":   checkJSON,
			"repeat": writeRepeated,
			"ends":   endsWith,
			"expand": expand,
		},
	})
}

// expand is `expand FILE NEW`: copies a file with the folder of the script in the
// place of @WORK@.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FILE NEW")
	}
	work, err := json.Marshal(ts.MkAbs(".") + string(filepath.Separator))
	ts.Check(err)
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "@WORK@", strings.Trim(string(work), `"`))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// runSQLite is `sqlite FILE SQLFILE`: runs a script in a database and prints what
// its last statement selects, a row a line.
func runSQLite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sqlite FILE SQLFILE")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	rows, err := db.Query(ts.ReadFile(args[1]))
	ts.Check(err)
	defer rows.Close()
	var out strings.Builder
	cols, err := rows.Columns()
	ts.Check(err)
	for rows.Next() {
		cells, ptrs := make([]sql.NullString, len(cols)), make([]any, len(cols))
		for i := range cells {
			ptrs[i] = &cells[i]
		}
		ts.Check(rows.Scan(ptrs...))
		for i, c := range cells {
			if i > 0 {
				out.WriteByte('|')
			}
			out.WriteString(c.String)
		}
		out.WriteByte('\n')
	}
	ts.Check(rows.Err())
	_, err = ts.Stdout().Write([]byte(out.String()))
	ts.Check(err)
}

// endsWith is `ends CODE COMMAND…`: runs a command that must end with a code.
func endsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var e *exec.ExitError
	if errors.As(err, &e) {
		code = e.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("it ends with %d, want %s", code, want)
	}
}

// checkJSON is `json FILE PATH WANT`: compares one value of a JSON file, named by
// keys and indexes with dots between.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	for step := range strings.SplitSeq(args[1], ".") {
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = x[step]; !ok {
				ts.Fatalf("%s: there is no %q", args[1], step)
			}
		case []any:
			var i int
			ts.Check(json.Unmarshal([]byte(step), &i))
			if i >= len(x) {
				ts.Fatalf("%s: it has %d elements", args[1], len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("%s: %q is within %v", args[1], step, v)
		}
	}
	text, err := json.Marshal(v)
	ts.Check(err)
	got := strings.Trim(string(text), `"`)
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %s, want %s", args[1], got, args[2])
	}
}

// writeRepeated is `repeat FILE TEXT N`: a file of a text, N times over, as one line.
func writeRepeated(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE TEXT N")
	}
	var n int
	ts.Check(json.Unmarshal([]byte(args[2]), &n))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[1], n)+"\n"), 0o600))
}
