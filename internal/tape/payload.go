package tape

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// A payload is in no snapshot: it is read only when somebody asks for it. Where it
// is to be kept, it goes into the open block beside the look that was newest then,
// repeated, so that a leasetop that knows nothing of payloads reads the file as well.

// PayloadBytes bounds the payloads that a tape remembers, before they are
// compressed; what is read beyond that is not kept.
const PayloadBytes = 8_000_000

// payloadMost bounds one that is read from a file: far more than a screen asks for.
const payloadMost = 1 << 20

// carried is a payload as a frame holds it.
type carried struct {
	Key     model.Key
	Payload model.Payload
	Read    time.Time // by our own clock
}

// bearer is the job that a payload is of.
type bearer struct {
	queue string
	key   model.Key
}

// reading says where a payload is.
type reading struct {
	read  time.Time
	block time.Time // the beginning of the block that has it
	bytes int
}

// payloads finds payloads again. The zero payloads have none.
type payloads struct {
	at    map[bearer][]reading // the oldest first
	bytes int
	n     int

	// What was found last: whoever looks at a job asks for it with every picture.
	job   bearer
	found reading
	last  *carried
}

func (x *payloads) note(queue string, c *carried, block time.Time) {
	if x.at == nil {
		x.at = map[bearer][]reading{}
	}
	b := bearer{queue, c.Key}
	x.at[b] = append(x.at[b], reading{c.Read, block, len(c.Payload.Text)})
	x.bytes += len(c.Payload.Text)
	x.n++
}

// forget drops what lies in blocks before a time.
func (x *payloads) forget(before time.Time) {
	for b, rs := range x.at {
		rs = slices.DeleteFunc(rs, func(r reading) bool {
			gone := r.block.Before(before)
			if gone {
				x.bytes -= r.bytes
				x.n--
			}
			return gone
		})
		if x.at[b] = rs; len(rs) == 0 {
			delete(x.at, b)
		}
	}
}

// near is the reading that speaks for a moment: the newest before it, else the
// first after it.
func (x *payloads) near(b bearer, t time.Time) (reading, bool) {
	rs := x.at[b]
	if len(rs) == 0 {
		return reading{}, false
	}
	i := sort.Search(len(rs), func(i int) bool { return rs[i].read.After(t) })
	return rs[max(0, i-1)], true
}

// get is the payload of a job that speaks for a moment. frames gives those of the
// block that begins at a time.
func (x *payloads) get(b bearer, t time.Time, frames func(block time.Time) []frame) *carried {
	r, ok := x.near(b, t)
	if !ok {
		return nil
	}
	if x.last != nil && x.job == b && x.found == r {
		return x.last
	}
	for _, f := range frames(r.block) {
		if c := f.Carried; c != nil && f.Shot.Queue == b.queue && c.Key == b.key && c.Read.Equal(r.read) {
			x.job, x.found, x.last = b, r, c
			return c
		}
	}
	return nil
}

// KeepPayload remembers what a job carries as it was read now. A job's payload that
// is as it was is not kept twice. The error says why it was not kept.
func (t *Tape) KeepPayload(queue string, k model.Key, p model.Payload) error {
	x := &t.past
	x.mu.Lock()
	defer x.mu.Unlock()
	was := x.last[queue]
	if was == nil {
		return errors.New("the queue was not watched yet")
	}
	now := x.now().Round(0)
	if last := x.payload(queue, k, now); last != nil && last.Payload == p {
		return nil
	}
	if x.payloads.bytes+len(p.Text) > PayloadBytes {
		return fmt.Errorf("the %s that an hour may have of payloads are used up", text.Bytes(PayloadBytes))
	}
	f := was.since(was)
	if x.open == nil {
		x.begin(was.seen, queue)
		f = was.whole()
	}
	f.Carried = &carried{k, p, now}
	if err := x.open.add(&f); err != nil {
		x.open = nil // as in Keep
		return err
	}
	x.payloads.note(queue, f.Carried, x.open.from)
	return nil
}

// Payload is what a job carried, as it was read nearest to a moment of our own
// clock, and when that was: before it if it was read before. It is nothing, with a
// zero time, where it was not read or not kept.
func (t *Tape) Payload(queue string, k model.Key, at time.Time) (model.Payload, time.Time) {
	t.past.mu.Lock()
	defer t.past.mu.Unlock()
	return t.past.payload(queue, k, at).parts()
}

func (c *carried) parts() (model.Payload, time.Time) {
	if c == nil {
		return model.Payload{}, time.Time{}
	}
	return c.Payload, c.Read
}

func (p *past) payload(queue string, k model.Key, at time.Time) *carried {
	return p.payloads.get(bearer{queue, k}, at, func(block time.Time) []frame {
		if p.open != nil && p.open.from.Equal(block) {
			frames, _ := decode(p.open.raw.Bytes()) // we wrote it ourselves
			return frames
		}
		for i := range p.blocks {
			if p.blocks[i].from.Equal(block) {
				frames, _ := p.blocks[i].frames() // as above
				return frames
			}
		}
		return nil
	})
}

// Payloads is how many payloads the recording has.
func (r *Recording) Payloads() int { return r.payloads.n }

// Payload is what a job carried; see Tape.Payload.
func (r *Recording) Payload(queue string, k model.Key, at time.Time) (model.Payload, time.Time) {
	return r.payloads.get(bearer{queue, k}, at, func(block time.Time) []frame {
		for _, b := range r.blocks {
			if !b.from.Equal(block) {
				continue
			}
			if s, _, _, err := readBlock(r.file, b.at); err == nil {
				frames, _ := s.frames() // it was good before
				return frames
			}
		}
		return nil
	}).parts()
}
