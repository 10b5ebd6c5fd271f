package config

import "strings"

// termConsole is the name of the Linux console, whose fonts hold a few hundred
// glyphs and not all of ours.
const termConsole = "linux"

// noGlyphs is what in the environment says that box-drawing glyphs cannot be shown; ok
// is false where nothing does. A locale that is not set at all says nothing:
// containers have none, and the terminals around them can show everything.
func noGlyphs(env func(string) string) (why string, ok bool) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the strongest first
		v := env(name)
		if v == "" {
			continue
		}
		if v == "C" || v == "POSIX" || foreign(v) {
			return name + "=" + v, true
		}
		break
	}
	if env("TERM") == termConsole {
		return "TERM=" + termConsole, true
	}
	return "", false
}

// foreign reports whether a locale names a character set that is not UTF-8.
func foreign(locale string) bool {
	_, set, named := strings.Cut(locale, ".")
	set, _, _ = strings.Cut(strings.ToLower(set), "@")
	return named && set != "utf-8" && set != "utf8"
}
