package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadingIsBounded holds that a file without an end is told of, whether it is
// the configuration or holds a password.
func TestReadingIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil { // a hole: it takes no place
		t.Skip("the file system has no sparse files:", err)
	}
	if _, err := Read(path, nil); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("the configuration: %v", err)
	}
	s := Server{PasswordFile: path}
	if _, err := s.secret(context.Background(), os.Getenv); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("the password: %v", err)
	}
}
