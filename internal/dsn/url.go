package dsn

import (
	"errors"
	"net/url"
	"strings"
)

// errEscape is what is wrong with a URL in which a character stands plainly that
// ends one of its parts. Mostly it is in a password, whose rest would be read as
// the name of an instance, and shown as one.
var errEscape = errors.New("its user, password or instance has a character that ends a part of a URL; escape / ? # : @ and the like as %XX")

// checkURL refuses a URL that the driver would read otherwise than it was meant, or
// leave out parts of. Its errors quote nothing.
func checkURL(text string) error {
	rest := strings.TrimPrefix(text, urlScheme)
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	path, query, _ := strings.Cut(path, "?")
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if !strings.HasPrefix(host, "[") && strings.Count(host, ":") > 1 {
		return errEscape
	}
	if strings.ContainsAny(strings.TrimPrefix(path, "/"), "/:@#") || strings.Contains(query, "#") {
		return errEscape
	}
	if !strings.Contains(authority, "@") && strings.Contains(query, "@") {
		key, _, _ := strings.Cut(query, "=")
		if strings.Contains(key, "@") || strings.Contains(query, "?") {
			return errEscape
		}
	}
	if _, err := url.ParseQuery(query); err != nil { // the driver leaves out what it cannot read
		return errors.New("what follows its ? cannot be read; escape special characters as %XX")
	}
	return nil
}
