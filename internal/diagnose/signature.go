package diagnose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// signatureLimit bounds a signature, in characters: what tells errors apart stands
// at their beginning.
const signatureLimit = 160

// Signature is what a text of an error has in common with those of the same cause:
// its first line without what differs from job to job. Numbers, GUIDs, hexadecimal
// and times become "#", quoted strings "‹…›". A number that names the error itself,
// as in "HTTP 503" or "error 1205", stays.
func Signature(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	s, _, _ = strings.Cut(s, "⏎")
	var b strings.Builder
	last := ""
	for s != "" {
		n := tokenLen(s)
		token := s[:n]
		switch {
		case n == 0:
			_, n = utf8.DecodeRuneInString(s)
			if q := quoted(s); q > 0 && !wordEnd(b.String()) {
				b.WriteString("‹…›")
				n = q
				break
			}
			b.WriteString(s[:n])
		case names(last) && isCode(token):
			b.WriteString(token)
		default:
			b.WriteString(masked(token))
		}
		if n > 0 && len(token) > 0 {
			last = strings.ToLower(strings.Trim(token, ".:-_/+"))
		}
		s = s[n:]
	}
	out := b.String()
	for n := 0; n != len(out); { // 1,284 is one number
		n = len(out)
		out = strings.ReplaceAll(out, "#,#", "#")
	}
	return clip(strings.Join(strings.Fields(out), " "))
}

func clip(s string) string {
	if utf8.RuneCountInString(s) <= signatureLimit {
		return s
	}
	return string([]rune(s)[:signatureLimit-1]) + "…"
}

// tokenLen is the length of the word that s begins with, joiners within it
// included; 0: it begins with none.
func tokenLen(s string) int {
	end := 0
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end = i + utf8.RuneLen(r)
		case end > 0 && strings.ContainsRune("-:._/+", r):
		default:
			return end
		}
	}
	return end
}

// quoted is the length of the quoted string that s begins with, 0: with none.
func quoted(s string) int {
	closing := map[byte]string{'"': `"`, '\'': "'", '`': "`"}[s[0]]
	if r, size := utf8.DecodeRuneInString(s); closing == "" {
		closing = map[rune]string{'“': "”", '‘': "’", '«': "»", '„': "“", '‹': "›"}[r]
		if closing == "" {
			return 0
		}
		if i := strings.Index(s[size:], closing); i >= 0 {
			return size + i + len(closing)
		}
		return 0
	}
	for i := 1; i < len(s); i++ {
		if s[i:i+1] != closing {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(s[i+1:]); i+1 == len(s) || !unicode.IsLetter(next) {
			return i + 1
		}
	}
	return 0
}

// wordEnd reports whether a letter or digit is the last of s: then an apostrophe
// is one.
func wordEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '#'
}

// names reports whether a number after this word is the kind of an error.
func names(word string) bool {
	switch word {
	case "http", "error", "code", "status", "errno", "sqlstate", "msg", "ora", "exit", "signal":
		return true
	}
	return false
}

// isCode reports whether a word is a number as errors are numbered.
func isCode(s string) bool {
	if s == "" || len(s) > 5 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// masked is a word without what differs.
func masked(s string) string {
	if !strings.ContainsAny(s, "0123456789") && !guidLike(s) {
		return s
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") || guidLike(s) || hexLike(s) || timeLike(s) {
		return "#"
	}
	var b strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		digit := s[i] >= '0' && s[i] <= '9'
		joined := in && strings.IndexByte(".,:", s[i]) >= 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
		if digit && !in {
			b.WriteByte('#')
		}
		if in = digit || joined; !in {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// guidLike reports whether a word is a GUID.
func guidLike(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && onlyHex(strings.ReplaceAll(s, "-", ""))
}

// hexLike reports whether a word is a long hexadecimal number and no word.
func hexLike(s string) bool { return len(s) >= 8 && onlyHex(s) }

func onlyHex(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f') && (r < 'A' || r > 'F')
	}) < 0
}

// timeLike reports whether a word is a date, with or without a time.
func timeLike(s string) bool {
	const date = "0000-00-00"
	if len(s) < len(date) {
		return false
	}
	for i := range len(date) {
		if digit := s[i] >= '0' && s[i] <= '9'; digit != (date[i] == '0') || !digit && s[i] != '-' {
			return false
		}
	}
	return true
}
