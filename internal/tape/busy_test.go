package tape

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// busy is a queue with busyLeases leases of five minutes at any time: each beats
// every 100 s, and busyEnds jobs end and are claimed from poll to poll. Its lists are
// made anew at every poll, as a store makes them.
type busy struct {
	polls int
	next  int64
	jobs  []model.Job
}

const busyEvery = 2 * time.Second

func (b *busy) claim(at time.Time) model.Job {
	b.next++
	guid := fmt.Sprintf("%08X-%04X-4%03X-B%03X-%012X", b.next*2654435761&0xffffffff, b.next*40503&0xffff, b.next*31&0xfff, b.next*77&0xfff, b.next*7046029254386353131&0xffffffffffff)
	return model.Job{
		Key: model.KeyOf(model.IntValue(b.next)), Token: model.TokenOf(model.GUIDValue(guid)), State: model.Working, RawState: model.TextValue("W"),
		Lease: moment(at.Add(5 * time.Minute)), Available: moment(at.Add(-time.Minute)), Enqueued: moment(at.Add(-2 * time.Minute)), Claimed: moment(at),
		Priority: model.NumberOf(100), Attempts: model.NumberOf(1), MaxAttempts: model.NumberOf(5), TotalClaims: model.NumberOf(1),
		Worker: fmt.Sprintf("pick-%02d", b.next%40), Operation: guid,
	}
}

func moment(t time.Time) model.Instant {
	return model.Instant{At: t, Raw: model.TimeValue(t.Format("2006-01-02T15:04:05.000"))}
}

// poll is the next look.
func (b *busy) poll() *model.Snapshot {
	at := epoch.Add(time.Duration(b.polls) * busyEvery)
	for len(b.jobs) < busyLeases {
		b.jobs = append(b.jobs, b.claim(at))
	}
	if b.polls > 0 {
		b.jobs = b.jobs[busyEnds:]
		for range busyEnds {
			b.jobs = append(b.jobs, b.claim(at))
		}
	}
	for i := b.polls % 50; i < len(b.jobs); i += 50 {
		b.jobs[i].Beat, b.jobs[i].Lease = moment(at), moment(at.Add(5*time.Minute))
	}
	b.polls++
	list := make([]*model.Job, len(b.jobs))
	for i := range b.jobs {
		j := b.jobs[i]
		j.Held = ageOf(at.Sub(j.Claimed.At))
		list[i] = &j
	}
	s := good(at, model.Pulse{Ready: exact(b.next % 97), Working: exact(busyLeases), Enqueued: counted(b.next, "e"), Oldest: &model.Oldest{Key: b.jobs[0].Key, Waiting: ageOf(time.Minute)}})
	s.Mapping = &model.Mapping{Queue: "q"}
	s.Watch = model.Watch{Health: model.Live, Every: busyEvery}
	s.Page = model.Part[model.Page]{Data: model.Page{View: model.ViewWorking, Jobs: list}, At: at}
	return s
}
