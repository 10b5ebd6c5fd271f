package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/config"
)

// TestPlainTerminal holds what the environment is taken to say of the glyphs, and
// that anybody's word goes over it.
func TestPlainTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		file string
		from string
		want bool
	}{
		{want: false, from: "default"},
		{env: map[string]string{"LANG": "C"}, want: true, from: "LANG=C"},
		{env: map[string]string{"LANG": "POSIX"}, want: true, from: "LANG=POSIX"},
		{env: map[string]string{"LANG": "C.UTF-8"}, from: "default"},
		{env: map[string]string{"LANG": "de_DE.utf8@euro"}, from: "default"},
		{env: map[string]string{"LANG": "de_DE"}, from: "default"},
		{env: map[string]string{"LANG": "de_DE.ISO-8859-15@euro"}, want: true, from: "LANG=de_DE.ISO-8859-15@euro"},
		{env: map[string]string{"LANG": "C", "LC_ALL": "en_GB.UTF-8"}, from: "default"},
		{env: map[string]string{"LANG": "en_GB.UTF-8", "LC_CTYPE": "C"}, want: true, from: "LC_CTYPE=C"},
		{env: map[string]string{"LANG": "en_GB.UTF-8", "TERM": "linux"}, want: true, from: "TERM=linux"},
		{env: map[string]string{"TERM": "xterm-256color"}, from: "default"},
		{env: map[string]string{"LANG": "C"}, file: "ascii: false\n", from: "FILE:1"},
		{env: map[string]string{"LANG": "C"}, file: "theme: dark\n", want: true, from: "LANG=C"},
		{env: map[string]string{"LANG": "C", config.EnvASCII: "false"}, from: config.EnvASCII},
		{env: map[string]string{config.EnvASCII: "true"}, want: true, from: config.EnvASCII},
	} {
		src := config.Sources{Env: func(name string) string { return c.env[name] }, Builtin: builtin(t)}
		if c.file != "" {
			src.Flags.Config = filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(src.Flags.Config, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			c.from = strings.Replace(c.from, "FILE", src.Flags.Config, 1)
		}
		got, err := config.Load(src)
		if err != nil {
			t.Fatal(err)
		}
		if from := got.Origins.Of("ascii"); got.ASCII != c.want || from != c.from {
			t.Errorf("%v, file %q: ascii is %v by %s, want %v by %s", c.env, c.file, got.ASCII, from, c.want, c.from)
		}
	}
}
