package tape

import (
	"reflect"
	"time"

	"github.com/leasetop/leasetop/model"
)

// frame is one look at one queue, as far as it differs from the frame before it.
// A snapshot has no payload: those that are kept stand beside it.
type frame struct {
	Seen  time.Time // by our own clock, which orders the looks at different servers
	Whole bool      // nothing before it counts

	Over, In, Out float32 // the charts' share that is not in the snapshot; see point

	// Shot is the snapshot. Its lists are left out, and what changes rarely where it
	// is as it was.
	Shot   model.Snapshot
	Probed bool // Shot has the mapping and what the probe found
	Found  bool // Shot has the findings
	Jobs   []run[model.Job]
	Events []run[model.Event]

	Carried *carried // a payload that was read after the look; nil: none
}

// still is all of one look, which the next one is compared with and which a frame
// is put on top of.
type still struct {
	seen          time.Time
	over, in, out float32
	shot          model.Snapshot // without the lists
	jobs          []model.Job    // their ages as moments
	events        []model.Event
}

func stillOf(s *model.Snapshot, seen time.Time, p point) *still {
	x := &still{seen: seen, over: p.over, in: p.v[In], out: p.v[Out], shot: *s}
	x.jobs, x.events = begun(s.Page.Data.Jobs, s.Page.At), s.Page.Data.Events
	x.shot.Page.Data.Jobs, x.shot.Page.Data.Events = nil, nil
	x.shot.Dirty = model.Part[[]model.Oldest]{} // what it tells is in the findings
	return x
}

// whole is the frame that needs nothing before it.
func (x *still) whole() frame {
	f := frame{Seen: x.seen, Whole: true, Over: x.over, In: x.in, Out: x.out, Shot: x.shot, Probed: true, Found: true}
	f.Jobs = diff(nil, x.jobs, jobKey, sameJob)
	f.Events = diff(nil, x.events, eventKey, sameEvent)
	return f
}

// since is the frame that says how the look differs from the one before it.
func (x *still) since(was *still) frame {
	f := frame{Seen: x.seen, Over: x.over, In: x.in, Out: x.out, Shot: x.shot}
	f.Probed = x.shot.Mapping != was.shot.Mapping || !x.shot.Caps.ProbedAt.Equal(was.shot.Caps.ProbedAt)
	if !f.Probed {
		f.Shot.Mapping, f.Shot.Caps = nil, model.Caps{}
	}
	f.Found = !reflect.DeepEqual(x.shot.Findings, was.shot.Findings)
	if !f.Found {
		f.Shot.Findings = nil
	}
	f.Jobs = diff(was.jobs, x.jobs, jobKey, sameJob)
	f.Events = diff(was.events, x.events, eventKey, sameEvent)
	return f
}

// on puts the frame on top of the look before it.
func (f *frame) on(was *still) (*still, error) {
	x := &still{seen: f.Seen, over: f.Over, in: f.In, out: f.Out, shot: f.Shot}
	if f.Whole || was == nil {
		was = &still{}
	}
	if !f.Probed {
		x.shot.Mapping, x.shot.Caps = was.shot.Mapping, was.shot.Caps
	}
	if !f.Found {
		x.shot.Findings = was.shot.Findings
	}
	var err error
	if x.jobs, err = patch(was.jobs, f.Jobs); err != nil {
		return nil, err
	}
	x.events, err = patch(was.events, f.Events)
	return x, err
}

// snapshot is the look as the screens take it.
func (x *still) snapshot() *model.Snapshot {
	s := x.shot
	s.Page.Data.Jobs, s.Page.Data.Events = aged(x.jobs, s.Page.At), x.events
	return &s
}

// lapse is how long after a look nothing more is said about a live queue: what
// came then was not watched.
func (x *still) lapse() time.Duration { return 10*time.Second + 2*x.shot.Watch.Every }

// watched reports whether the look still speaks for a later moment. While a queue
// cannot be read, the look that says so does.
func (x *still) watched(t time.Time) bool {
	return x.shot.Watch.Health != model.Live || t.Sub(x.seen) <= x.lapse()
}
