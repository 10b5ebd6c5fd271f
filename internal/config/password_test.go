package config_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/config"
)

func TestSecretsAreNotPrinted(t *testing.T) {
	const secret = "s3cr%24t/pa:ss"
	for _, dsn := range []string{
		"sqlserver://sa:s3cr%2524t%2Fpa%3Ass@db1:1433?database=orders",
		"sqlserver://db1:1433?database=orders&user+id=sa&password=s3cr%2524t%2Fpa%3Ass",
		"SQLSERVER://db1:1433?database=orders&uid=sa&pwd=s3cr%2524t%2Fpa%3Ass",
		"Server=tcp:db1,1433;Initial Catalog=orders;User ID=sa;Password=s3cr%24t/pa:ss;",
		"odbc:server=db1;port=1433;uid=sa;pwd={s3cr%24t/pa:ss};database=orders",
	} {
		target, err := config.ParseDSN(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if !target.HasPassword() || target.NeedsPassword() {
			t.Errorf("password taken: %v, missing: %v", target.HasPassword(), target.NeedsPassword())
		}
		for _, shown := range []string{target.String(), fmt.Sprint(target), fmt.Sprintf("%+v %#v %q", target, target, target)} {
			if strings.Contains(shown, "s3cr") {
				t.Errorf("shown: %s", shown)
			}
		}
		if cfg, err := msdsn.Parse(target.Reveal()); err != nil || cfg.Password != secret || cfg.User != "sa" || cfg.Database != "orders" || cfg.Port != 1433 {
			t.Errorf("the driver is given %s", target.Reveal())
		}
	}
	for _, dsn := range []string{
		"sqlserver://sa:" + secret + "%zz@db1", "sqlserver://sa:" + secret + "@", "mysql://sa:" + secret + "@h",
		"server=db1;password=a;" + secret + ";database=orders", "server=db1;pwd=" + secret + ";port=" + secret,
		"sqlserver://sa:" + secret + "\x01@h", "sqlserver://h?password=" + secret + "%zz", secret,
	} {
		if _, err := config.ParseDSN(dsn); err == nil || strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%q: error is %v", dsn, err)
		}
	}
}

func TestPasswords(t *testing.T) {
	env := map[string]string{"LEASETOP_PASSWORD": "general", "ORDERS_PW": "own"}
	file := filepath.Join(t.TempDir(), "pw")
	if err := os.WriteFile(file, []byte("filed\r\nrest"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	asked := func(_ context.Context, prompt string) (string, error) { return prompt, nil }
	target, err := config.ParseDSN("sqlserver://watcher@db1")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		server config.Server
		env    map[string]string
		ask    func(context.Context, string) (string, error)
		want   string
	}{
		{config.Server{}, env, asked, "general"},
		{config.Server{PasswordEnv: "ORDERS_PW"}, env, asked, "own"},
		{config.Server{PasswordFile: file}, env, asked, "filed"},
		{config.Server{PasswordFile: empty}, env, asked, "server s: password_file: the first line of " + empty + " is empty"},
		{config.Server{PasswordCommand: []string{os.Args[0], "-test.list", "NothingIsCalledThis"}}, env, asked, "server s: password_command: " + os.Args[0] + " printed no password in its first line"},
		{config.Server{PasswordEnv: "UNSET"}, env, asked, "server s: password_env: UNSET is not set"},
		{config.Server{}, nil, asked, "password of watcher on db1: "},
		{config.Server{}, nil, nil, "server s: it names a login and no password; give that in LEASETOP_PASSWORD, or answer the question at a terminal, or write password_env, password_file or password_command at the server"},
	}
	for _, tt := range tests {
		tt.server.Name, tt.server.Target = "s", target
		got, err := tt.server.Unlock(context.Background(), func(k string) string { return tt.env[k] }, tt.ask)
		cfg, _ := msdsn.Parse(got.Reveal())
		text := cfg.Password
		if err != nil {
			text = err.Error()
		}
		if tt.want != "" && text != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.server, text, tt.want)
		}
	}
}

// TestWhatAPasswordCommandLeavesRunning holds that nobody waits for an agent that the
// command started and that keeps its output open.
func TestWhatAPasswordCommandLeavesRunning(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell:", err)
	}
	target, err := config.ParseDSN("sqlserver://watcher@db1")
	if err != nil {
		t.Fatal(err)
	}
	const agent = 90 * time.Second
	s := config.Server{Name: "s", Target: target, PasswordCommand: []string{sh, "-c", fmt.Sprintf("sleep %d & echo own", int(agent.Seconds()))}}
	began := time.Now()
	got, err := s.Unlock(t.Context(), os.Getenv, nil)
	cfg, _ := msdsn.Parse(got.Reveal())
	if took := time.Since(began); err != nil || cfg.Password != "own" || took >= agent {
		t.Errorf("%q, %v, after %s", cfg.Password, err, took)
	}
}
