package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// fields are the keys that the decoder takes, by the path of the object that has
// them.
func fields() map[string][]string {
	d := &decoder{}
	var queues []rawQueue
	var q rawQueue
	var table string
	names := func(fs []field) []string {
		var out []string
		for _, f := range fs {
			out = append(out, f.name)
		}
		return out
	}
	measures := []string{}
	for _, m := range model.Measures() {
		measures = append(measures, string(m))
	}
	var roles, states []string
	for _, r := range model.Roles() {
		roles = append(roles, string(r))
	}
	for _, s := range model.States() {
		states = append(states, s.String())
	}
	return map[string][]string{
		"":                      names(d.fileFields(&File{}, nil, nil, &queues)),
		"limits":                measures,
		"servers NAME":          names(d.serverFields(&Server{})),
		"queues NAME":           names(d.queueFields(&q, &table)),
		"queues NAME limits":    measures,
		"queues NAME columns":   roles,
		"queues NAME states":    states,
		"profiles NAME":         names(d.shapeFields(&Shape{})),
		"profiles NAME columns": roles,
		"profiles NAME states":  states,
	}
}

// The reference lists what is read, no more and no less.
func TestTheReferenceIsWhatIsRead(t *testing.T) {
	listed := map[string][]string{}
	for _, e := range Reference() {
		at := strings.Join(e.Path[:len(e.Path)-1], " ")
		listed[at] = append(listed[at], e.Key())
		if !strings.HasSuffix(e.Doc, ".") {
			t.Errorf("%s: %q is no sentence", strings.Join(e.Path, "."), e.Doc)
		}
	}
	for at, read := range fields() {
		got := listed[at]
		slices.Sort(got)
		slices.Sort(read)
		if !slices.Equal(got, read) {
			t.Errorf("below %q\nlisted: %v\nread:   %v", at, got, read)
		}
		delete(listed, at)
	}
	for at := range listed {
		t.Errorf("the reference lists keys below %q, where none is read", at)
	}
}

// The page in docs is the one that the code makes.
func TestTheManualIsCurrent(t *testing.T) {
	const file = "../../docs/configuration-keys.md"
	if os.Getenv("LEASETOP_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(Manual()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Manual() {
		t.Errorf("%s is not what the code says; run LEASETOP_UPDATE=1 go test ./internal/config", file)
	}
}

// The first file configures nothing as it stands, and every line of it is right
// once its # is taken away.
func TestTheFirstFileIsRight(t *testing.T) {
	first := Initial()
	if f, err := Parse("first", []byte(first), nil); err != nil || len(f.Servers)+len(f.Queues) > 0 {
		t.Fatalf("as it stands: %v, %+v", err, f)
	}
	var all strings.Builder
	for line := range strings.Lines(first) {
		all.WriteString(strings.TrimPrefix(line, "# "))
	}
	for _, e := range Reference() {
		if !strings.Contains(all.String(), e.Key()+": "+e.Example) && e.Example != "" {
			t.Errorf("%v is not there as %q", e.Path, e.Example)
		}
	}
	f, err := Parse("first", []byte(all.String()), map[string]Shape{DefaultProfile: {}})
	if err != nil {
		t.Fatalf("with every line taken: %v\n%s", err, all.String())
	}
	if len(f.Servers) != 1 || len(f.Queues) != 1 || f.Queues[0].Mapping.Queue != "orders" {
		t.Errorf("with every line taken it configures %+v", f)
	}
}
