// Package sqltext builds SQL from constant skeletons with named holes. A runtime
// string can enter only as a quoted identifier or as the name of a parameter, so
// that a statement can be read in the source as a DBA will read it and no data
// can become text.
package sqltext

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// constant accepts only what is written in the source: an untyped constant
// converts to it, a string variable does not compile.
type constant string

// Part is a piece of SQL. The zero Part is absent: a List leaves it out. An error
// made on the way is kept and comes out of Text.
//
// It is one word wide: two dialects hand it on in thousands of places, and with
// text and error side by side that alone made the program 140 KB larger.
type Part struct{ is *content }

// content is what a part holds: a text that is not empty, or an error.
type content struct {
	text string
	err  error
}

// made is the part with a text, absent where that is empty. It stays a call, for
// the same reason as the width of a Part.
//
//go:noinline
func made(text string) Part {
	if text == "" {
		return Part{}
	}
	return Part{&content{text: text}}
}

// broken is a part that could not be built.
func broken(format string, args ...any) Part { return Part{&content{err: fmt.Errorf(format, args...)}} }

// held is what a part holds, nothing where it is absent.
func (p Part) held() (text string, err error) {
	if p.IsZero() {
		return "", nil
	}
	return p.is.text, p.is.err
}

// Raw is SQL written in the source.
func Raw(c constant) Part { return made(string(c)) }

// Arg is a reference to a named parameter.
func Arg(name string) Part {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return broken("parameter name %q", name)
	}
	return made("@" + name)
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
			return broken("identifier %q", slices.Clone(parts)) // what is asked for stays on the caller's stack
		}
		quoted = append(quoted, q(p))
	}
	if len(quoted) == 0 {
		return broken("empty identifier")
	}
	return made(strings.Join(quoted, "."))
}

// Declared is a type as a server declared it, such as datetime2(3). It is text
// from a catalog or a profile, so only the letters of a type name pass.
func Declared(s string) Part {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789(), "
	if s == "" || strings.Trim(s, letters) != "" {
		return broken("type %q", s)
	}
	return made(s)
}

// Code is a short code such as a state's value as a literal in single quotes, for
// an index with a literal predicate, which no parameter matches. Only letters,
// digits, blanks, underscores and hyphens pass.
func Code(s string) Part {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- "
	if s == "" || len(s) > 64 || strings.Trim(s, letters) != "" {
		return broken("code %q", s)
	}
	return made("'" + s + "'")
}

// Speller spells a text as one literal expression of an engine, whatever the text
// holds.
type Speller func(string) string

// Literal is a text as a literal. Only a script that somebody else runs has any:
// what is sent has parameters.
func (s Speller) Literal(text string) Part { return made(s(text)) }

// IsZero reports whether the part is absent.
func (p Part) IsZero() bool { return p.is == nil }

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
		text, err := p.held()
		if err != nil {
			return p
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return made(strings.Join(texts, string(sep)))
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
			return broken("skeleton has an open hole at %q", after)
		}
		p, ok := holes[name]
		if !ok {
			return broken("hole {%s} has no part", name)
		}
		text, err := p.held()
		if err != nil {
			return p
		}
		used[name] = true
		b.WriteString(text)
		rest = tail
	}
	for name := range holes {
		if !used[name] {
			return broken("part %q has no hole", name)
		}
	}
	return made(b.String())
}

// Number is a whole number.
func Number(n int64) Part { return made(strconv.FormatInt(n, 10)) }

// Swap puts another part in each place where a piece of SQL stands, but for those
// inside identifiers in brackets, inside literals and in comments: what somebody
// named so stays.
func Swap(p Part, piece constant, other Part) Part {
	rest, err := p.held()
	put, bad := other.held()
	if err := cmp.Or(err, bad); err != nil {
		return Part{&content{err: err}}
	}
	var b strings.Builder
	for rest != "" {
		n := 1
		switch {
		case strings.HasPrefix(rest, string(piece)):
			b.WriteString(put)
			rest = rest[len(piece):]
			continue
		case rest[0] == '[':
			n = closed(rest, ']')
		case rest[0] == '\'':
			n = closed(rest, '\'')
		case strings.HasPrefix(rest, "--"):
			line, _, _ := strings.Cut(rest, "\n")
			n = len(line)
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	return made(b.String())
}

// closed is where what begins at the first letter ends; the mark that ends it, twice,
// is one of its own letters.
func closed(s string, mark byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != mark {
			continue
		}
		if i+1 < len(s) && s[i+1] == mark {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

// Text is the finished SQL, or the first error met while building it.
func (p Part) Text() (string, error) {
	text, err := p.held()
	if err != nil {
		return "", fmt.Errorf("building SQL: %w", err)
	}
	return text, nil
}
