package tape

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Recording is a file of looks that can be walked through. Its blocks stay in the
// file; what the charts need of it is in memory.
type Recording struct {
	About About

	// Damage says what of the file cannot be read, and what can; empty: all can.
	Damage string
	// Torn reports whether the only damage is that the file ends within a block, as
	// it does when what wrote it was killed.
	Torn bool

	file   io.ReaderAt
	closer io.Closer
	blocks []place
	from   time.Time
	to     time.Time
	charts *Tape
	boards boards
	read   decoded
	whole  int // blocks that were found to be good

	payloads payloads
}

// place is where a block is.
type place struct {
	from time.Time
	at   int64
}

// Open opens a recording and makes sure of every block. The error says what is
// wrong with a file of which nothing can be shown.
func Open(path string) (*Recording, error) {
	f, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	var r *Recording
	if err == nil {
		r, err = read(f, info.Size())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	r.closer = f
	return r, nil
}

// Close closes the file.
func (r *Recording) Close() error { return r.closer.Close() }

// read makes a recording of a file.
func read(f io.ReaderAt, size int64) (*Recording, error) {
	about, at, err := readLine(bufio.NewReaderSize(io.NewSectionReader(f, 0, lineMost), lineMost))
	if err != nil {
		return nil, err
	}
	r := &Recording{About: about, file: f, charts: &Tape{capacity: math.MaxInt, queues: map[string]*queue{}}}
	var d damage
	for at < size {
		s, next, torn, err := readBlock(f, at)
		var frames []frame
		if err == nil {
			if frames, err = s.frames(); err == nil && len(frames) == 0 {
				err = errors.New("it is empty")
			}
		}
		if err != nil {
			d.note(at, torn)
			if at = resume(f, at+1, size); at < size {
				d.torn = false // more comes after it
			}
			continue
		}
		r.take(&s, at, frames)
		at = next
	}
	r.Damage, r.Torn = d.text(r), d.torn
	if r.whole == 0 {
		if r.Damage == "" {
			return nil, errors.New("nothing was recorded in it")
		}
		return nil, errors.New(r.Damage)
	}
	return r, nil
}

// take notes a good block. A block that begins before the one before it is of no
// recording that leasetop writes, but can be shown: by its own time.
func (r *Recording) take(s *sealed, at int64, frames []frame) {
	r.whole++
	if r.from.IsZero() || s.from.Before(r.from) {
		r.from = s.from
	}
	if s.to.After(r.to) {
		r.to = s.to
	}
	i := sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].from.After(s.from) })
	r.blocks = append(r.blocks, place{})
	copy(r.blocks[i+1:], r.blocks[i:])
	r.blocks[i] = place{s.from, at}
	for j := range frames {
		f := &frames[j]
		r.charts.chart(f)
		if f.Carried != nil && len(f.Carried.Payload.Text) <= payloadMost {
			r.payloads.note(f.Shot.Queue, f.Carried, s.from)
		}
	}
}

// chart gives a frame's point to the charts.
func (t *Tape) chart(f *frame) {
	p := &f.Shot.Pulse
	if p.Err != nil || !p.Known() {
		return
	}
	q := t.queues[f.Shot.Queue]
	if q == nil {
		q = &queue{ring: ring{max: t.capacity}}
		t.queues[f.Shot.Queue] = q
	}
	switch {
	case p.At.Equal(q.at):
		return // the same look, repeated where a block begins
	case p.At.Before(q.at):
		q.ring.cut(p.At)
	}
	q.at = p.At
	q.ring.add(pointOf(p, f.Over, f.In, f.Out))
}

// resume finds the next block.
func resume(f io.ReaderAt, from, size int64) int64 {
	buf := make([]byte, 64<<10)
	for at := from; at < size; {
		n, err := f.ReadAt(buf, at)
		if i := bytes.Index(buf[:n], []byte(mark)); i >= 0 {
			return at + int64(i)
		}
		if err != nil || n < len(mark) {
			return size
		}
		at += int64(n - len(mark) + 1)
	}
	return size
}

// damage is what was found that cannot be read.
type damage struct {
	places int
	first  int64
	torn   bool // the file ends within its last block
}

func (d *damage) note(at int64, torn bool) {
	if d.places == 0 {
		d.first = at
	}
	d.places++
	d.torn = torn && d.places == 1
}

func (d *damage) text(r *Recording) string {
	switch {
	case d.places == 0:
		return ""
	case r.whole == 0:
		return fmt.Sprintf("it is damaged at byte %d, and nothing of it can be read", d.first)
	}
	span := r.from.Format("15:04:05Z") + " to " + r.to.Format("15:04:05Z")
	if d.torn {
		return fmt.Sprintf("it ends within its last block, as when what wrote it was killed: %s can be read", span)
	}
	return fmt.Sprintf("it is damaged in %d places, first at byte %d: %d blocks from %s can be read", d.places, d.first, r.whole, span)
}

// Reach is the times of the first and the last look.
func (r *Recording) Reach() (from, to time.Time) { return r.from, r.to }

// At is the board of a moment; see Tape.At.
func (r *Recording) At(t time.Time) *model.Board {
	i := sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].from.After(t) }) - 1
	if i < 0 {
		return nil
	}
	if b := r.blocks[i]; r.read.frames == nil || !r.read.from.Equal(b.from) {
		s, _, _, err := readBlock(r.file, b.at)
		if err != nil {
			return &model.Board{} // it was good before: the file was taken away
		}
		frames, _ := s.frames()
		r.read = decoded{b.from, frames}
	}
	return r.boards.at(r.read.frames, t)
}

// Series is what the charts show; see Tape.Series.
func (r *Recording) Series(queue string, m Metric, to time.Time, per time.Duration, cols int) []Bucket {
	return r.charts.Series(queue, m, to, per, cols)
}
