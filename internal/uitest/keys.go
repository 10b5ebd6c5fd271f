package uitest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// named are the keys whose bytes are not their own character, as an xterm sends
// them.
var named = map[string]string{
	"enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "esc": "\x1b", "space": " ", "backspace": "\x7f", "delete": "\x1b[3~",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"shift+up": "\x1b[1;2A", "shift+down": "\x1b[1;2B", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "f1": "\x1bOP",
}

// Encode gives the bytes that a terminal sends for a key, named as Bubble Tea
// names it: "r", "?", "enter", "ctrl+c", "alt+x", "shift+tab", "pgdown".
func Encode(key string) ([]byte, error) {
	if s, ok := named[key]; ok {
		return []byte(s), nil
	}
	if utf8.RuneCountInString(key) == 1 {
		return []byte(key), nil
	}
	mod, rest, _ := strings.Cut(key, "+")
	switch {
	case mod == "ctrl" && len(rest) == 1 && rest >= "a" && rest <= "z":
		return []byte{rest[0] & 0x1f}, nil
	case mod == "alt" && utf8.RuneCountInString(rest) == 1:
		return []byte("\x1b" + rest), nil
	}
	return nil, fmt.Errorf("no key is named %q", key)
}

// event is what Bubble Tea's input makes of the key.
func event(key string) (uv.Event, error) {
	b, err := Encode(key)
	if err != nil {
		return nil, err
	}
	var d uv.EventDecoder
	n, e := d.Decode(b)
	if n != len(b) {
		return nil, fmt.Errorf("the terminal input of %q is read only in part", key)
	}
	return e, nil
}
