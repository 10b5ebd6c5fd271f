package tape

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// about is what the recordings of tests say about themselves.
func about() About { return About{Made: "v0.1.0", At: epoch} }

// minutes records a busy queue from its first poll on and gives the file, and the
// looks that went in.
func minutes(t testing.TB, polls int) (path string, seen []*model.Snapshot) {
	t.Helper()
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	path = filepath.Join(t.TempDir(), "a.leasetop")
	r, err := tape.Record(path, about())
	if err != nil {
		t.Fatal(err)
	}
	b := &busy{}
	for i := range polls {
		c.at = epoch.Add(time.Duration(i) * busyEvery)
		s := b.poll()
		tape.Observe(s)
		tape.Keep(s)
		seen = append(seen, s)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return path, seen
}

func open(t *testing.T, path string) *Recording {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestARecordingIsWhatWasSeen(t *testing.T) {
	path, seen := minutes(t, 45)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
	r := open(t, path)
	if r.Damage != "" || r.About != about() {
		t.Errorf("%+v, damage %q", r.About, r.Damage)
	}
	from, to := r.Reach()
	if !from.Equal(epoch) || !to.Equal(after(88)) {
		t.Errorf("it reaches from %v to %v", from, to)
	}
	for _, i := range []int{0, 14, 15, 16, 30, 44, 3} {
		board := r.At(epoch.Add(time.Duration(i) * busyEvery))
		if d := differs(seen[i], board.Queues[0]); d != "" {
			t.Errorf("look %d:\n%s", i, d)
		}
	}
	for i, b := range r.Series("q", Ready, after(89), 2*time.Second, 45) {
		if b.Gap || b.Mean != float64(seen[i].Pulse.Data.Ready.N) {
			t.Errorf("the chart's column %d is %+v, want %d", i, b, seen[i].Pulse.Data.Ready.N)
		}
	}
	if in := r.Series("q", In, after(88), 2*time.Second, 3); in[1].Mean != busyEnds/busyEvery.Seconds() {
		t.Errorf("arrivals are %+v a second", in)
	}
}

// TestSavedAfterTheFact holds that :save gives what a recording would have.
func TestSavedAfterTheFact(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	path := filepath.Join(t.TempDir(), "hour.leasetop")
	if err := tape.Save(path, about()); err == nil {
		t.Error("nothing is saved without an error")
	}
	b := &busy{}
	var last *model.Snapshot
	for range 40 {
		last = b.poll()
		tape.Keep(last)
		c.at = c.at.Add(busyEvery)
	}
	if err := tape.Save(path, about()); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	_, to := r.Reach()
	if d := differs(last, r.At(to).Queues[0]); d != "" {
		t.Errorf("the last look:\n%s", d)
	}
	before, _ := os.ReadFile(path)
	if err := tape.Save(path, about()); err == nil || !strings.Contains(err.Error(), "overwrites nothing") {
		t.Errorf("a file that is there: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(before, now) {
		t.Error("it was changed")
	}
	if _, err := tape.Record(path, about()); err == nil {
		t.Error("a recording overwrites a file")
	}
	if err := tape.Save(filepath.Join(t.TempDir(), "no", "such"), about()); err == nil {
		t.Error("a file in no directory was saved")
	}
}

// TestDamage holds what is said of files that are not whole, and that what is whole
// in them is shown.
func TestDamage(t *testing.T) {
	path, seen := minutes(t, 60)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.Index(good[1:], []byte(mark)) + 1 // of the first block
	second += bytes.Index(good[second+1:], []byte(mark)) + 1
	last := bytes.LastIndex(good, []byte(mark))
	flip := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 0x10
		return b
	}
	newer := bytes.Replace(good, []byte(magic+"1 "), []byte(magic+"7 "), 1)
	for _, c := range []struct {
		name   string
		file   []byte
		err    string // of a file of which nothing is shown
		damage string
		torn   bool
		blocks int
	}{
		{"whole", good, "", "", false, 4},
		{"killed while it wrote", good[:len(good)-100], "", "ends within its last block, as when what wrote it was killed: 02:59:58Z to 03:01:26Z can be read", true, 3},
		{"killed within a head", good[:last+7], "", "ends within its last block", true, 3},
		{"killed between two blocks", good[:last], "", "", false, 3},
		{"a byte of a block", flip(second + 200), "", "damaged in 1 places, first at byte", false, 3},
		{"a mark", flip(second), "", "damaged in 1 places", false, 3},
		{"a length", flip(second + 4), "", "damaged in", false, 3},
		{"a time", flip(second + 12), "", "damaged in 1 places", false, 3},
		{"newer", newer, "written by leasetop v0.1.0 in format 7, and this leasetop reads no format after 1", "", false, 0},
		{"of another kind", []byte("PK\x03\x04 a zip file"), "no recording of leasetop", "", false, 0},
		{"empty", nil, "no recording of leasetop", "", false, 0},
		{"its first line only", good[:bytes.IndexByte(good, '\n')+1], "nothing was recorded", "", false, 0},
		{"half its first line", good[:30], "ends or breaks in its first line", "", false, 0},
		{"half its first block", good[:second/2], "nothing of it can be read", "", false, 0},
		{"a format that is none", bytes.Replace(good, []byte(magic+"1 "), []byte(magic+"x "), 1), "format cannot be read", "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Open(path)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), path) {
					t.Fatalf("it opens with %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if !strings.Contains(r.Damage, c.damage) || (r.Damage != "") != (c.damage != "") || r.Torn != c.torn || r.whole != c.blocks {
				t.Errorf("%d blocks, torn %v, %q; want %d, %v, %q", r.whole, r.Torn, r.Damage, c.blocks, c.torn, c.damage)
			}
			if d := differs(seen[3], r.At(after(6)).Queues[0]); d != "" {
				t.Errorf("what is whole is not shown:\n%s", d)
			}
		})
	}
}

// TestAFullDiskEndsTheRecording holds that the end of a recording says when it is not complete.
func TestAFullDiskEndsTheRecording(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Now: c.now})
	r, err := tape.Record(filepath.Join(t.TempDir(), "a"), about())
	if err != nil {
		t.Fatal(err)
	}
	_ = r.file.Close() // as a disk that takes nothing any more
	b := &busy{}
	for range 20 {
		tape.Keep(b.poll())
		c.at = c.at.Add(busyEvery)
	}
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "recording to ") || r.Err() == nil {
		t.Errorf("it ends with %v", err)
	}
}

