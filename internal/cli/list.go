package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The bounds of a list: how many bytes a line may have, and how many mistakes are
// told before the rest is only counted.
const (
	longestLine = 1 << 20
	mostTold    = 20
)

// readList reads the jobs that a bulk act is about: a line a job, KEY and TOKEN with
// blanks between, or a JSON object with "key" and "token" as snapshot --json has
// them. Blank lines and those that begin with # are skipped. Nothing is taken from
// a list with a mistake in it; each is told with its line.
func (a *app) readList(ctx context.Context, path string, m *model.Mapping) (rows []actions.Row, err error) {
	in, name := a.In, "standard input"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, usage("--from: %w", err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		in, name = f, path
	}
	l := listing{name: name, mapping: m, lines: map[model.Key]int{}}
	switch err := l.read(reading{ctx, in}); {
	case errors.Is(err, errStopped):
		return nil, fmt.Errorf("--from: %s: %w; nothing was sent", name, err)
	case err != nil:
		return nil, usage("--from: %s: %w", name, err)
	}
	if len(l.wrong) > 0 {
		return nil, &exit{exitUsage, errors.Join(l.wrong...)}
	}
	if len(l.rows) == 0 {
		return nil, usage("--from: %s names no job", name)
	}
	return l.rows, nil
}

// listing is a list being read.
type listing struct {
	name    string
	mapping *model.Mapping
	rows    []actions.Row
	lines   map[model.Key]int // where each job was named first
	wrong   []error
	more    int // mistakes that are not told one by one
}

func (l *listing) read(in io.Reader) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, longestLine)
	n := 0
	for s.Scan() {
		n++
		text := strings.TrimSpace(strings.TrimPrefix(s.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		first := len(l.rows)+len(l.wrong) == 0
		if first && strings.ContainsRune(text, 0) { // as Windows PowerShell writes what is sent to a file
			return errors.New("it is UTF-16 or no text, and UTF-8 is wanted")
		}
		if first && (text == "{" || text == "[" || strings.HasPrefix(text, "[{")) {
			return errors.New("it is one JSON document, and a job a line is wanted; " +
				"of what snapshot --json prints, jq -c '.queues[].leases[]' makes them")
		}
		if err := l.line(text, n); err != nil {
			l.fault(n, err)
		}
	}
	if l.more > 0 {
		l.wrong = append(l.wrong, fmt.Errorf("%s: %d more mistakes", l.name, l.more))
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: a line may have %d MB", n+1, longestLine>>20)
	} else if err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

func (l *listing) fault(n int, err error) {
	if len(l.wrong) >= mostTold {
		l.more++
		return
	}
	l.wrong = append(l.wrong, fmt.Errorf("%s:%d: %w", l.name, n, err))
}

func (l *listing) line(s string, n int) error {
	key, token, err := fieldsOf(s)
	if err != nil {
		return err
	}
	k, err := model.ParseKey(l.mapping.Keys, key)
	if err != nil {
		return err
	}
	t, err := model.ParseToken(l.mapping.Tokens(), token)
	if err != nil {
		return err
	}
	if first, twice := l.lines[k]; twice {
		return fmt.Errorf("job %s was named in line %d already", text.Brief(key), first)
	}
	l.lines[k] = n
	l.rows = append(l.rows, actions.Row{Key: k, Token: t})
	return nil
}

// fieldsOf splits a line into key and token. A key may hold blanks, a token does
// where a tab stands before it.
func fieldsOf(s string) (key, token string, err error) {
	if s[0] == '{' {
		return jsonFields(s)
	}
	at := strings.IndexByte(s, '\t')
	if at < 0 {
		at = strings.LastIndexByte(s, ' ')
	}
	if at < 0 {
		return "", "", fmt.Errorf("%q has no token: write KEY TOKEN, with none for a job that carries none", text.Brief(s))
	}
	return strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+1:]), nil
}

func jsonFields(text string) (key, token string, err error) {
	var o struct {
		Key   json.RawMessage `json:"key"`
		Token json.RawMessage `json:"token"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&o); err != nil {
		return "", "", fmt.Errorf("it is no JSON object: %w", err)
	}
	if d.More() {
		return "", "", errors.New("something follows the JSON object")
	}
	if key, err = scalar(o.Key); err != nil {
		return "", "", fmt.Errorf(`"key": %w`, err)
	}
	switch {
	case o.Token == nil:
		return "", "", errors.New(`"token" is missing: write null for a job that carries none`)
	case bytes.Equal(o.Token, []byte("null")):
		return key, model.NoToken, nil
	}
	if token, err = scalar(o.Token); err != nil {
		return "", "", fmt.Errorf(`"token": %w`, err)
	}
	return key, token, nil
}

// scalar is a JSON text or number as text.
func scalar(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil && len(raw) > 0 && raw[0] == '"' {
		return s, nil
	}
	var n json.Number
	if len(raw) > 0 && raw[0] != '"' && json.Unmarshal(raw, &n) == nil && n != "" {
		return n.String(), nil
	}
	return "", errors.New("it is neither a text nor a number")
}
