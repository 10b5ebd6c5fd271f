package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The origins that are no place in a file.
const (
	fromDefault = "default"
	fromEngine  = "a file of your own"
)

// Origins says where each value came from, by the value's path: a file and its
// line, a variable of the environment, a flag, a profile. A value without an
// origin is the default.
type Origins map[string]string

// Of is the origin of a value, whose path is given by its keys.
func (o Origins) Of(path ...string) string {
	if from, ok := o[pathOf(path...)]; ok {
		return from
	}
	return fromDefault
}

// set notes an origin.
func (o Origins) set(from string, path ...string) { o[pathOf(path...)] = from }

// file notes the places of a file's keys, the strongest word on each so far.
func (o Origins) file(path string, lines map[string]int) {
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		o[key] = fmt.Sprintf("%s:%d", path, lines[key])
	}
}

// pathOf joins the keys that lead to a value. A key may hold a dot, so that they
// are joined by what no key holds.
func pathOf(keys ...string) string { return strings.Join(keys, "\x00") }
