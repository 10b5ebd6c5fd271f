package tape

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Save writes what the tape remembers to a new file, after the fact.
func (t *Tape) Save(path string, a About) (err error) {
	p := &t.past
	p.mu.Lock()
	blocks := slices.Clone(p.blocks)
	if p.open != nil {
		blocks = append(blocks, p.open.seal())
	}
	p.mu.Unlock()
	if len(blocks) == 0 {
		return errors.New("nothing was seen yet: there is nothing to save")
	}
	f, err := create(path, a)
	if err != nil {
		return err
	}
	for i := range blocks {
		if err = blocks[i].write(f); err != nil {
			break
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("saving %s: %w", path, err), os.Remove(path))
	}
	return nil
}

// waiting is how many blocks may wait for a slow disk: some minutes of them.
const waiting = 16

// Recorder writes every block to a file when it is complete. The file is readable
// at any moment: a kill takes the block that was open, and no more.
type Recorder struct {
	tape   *Tape
	file   *os.File
	blocks chan sealed
	done   chan struct{}

	mu  sync.Mutex
	err error
}

// Record begins a recording into a new file. Looks from before are in it as far as
// they are remembered.
func (t *Tape) Record(path string, a About) (*Recorder, error) {
	f, err := create(path, a)
	if err != nil {
		return nil, err
	}
	r := &Recorder{tape: t, file: f, blocks: make(chan sealed, waiting), done: make(chan struct{})}
	p := &t.past
	p.mu.Lock()
	known := slices.Clone(p.blocks)
	p.sink = r.take
	p.mu.Unlock()
	go r.run(known)
	return r, nil
}

// take hands a block to the disk and does not wait for it.
func (r *Recorder) take(s sealed) {
	select {
	case r.blocks <- s:
	default:
		r.fail(errors.New("the disk does not keep up: a part is missing"))
	}
}

func (r *Recorder) run(known []sealed) {
	defer close(r.done)
	for i := range known {
		r.write(&known[i])
	}
	for s := range r.blocks {
		r.write(&s)
	}
}

// write appends a block, unless writing has failed before: what comes after a torn
// block could not be trusted.
func (r *Recorder) write(s *sealed) {
	if r.Err() == nil {
		r.fail(s.write(r.file))
	}
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("recording to %s: %w", r.file.Name(), err)
	}
}

// Err is why the recording is not complete, nil while it is.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the recording with what was seen last.
func (r *Recorder) Close() error {
	p := &r.tape.past
	p.mu.Lock()
	p.seal()
	p.sink = nil
	p.mu.Unlock()
	close(r.blocks)
	<-r.done
	r.fail(r.file.Close())
	return r.Err()
}
