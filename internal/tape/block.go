package tape

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/leasetop/leasetop/model"
)

// A block is the frames of a short while, compressed together. It begins with a
// whole frame of every queue, so that it can be read without any other block.

// The bounds of a block.
const (
	blockSpan = 30 * time.Second // what a kill can take from a recording
	blockMost = 4 << 20          // bytes, before it is compressed
	rawMost   = 64 << 20         // bytes that reading one may need
)

// block is a block that is being written.
type block struct {
	from, to time.Time
	raw      bytes.Buffer
	enc      *gob.Encoder
}

func newBlock(at time.Time) *block {
	b := &block{from: at, to: at}
	b.enc = gob.NewEncoder(&b.raw)
	return b
}

func (b *block) add(f *frame) error {
	if f.Seen.After(b.to) {
		b.to = f.Seen
	}
	return b.enc.Encode(f)
}

// full reports whether a frame of that time belongs into the next block.
func (b *block) full(at time.Time) bool {
	return at.Sub(b.from) >= blockSpan || b.raw.Len() >= blockMost
}

// sealed is a block that is complete.
type sealed struct {
	from, to time.Time // of its frames; those that it begins with may be older
	data     []byte    // compressed
}

func (b *block) seal() sealed {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.DefaultCompression) // the level is one that there is
	_, _ = w.Write(b.raw.Bytes())                           // a buffer takes everything
	_ = w.Close()
	return sealed{from: b.from, to: b.to, data: bytes.Clone(out.Bytes())}
}

// frames reads a block. What was read before an error is given too.
func (s sealed) frames() ([]frame, error) {
	r := flate.NewReader(bytes.NewReader(s.data))
	raw, err := io.ReadAll(io.LimitReader(r, rawMost+1))
	if err == nil && len(raw) > rawMost {
		err = errors.New("it is larger than any that leasetop writes")
	}
	if err != nil {
		return nil, err
	}
	return decode(raw)
}

// decode reads the frames of a block that is not compressed and makes sure that
// they fit on each other.
func decode(raw []byte) ([]frame, error) {
	dec := gob.NewDecoder(bytes.NewReader(raw))
	var out []frame
	last := map[string]*still{}
	for {
		var f frame
		switch err := dec.Decode(&f); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return out, err
		}
		x, err := f.on(last[f.Shot.Queue])
		if err != nil {
			return out, fmt.Errorf("queue %q: %w", f.Shot.Queue, err)
		}
		last[f.Shot.Queue] = x
		out = append(out, f)
	}
}

// stills are the newest looks at every queue at a moment, in the order in which
// the block names them.
func stills(frames []frame, t time.Time) []*still {
	var order []string
	last := map[string]*still{}
	for i := range frames {
		f := &frames[i]
		if f.Seen.After(t) {
			continue
		}
		was, known := last[f.Shot.Queue]
		if !known {
			order = append(order, f.Shot.Queue)
		}
		if x, err := f.on(was); err == nil {
			last[f.Shot.Queue] = x
		}
	}
	out := make([]*still, 0, len(order))
	for _, q := range order {
		if x := last[q]; x != nil {
			out = append(out, x)
		}
	}
	return out
}

// boards makes boards out of blocks. It gives equal mappings the same pointer, by
// which screens see that nothing has changed.
type boards struct{ mappings map[string]*model.Mapping }

// at is the board of a moment. A queue that was not watched then is not on it.
func (b *boards) at(frames []frame, t time.Time) *model.Board {
	board := &model.Board{}
	for _, x := range stills(frames, t) {
		if !x.watched(t) {
			continue
		}
		s := x.snapshot()
		s.Mapping = b.mapping(s.Queue, s.Mapping)
		board.Queues = append(board.Queues, s)
	}
	return board
}
