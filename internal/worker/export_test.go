package worker

// TailOf is what is kept of a command's words.
func TailOf(pieces ...string) string {
	var t tail
	for _, p := range pieces {
		_, _ = t.Write([]byte(p))
	}
	return t.text()
}
