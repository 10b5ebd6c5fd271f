package dsn

import (
	"net/url"
	"regexp"
	"strings"
)

// secrets are the places where a DSN can hold a password, in all its forms and
// also where it is badly written.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*\{((?:[^}]|\}\})*)\}`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*"((?:[^"]|"")*)"`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*'((?:[^']|'')*)'`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*([^;&]*)`),
	regexp.MustCompile(`://[^/@:]*:([^@]*)@`),
	regexp.MustCompile(`://[^/@:]*:(.*)@`),
}

// mask takes every password of the DSN out of a text about it. A text that holds
// the DSN as a whole says nothing that can be kept.
func mask(dsn, text string) string {
	if dsn != "" && strings.Contains(text, dsn) {
		return "it cannot be read"
	}
	for _, re := range secrets {
		for _, m := range re.FindAllStringSubmatch(dsn, -1) {
			for _, s := range []string{m[1], decoded(m[1])} {
				if s != "" {
					text = strings.ReplaceAll(text, s, "***")
				}
			}
		}
	}
	return text
}

func decoded(s string) string {
	d, err := url.QueryUnescape(s)
	if err != nil {
		return ""
	}
	return d
}
