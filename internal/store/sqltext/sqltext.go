// Package sqltext builds SQL from constant skeletons with named holes. A runtime
// string can enter only as a quoted identifier or as the name of a parameter, so
// that a statement can be read in the source as a DBA will read it and no data
// can become text.
package sqltext

import (
	"errors"
	"fmt"
	"strings"
)

// constant accepts only what is written in the source: an untyped constant
// converts to it, a string variable does not compile.
type constant string

// Part is a piece of SQL. The zero Part is absent: a List leaves it out. An error
// made on the way is kept and comes out of Text.
type Part struct {
	text string
	err  error
}

// Raw is SQL written in the source.
func Raw(c constant) Part { return Part{text: string(c)} }

// Arg is a reference to a named parameter.
func Arg(name string) Part {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return Part{err: fmt.Errorf("parameter name %q", name)}
	}
	return Part{text: "@" + name}
}

// Quoter quotes one part of an identifier for an engine.
type Quoter func(string) string

// Ident is an identifier of one or more parts, each quoted. Empty parts in front
// are left out, so that a table without a schema is one part.
func (q Quoter) Ident(parts ...string) Part {
	var quoted []string
	for _, p := range parts {
		if p == "" && len(quoted) == 0 {
			continue
		}
		if p == "" || strings.ContainsRune(p, 0) {
			return Part{err: fmt.Errorf("identifier %q", parts)}
		}
		quoted = append(quoted, q(p))
	}
	if len(quoted) == 0 {
		return Part{err: errors.New("empty identifier")}
	}
	return Part{text: strings.Join(quoted, ".")}
}

// Declared is a type as a server declared it, such as datetime2(3). It is text
// from a catalog or a profile, so only the letters of a type name pass.
func Declared(s string) Part {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789(), "
	if s == "" || strings.Trim(s, letters) != "" {
		return Part{err: fmt.Errorf("type %q", s)}
	}
	return Part{text: s}
}

// Code is a short code such as a state's value as a literal in single quotes, for
// an index with a literal predicate, which no parameter matches. Only letters,
// digits, blanks, underscores and hyphens pass.
func Code(s string) Part {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- "
	if s == "" || len(s) > 64 || strings.Trim(s, letters) != "" {
		return Part{err: fmt.Errorf("code %q", s)}
	}
	return Part{text: "'" + s + "'"}
}

// IsZero reports whether the part is absent.
func (p Part) IsZero() bool { return p.text == "" && p.err == nil }

// If is the part when ok, and absent otherwise: how an optional column leaves a
// statement.
func If(ok bool, p Part) Part {
	if ok {
		return p
	}
	return Part{}
}

// Or is the part, or other when it is absent.
func (p Part) Or(other Part) Part {
	if p.IsZero() {
		return other
	}
	return p
}

// List joins the parts that are present.
func List(sep constant, parts ...Part) Part {
	var texts []string
	for _, p := range parts {
		if p.err != nil {
			return p
		}
		if p.text != "" {
			texts = append(texts, p.text)
		}
	}
	return Part{text: strings.Join(texts, string(sep))}
}

// Holes are the parts that a skeleton asks for by name.
type Holes map[string]Part

// Fill puts the parts into the skeleton's holes, written as {name}. A hole
// without a part and a part without a hole are errors; a hole may be filled with
// an absent part on purpose.
func Fill(skeleton constant, holes Holes) Part {
	var (
		b    strings.Builder
		used = make(map[string]bool, len(holes))
		rest = string(skeleton)
	)
	for {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		name, tail, ok := strings.Cut(after, "}")
		if !ok {
			return Part{err: fmt.Errorf("skeleton has an open hole at %q", after)}
		}
		p, ok := holes[name]
		if !ok {
			return Part{err: fmt.Errorf("hole {%s} has no part", name)}
		}
		if p.err != nil {
			return p
		}
		used[name] = true
		b.WriteString(p.text)
		rest = tail
	}
	for name := range holes {
		if !used[name] {
			return Part{err: fmt.Errorf("part %q has no hole", name)}
		}
	}
	return Part{text: b.String()}
}

// Text is the finished SQL, or the first error met while building it.
func (p Part) Text() (string, error) {
	if p.err != nil {
		return "", fmt.Errorf("building SQL: %w", p.err)
	}
	return p.text, nil
}
