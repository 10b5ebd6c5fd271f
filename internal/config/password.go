package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// commandPatience is how long a password command may take.
const commandPatience = 30 * time.Second

// Unlock is the server's target with its password, looked for only now because a
// command may ask the user. Where none is found and the login needs one, ask asks
// for it; nil: nobody is there to be asked. Errors say where it was looked for and
// never what was found.
func (s Server) Unlock(ctx context.Context, env func(string) string, ask func(ctx context.Context, prompt string) (string, error)) (Target, error) {
	if s.Target.Engine != EngineSQLServer || s.Target.HasPassword() {
		return s.Target, nil
	}
	p, err := s.secret(ctx, env)
	if err != nil {
		return Target{}, fmt.Errorf("server %s: %w", s.Name, err)
	}
	if p == "" && s.Target.NeedsPassword() && ask != nil {
		if p, err = ask(ctx, fmt.Sprintf("password of %s on %s: ", s.Target.User(), s.Target)); err != nil {
			return Target{}, fmt.Errorf("server %s: the password was asked for: %w", s.Name, err)
		}
	}
	if p == "" && s.Target.NeedsPassword() {
		return Target{}, fmt.Errorf("server %s: it names a login and no password; give that in %s, or answer the question at a terminal, or write password_env, password_file or password_command at the server", s.Name, EnvPassword)
	}
	return s.Target.WithPassword(p), nil
}

func (s Server) secret(ctx context.Context, env func(string) string) (string, error) {
	switch {
	case s.PasswordEnv != "":
		p := env(s.PasswordEnv)
		if p == "" {
			return "", fmt.Errorf("password_env: %s is not set", s.PasswordEnv)
		}
		return p, nil
	case s.PasswordFile != "":
		data, err := readUntil(ctx, s.PasswordFile)
		if err != nil {
			return "", fmt.Errorf("password_file: %w", err)
		}
		if p := firstLine(data); p != "" {
			return p, nil
		}
		return "", fmt.Errorf("password_file: the first line of %s is empty", s.PasswordFile)
	case len(s.PasswordCommand) > 0:
		ctx, cancel := context.WithTimeout(ctx, commandPatience)
		defer cancel()
		cmd := exec.CommandContext(ctx, s.PasswordCommand[0], s.PasswordCommand[1:]...) //nolint:gosec // the user's own command
		cmd.WaitDelay = time.Second                                                     // what it leaves running may keep its output open
		out, err := cmd.Output()
		if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			return "", fmt.Errorf("password_command: %s: %w", s.PasswordCommand[0], err)
		}
		if p := firstLine(out); p != "" {
			return p, nil
		}
		return "", fmt.Errorf("password_command: %s printed no password in its first line", s.PasswordCommand[0])
	}
	return env(EnvPassword), nil
}

// readUntil reads a small file as long as ctx lasts: a pipe may have no writer.
func readUntil(ctx context.Context, path string) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	ended := make(chan result, 1)
	go func() {
		data, err := readBounded(path)
		ended <- result{data, err}
	}()
	select {
	case got := <-ended:
		return got.data, got.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: nothing came", path)
	}
}

func firstLine(data []byte) string {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimSuffix(string(line), "\r")
}