// FuzzOpen holds that no file makes the reader fall over.
func FuzzOpen(f *testing.F) {
	path, _ := minutes(f, 3)
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(magic + "1 {}\n" + mark))
	f.Fuzz(func(_ *testing.T, file []byte) {
		r, err := read(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		from, to := r.Reach()
		r.At(from)
		r.At(to)
		r.Series("q", Ready, to, time.Second, 3)
	})
}

// FuzzDecode holds the same for frames whose checksum is right.
func FuzzDecode(f *testing.F) {
	tape := New(Options{})
	s := good(epoch, model.Pulse{Ready: exact(3), Oldest: &model.Oldest{}, Brake: &model.Brake{}})
	listed(s, model.ViewWorking, job(1, "00000000-0000-0000-0000-000000000001", model.Working))
	tape.Keep(s)
	tape.Keep(s)
	if err := tape.KeepPayload(s.Queue, model.KeyOf(model.IntValue(1)), payload("{}")); err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(tape.past.open.raw.Bytes()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		frames, _ := decode(raw)
		for _, f := range frames {
			for _, s := range (&boards{}).at(frames, f.Seen).Queues {
				if len(s.Page.Data.Jobs) > mostRows {
					t.Errorf("a list of %d", len(s.Page.Data.Jobs))
				}
			}
		}
	})
}
