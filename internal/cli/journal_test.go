package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

var _ actions.Journal = (*journal)(nil)

func moment(s int) time.Time { return time.Date(2026, 11, 30, 12, 0, s, 0, time.UTC) }

const (
	actA = "01A22C56-A0EB-70C7-9051-E03221412F07"
	actB = "01A22C56-A0EB-70C7-9051-E03221412F08"
)

// planned is an act on job 7, whose worker's name and payload are nobody's business.
func planned(id string) model.Plan {
	m := &model.Mapping{
		Queue: "orders", Table: model.Table{Schema: "dbo", Name: "QueueDemo"},
		Keys:    []model.Column{{Name: "JobId", Type: model.Int}},
		Columns: map[model.Role]model.Column{model.RoleToken: {Name: "ClaimToken", Type: model.GUID}},
	}
	return model.Plan{Mapping: m, Intent: model.Intent{
		Action: model.Force, Queue: "orders", Key: model.KeyOf(model.IntValue(7)), ActionID: id, Actor: "me@here", Reason: "hangs",
		Seen: model.Seen{
			State: model.Working, Token: model.TokenOf(model.GUIDValue("6f9619ff-8b86-d011-b42d-00c04fc964ff")),
			Lease: model.Instant{At: moment(1), Raw: model.TimeValue("2026-11-30T12:00:01.000")}, Attempts: model.NumberOf(2),
		},
	}}
}

func journalIn(dir string) *journal {
	return &journal{dir: dir, servers: map[string]place{"orders": {"prod", "db1:1433/shop"}}, now: func() time.Time { return moment(30) }}
}

// written is the text of the only file of a journal.
func written(t *testing.T, dir string) (path, text string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, error %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return files[0], string(data)
}

func TestJournalIsOnDiskBeforeSentReturns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "journal")
	j := journalIn(dir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is a folder before the first act: %v", err)
	}
	if err := j.Sent(planned(actA), moment(10)); err != nil {
		t.Fatal(err)
	}
	path, text := written(t, dir)
	want := `{"event":"sent","at":"2026-11-30T12:00:10Z","action_id":"` + actA + `","action":"force-reclaim","server":"prod","address":"db1:1433/shop","queue":"orders",` +
		`"table":"dbo.QueueDemo","key":"7","seen":{"state":"working","token":"6F9619FF-8B86-D011-B42D-00C04FC964FF","lease":"2026-11-30T12:00:01.000","attempts":2},` +
		`"actor":"me@here","reason":"hangs"}` + "\n"
	if text != want {
		t.Errorf("written is\n%s\nwant\n%s", text, want)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %o", info.Mode().Perm())
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}

// A process can die after any byte. Whatever is left, an act whose line is whole is
// unresolved until a whole line says what became of it, and nothing else is.
func TestJournalSurvivesACrashAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	j := journalIn(dir)
	for _, step := range []func() error{
		func() error { return j.Sent(planned(actA), moment(10)) },
		func() error { return j.Sent(planned(actB), moment(11)) },
		func() error { return j.Done(model.Receipt{Intent: planned(actA).Intent, Outcome: model.Applied}) },
		func() error {
			return j.Done(model.Receipt{Intent: planned(actB).Intent, Outcome: model.OutcomeUnknown})
		},
		func() error { return j.Done(model.Receipt{Intent: planned(actB).Intent, Outcome: model.Refused}) },
		j.close,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	path, text := written(t, dir)
	states := [][]string{nil, {actA}, {actA, actB}, {actB}, {actB}, nil} // after so many whole lines
	for n := range len(text) + 1 {
		if err := os.WriteFile(path, []byte(text[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := unresolved(dir, moment(59), 15*time.Second)
		if err != nil {
			t.Fatalf("after %d bytes: %v", n, err)
		}
		lines := strings.Count(text[:n], "\n")
		if n < len(text) && text[n] == '\n' { // only the line end is missing: the line is whole
			lines++
		}
		var ids []string
		for _, e := range got {
			ids = append(ids, e.ActionID)
		}
		if strings.Join(ids, " ") != strings.Join(states[lines], " ") {
			t.Fatalf("after %d bytes: unresolved are %v, want %v", n, ids, states[lines])
		}
	}
}

func TestUnresolvedLeavesOutWhatMayBeUnderWay(t *testing.T) {
	dir := t.TempDir()
	j := journalIn(dir)
	if err := errors.Join(j.Sent(planned(actA), moment(10)), j.close()); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]int{moment(24): 0, moment(25): 1, moment(8): 0, moment(-3600): 1} {
		if got, err := unresolved(dir, at, 15*time.Second); err != nil || len(got) != want {
			t.Errorf("at %v: %d, error %v, want %d", at, len(got), err, want)
		}
	}
	got, err := unresolved(filepath.Join(dir, "nowhere"), moment(59), 0)
	if err != nil || len(got) != 0 {
		t.Errorf("without a folder: %v, %v", got, err)
	}
}

// TestUnresolvedAfterTheClockWasSetBack holds that an outcome counts although the
// name of its file sorts before that of the act, as it does when the clock was set
// back between the two processes.
func TestUnresolvedAfterTheClockWasSetBack(t *testing.T) {
	dir := t.TempDir()
	j, later := journalIn(dir), journalIn(dir)
	later.now = func() time.Time { return moment(-3600) }
	err := errors.Join(
		j.Sent(planned(actA), moment(10)), j.close(),
		later.Done(model.Receipt{Intent: model.Intent{ActionID: actA}, Outcome: model.Applied}), later.close())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := unresolved(dir, moment(59), time.Second); err != nil || len(got) != 0 {
		t.Errorf("%v, %v, want none: it was found out", got, err)
	}
}

func TestAnActIsReadBackAsItWasSent(t *testing.T) {
	dir := t.TempDir()
	j := journalIn(dir)
	p := planned(actA)
	if err := errors.Join(j.Sent(p, moment(10)), j.close()); err != nil {
		t.Fatal(err)
	}
	open, err := unresolved(dir, moment(59), time.Second)
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	r, err := open[0].receipt(p.Mapping)
	if err != nil {
		t.Fatal(err)
	}
	want := p.Intent
	want.Seen.Lease.At = time.Time{} // only the engine's own text is kept
	if r.Intent != want || !r.Sent.Equal(moment(10)) || r.Resolved() || r.Before.Token != want.Seen.Token {
		t.Errorf("read back as\n%+v\nwant\n%+v", r.Intent, want)
	}
	if text, want := describe(open), "an earlier act has no known outcome: force-reclaim of job 7 in orders at 2026-11-30T12:00:10Z (action "+actA+")"; text != want {
		t.Errorf("described as %q", text)
	}
}

// When nothing can be written nothing may be sent, so Sent must fail.
func TestJournalThatCannotBeWrittenSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := journalIn(filepath.Join(file, "journal")).Sent(planned(actA), moment(10)); err == nil {
		t.Error("a folder below a file could be written")
	}
	dir := t.TempDir()
	j := journalIn(dir)
	if err := j.Sent(planned(actA), moment(10)); err != nil {
		t.Fatal(err)
	}
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Sent(planned(actB), moment(11)); err == nil {
		t.Error("a closed file could be written")
	}
	if err := errors.Join(j.Sent(planned(actB), moment(12)), j.close()); err != nil {
		t.Errorf("the next act has no file of its own: %v", err)
	}
	if open, err := unresolved(dir, moment(59), time.Second); err != nil || len(open) != 2 {
		t.Errorf("unresolved %v, %v", open, err)
	}
}
