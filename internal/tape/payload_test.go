package tape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func payload(s string) model.Payload {
	return model.Payload{Text: s, Bytes: model.NumberOf(int64(len(s)))}
}

// carrier is a tape of a queue that is looked at every two seconds.
type carrier struct {
	*Tape
	c clock
}

func newCarrier() *carrier {
	x := &carrier{c: clock{at: epoch}}
	x.Tape = New(Options{Every: busyEvery, Now: x.c.now})
	return x
}

// look polls for a while.
func (x *carrier) look(polls int) {
	for range polls {
		s := good(x.c.at, model.Pulse{Ready: exact(3)})
		x.Observe(s)
		x.Keep(s)
		x.c.at = x.c.at.Add(busyEvery)
	}
}

// TestPayloadsAreKept holds that what was read is found again by the nearest reading,
// in the hour and in a file, and that the looks are as they were.
func TestPayloadsAreKept(t *testing.T) {
	x, one, two := newCarrier(), model.KeyOf(model.IntValue(1)), model.KeyOf(model.IntValue(2))
	file := filepath.Join(t.TempDir(), "a.leasetop")
	about := about()
	about.Payloads = true
	rec, err := x.Record(file, about)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.KeepPayload("q", one, payload("early")); err == nil {
		t.Error("a payload of a queue that was not watched yet is kept")
	}
	x.look(20) // 40 s: more than a block
	read := x.c.at
	for _, err := range []error{x.KeepPayload("q", one, payload("first")), x.KeepPayload("q", one, payload("first"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	x.look(40)
	again := x.c.at
	if err := x.KeepPayload("q", one, payload("second")); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, p interface {
		Payload(queue string, k model.Key, at time.Time) (model.Payload, time.Time)
	},
	) {
		t.Helper()
		for _, c := range []struct {
			queue string
			key   model.Key
			at    time.Time
			text  string
			read  time.Time
		}{
			{"q", one, read, "first", read},
			{"q", one, read.Add(time.Minute), "first", read},
			{"q", one, epoch, "first", read}, // read later than that, and said so
			{"q", one, again, "second", again},
			{"q", one, read, "first", read},
			{"q", two, again, "", time.Time{}},
			{"other", one, again, "", time.Time{}},
		} {
			if p, at := p.Payload(c.queue, c.key, c.at); p.Text != c.text || !at.Equal(c.read) {
				t.Errorf("%s %s at %v: %q, read at %v; want %q, %v", c.queue, c.key, c.at, p.Text, at, c.text, c.read)
			}
		}
	}
	check(t, x.Tape)
	saved := filepath.Join(t.TempDir(), "b.leasetop")
	if err := x.Save(saved, about); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, saved} {
		r := open(t, path)
		check(t, r)
		if r.Payloads() != 2 || !r.About.Payloads || r.Damage != "" {
			t.Errorf("%s: %d payloads, %+v, damage %q", path, r.Payloads(), r.About, r.Damage)
		}
		if from, to := r.Reach(); !from.Equal(epoch) || !to.Equal(epoch.Add(59*busyEvery)) || r.At(again).Queue("q").Pulse.Data.Ready.N != 3 {
			t.Errorf("the looks of %s: %v to %v", path, from, to)
		}
	}
}

// TestPayloadsAreBounded holds that no more than the stated bytes are kept, that it
// is said, and that the room comes back with what is forgotten.
func TestPayloadsAreBounded(t *testing.T) {
	x := newCarrier()
	x.past.span = 2 * blockSpan // instead of an hour
	x.look(1)
	big := payload(strings.Repeat("x", 1_000_000))
	var err error
	for i := range 9 {
		big.Bytes.N = int64(i) // another one
		err = x.KeepPayload("q", model.KeyOf(model.IntValue(int64(i))), big)
		if (err != nil) != (i >= 8) {
			t.Fatalf("payload %d: %v", i, err)
		}
	}
	if !strings.Contains(err.Error(), "8.0 MB") {
		t.Errorf("it is not said how much there may be: %v", err)
	}
	x.look(5 * int(blockSpan/busyEvery))
	if err := x.KeepPayload("q", model.KeyOf(model.IntValue(9)), big); err != nil {
		t.Errorf("after more than its span: %v", err)
	}
	if p, at := x.Payload("q", model.KeyOf(model.IntValue(0)), x.c.at); p.Text != "" || !at.IsZero() {
		t.Errorf("what was forgotten is still there: %v", at)
	}
	if n := len(x.past.payloads.at); n != 1 || x.past.payloads.bytes != len(big.Text) {
		t.Errorf("%d payloads, %d bytes are counted", n, x.past.payloads.bytes)
	}
}

// TestAFileFromBeforePayloads holds that a recording of an older leasetop opens. The
// file was written before recordings could have payloads.
func TestAFileFromBeforePayloads(t *testing.T) {
	r := open(t, filepath.Join("testdata", "before-payloads.leasetop"))
	from, to := r.Reach()
	q := r.At(to).Queue("q")
	if r.Damage != "" || !from.Equal(epoch) || !to.Equal(after(38)) || r.Payloads() != 0 || r.About.Payloads {
		t.Errorf("%v to %v, %d payloads, damage %q", from, to, r.Payloads(), r.Damage)
	}
	if q.Pulse.Data.Ready.N != 19 || len(q.Page.Data.Jobs) != 1 || q.Page.Data.Jobs[0].Key.String() != "103" {
		t.Errorf("its last look: %+v", q)
	}
}

// TestAPayloadOfADamagedFile holds that a file cannot make more of a payload than
// leasetop writes, and that one which is gone since is none.
func TestAPayloadOfADamagedFile(t *testing.T) {
	x, k := newCarrier(), model.KeyOf(model.IntValue(1))
	x.look(1)
	for _, s := range []string{"fits", strings.Repeat("x", payloadMost+1)} {
		if err := x.KeepPayload("q", k, payload(s)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.leasetop")
	if err := x.Save(path, about()); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	if p, _ := r.Payload("q", k, x.c.at); r.Payloads() != 1 || p.Text != "fits" {
		t.Errorf("%d payloads, %q", r.Payloads(), p.Text)
	}
	r = open(t, path)
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if p, at := r.Payload("q", k, x.c.at); p.Text != "" || !at.IsZero() {
		t.Errorf("of a file that was cut: %q", p.Text)
	}
}
