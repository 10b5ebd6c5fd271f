package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// dark is a queue whose figures pass over locked rows.
type dark struct{ *scene }

// look polls once, with a look past all locks that has these jobs; nil: none was
// sent. It gives the finding of the hidden job.
func (d *dark) look(past []model.Oldest, change ...func(*model.Snapshot)) (model.Finding, bool) {
	d.t.Helper()
	s := poll(d.at, d.pulse)
	s.Caps = model.Caps{ProbedAt: epoch, LowCounts: true}
	if past != nil {
		s.Dirty = model.Part[[]model.Oldest]{Data: past, At: s.Pulse.At.Add(3 * time.Millisecond)}
	}
	for _, f := range change {
		f(s)
	}
	d.w.Observe(s)
	d.at += 10 * time.Second
	return find(d.t, s, KindHidden)
}

// TestAHiddenJobIsFound holds that a ready job which only a look past all locks has
// is found by the second such look, not after one, and not once the figures have it.
func TestAHiddenJobIsFound(t *testing.T) {
	d := &dark{watch(t, backlog(3, 0))}
	d.pulse.ByPriority = []model.Oldest{head(1, 9, time.Minute), head(2, 3, time.Hour)}
	past := []model.Oldest{head(1, 7, 6*time.Minute), head(1, 9, time.Minute), head(1, 10, time.Second), head(2, 3, time.Hour)}
	d.look(nil)
	for i := range 2 {
		f, found := d.look(past)
		switch want := "7 is ready for 6m00s but locked by another session: claims pass over it"; {
		case i == 0 && found:
			t.Fatalf("after one look it says %q", f.Text)
		case i == 1 && (!found || !strings.HasPrefix(f.Text, want) || !strings.Contains(f.Text, "dirty read") || f.Key != key(7) || f.Severity != model.Warn):
			t.Fatalf("after two looks it says %+v", f)
		case i == 1 && f.Cure != ":job 7, then w says who holds it":
			t.Errorf("its cure is %q", f.Cure)
		}
	}
	if _, found := d.look(nil); !found {
		t.Error("it is not found between two looks")
	}
	if _, found := d.look(nil, func(s *model.Snapshot) { s.Dirty.Err = &model.Fault{Class: model.FaultRaced} }); !found {
		t.Error("a look that met a change ends it")
	}
	d.pulse.ByPriority[0] = head(1, 7, 6*time.Minute)
	if f, found := d.look(nil); found {
		t.Errorf("the figures have it: %q", f.Text)
	}
	d.pulse.ByPriority[0] = head(1, 9, time.Minute)
	if f, found := d.look(past[1:]); found {
		t.Errorf("it was claimed: %q", f.Text)
	}
}

// TestWhatIsNotHidden holds what two looks may have that is no job behind a lock.
func TestWhatIsNotHidden(t *testing.T) {
	behind := []model.Oldest{head(1, 10, 50*time.Second), head(1, 11, 40*time.Second)}
	unsure := []model.Oldest{{Key: model.KeyOf(model.TextValue("a")), Priority: model.NumberOf(1)}}
	for name, c := range map[string]struct {
		first, second []model.Oldest
		heads         []model.Oldest
		change        func(*model.Snapshot)
	}{
		"jobs behind the first":                {behind, behind, []model.Oldest{head(1, 9, time.Minute)}, nil},
		"behind eight and those without one":   {[]model.Oldest{head(9, 7, time.Hour)}, []model.Oldest{head(9, 7, time.Hour)}, append(eight(), model.Oldest{Key: key(99)}), nil},
		"another job each time":                {[]model.Oldest{head(1, 7, time.Hour)}, []model.Oldest{head(1, 8, time.Hour)}, []model.Oldest{head(1, 9, time.Minute)}, nil},
		"whose order is not known":             {unsure, unsure, []model.Oldest{head(1, 9, time.Minute)}, nil},
		"a priority beyond those asked for":    {[]model.Oldest{head(9, 7, time.Hour)}, []model.Oldest{head(9, 7, time.Hour)}, eight(), nil},
		"an insert since the figures":          {[]model.Oldest{head(1, 7, time.Millisecond)}, []model.Oldest{head(1, 7, time.Millisecond)}, nil, nil},
		"a database with row versions":         {behind, behind, nil, func(s *model.Snapshot) { s.Caps.LowCounts = false }},
		"a look that is no longer allowed":     {behind, behind, nil, func(s *model.Snapshot) { s.Dirty.Err = &model.Fault{Class: model.FaultDenied} }},
		"while the brake stops all the claims": {behind, behind, nil, func(s *model.Snapshot) { s.Pulse.Data.Brake = &model.Brake{On: true} }},
	} {
		d := &dark{watch(t, backlog(3, 0))}
		d.pulse.ByPriority = c.heads
		change := func(s *model.Snapshot) {
			if c.change != nil {
				c.change(s)
			}
		}
		d.look(nil)
		d.look(c.first, change)
		if f, found := d.look(c.second, change); found {
			t.Errorf("%s: %q", name, f.Text)
		}
	}
}

func eight() []model.Oldest {
	var out []model.Oldest
	for i := range int64(mostPriorities) {
		out = append(out, head(1+i, 100+i, time.Minute))
	}
	return out
}

// TestHiddenJobsTogether holds that several jobs behind locks are one finding, of a
// table without priorities and where nothing else is ready too.
func TestHiddenJobsTogether(t *testing.T) {
	past := []model.Oldest{{Key: key(7)}, {Key: key(8)}, {Key: key(9)}}
	for name, p := range map[string]model.Pulse{
		"behind them":  {Ready: model.Count{N: 1, Trust: model.AtLeast}, Oldest: &model.Oldest{Key: key(12)}},
		"nothing else": {Ready: model.Count{Trust: model.AtLeast}},
	} {
		d := &dark{watch(t, p)}
		d.look(nil)
		d.look(past)
		f, found := d.look(past)
		if !found || !strings.HasPrefix(f.Text, "7 is ready but locked by another session, and so are 2 jobs behind it") {
			t.Errorf("%s: %v %q", name, found, f.Text)
		}
	}
}
