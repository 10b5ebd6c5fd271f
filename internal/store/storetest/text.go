package storetest

import (
	"strings"
	"unicode"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func textCases() []testCase {
	return []testCase{
		{name: "a large payload is cut", needs: []store.Op{store.OpPayload}, run: largePayload},
		{name: "a payload of several lines", needs: []store.Op{store.OpPayload}, run: blockPayload},
		{name: "a payload of a missing row", needs: []store.Op{store.OpPayload}, run: missingPayload},
		{name: "escape sequences are cleaned", needs: []store.Op{store.OpInspect, store.OpPayload}, run: hostileText},
		{name: "a worker gets the payload as it is", needs: []store.Op{store.OpClaim}, run: rawPayload},
	}
}

func largePayload(e *env) {
	const size = 2 << 20
	if e.shape.Profile == "bare" {
		e.Skip("its payload column is short")
	}
	k := e.seed(Seed{Payload: strings.Repeat("0123456789abcdef", size/16)})
	p, err := e.q.Payload(e.ctx, k, 64<<10)
	if err != nil {
		e.Fatalf("payload: %v", err)
	}
	is(e, "cut", p.Cut, true)
	is(e, "shown", len(p.Text), 64<<10)
	if p.Bytes.N < size {
		e.Errorf("the whole is %d bytes, want %d at least", p.Bytes.N, size)
	}
}

func blockPayload(e *env) {
	k := e.seed(Seed{Payload: "{\n\t\"a\": 1\n}"})
	p, err := e.q.Payload(e.ctx, k, 64<<10)
	if err != nil {
		e.Fatalf("payload: %v", err)
	}
	is(e, "text", p.Text, "{\n    \"a\": 1\n}")
	is(e, "cut", p.Cut, false)
}

func missingPayload(e *env) {
	p, err := e.q.Payload(e.ctx, model.KeyOf(e.nobody()), 100)
	if err != nil || p.Text != "" || p.Bytes.Known {
		e.Errorf("payload of a missing row = %+v, %v", p, err)
	}
}

// hostile is what a terminal would obey: colours, a title, the clipboard, a
// reversed reading order.
const hostile = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x1b]52;c;b3ducw==\x1b\\ \u202eabc\u009b2J\r\nend\x00"

func hostileText(e *env) {
	k := e.seed(Seed{State: model.Failed, Worker: strings.TrimSuffix(hostile, "\x00"), Error: strings.TrimSuffix(hostile, "\x00"), Payload: strings.TrimSuffix(hostile, "\x00")})
	j := e.row(k)
	p, err := e.q.Payload(e.ctx, k, 1000)
	if err != nil {
		e.Fatalf("payload: %v", err)
	}
	if !strings.Contains(p.Text, "red") {
		e.Errorf("the payload %q lost its text", p.Text)
	}
	for name, s := range map[string]string{"worker": j.Worker, "error": j.Error, "payload": strings.ReplaceAll(p.Text, "\n", "")} {
		for _, r := range s {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				e.Errorf("the %s still has %U in %q", name, r, s)
			}
		}
	}
}

func rawPayload(e *env) {
	raw := "a\tb\x1b[1m\nü€漢"
	e.seed(Seed{Payload: raw})
	is(e, "payload", e.claimOne().Payload, raw)
}
