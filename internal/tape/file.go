package tape

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// A recording begins with one line that a person can read,
//
//	leasetop-recording 1 {"made":"v0.1.0","at":"2026-11-30T12:00:00Z"}
//
// with the number of the format. Then come blocks: a mark, the length of what
// follows its head, the times of its first and last look, a checksum over all of
// that and the compressed frames, and the frames.

// format is the newest format that can be read, and the one that is written.
const format = 1

// magic is what a recording begins with.
const magic = "leasetop-recording "

// lineMost bounds the first line, dataMost the frames of one block.
const (
	lineMost = 4 << 10
	dataMost = 32 << 20
)

// mark begins every block, so that the next one is found when one is damaged. Its
// first byte stands in no text.
const mark = "\xf5LTB"

// headBytes are the mark, the length, two times and the checksum.
const headBytes = len(mark) + 4 + 8 + 8 + 4

// About is what a recording says about itself.
type About struct {
	Made     string    `json:"made"` // the version that wrote it
	At       time.Time `json:"at"`
	Training bool      `json:"training,omitempty"` // of simulated work
	Payloads bool      `json:"payloads,omitempty"` // those that were read were kept
}

// line is the first line of a recording.
func (a About) line() ([]byte, error) {
	about, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("the head of a recording: %w", err)
	}
	return append([]byte(magic+strconv.Itoa(format)+" "), append(about, '\n')...), nil
}

// readLine reads the first line of a recording.
func readLine(r *bufio.Reader) (a About, bytes int64, err error) {
	line, err := r.ReadSlice('\n')
	if !strings.HasPrefix(string(line), magic) {
		return a, 0, errors.New("it is no recording of leasetop")
	}
	if err != nil {
		return a, 0, errors.New("it ends or breaks in its first line: nothing can be read")
	}
	n, about, _ := strings.Cut(strings.TrimPrefix(string(line), magic), " ")
	version, err := strconv.Atoi(n)
	if err != nil {
		return a, 0, errors.New("its first line is damaged: the number of its format cannot be read")
	}
	err = json.Unmarshal([]byte(about), &a)
	switch {
	case version > format:
		made := ""
		if a.Made != "" {
			made = " by leasetop " + a.Made
		}
		return a, 0, fmt.Errorf("it was written%s in format %d, and this leasetop reads no format after %d: nothing of it can be read here, take that version", made, version, format)
	case version < 1 || err != nil:
		return a, 0, errors.New("its first line is damaged: what it says about itself cannot be read")
	}
	return a, int64(len(line)), nil
}

// head is the head of a block.
func (s *sealed) head() []byte {
	h := make([]byte, 0, headBytes)
	h = append(h, mark...)
	h = binary.BigEndian.AppendUint32(h, uint32(len(s.data))) //nolint:gosec // a block is far smaller
	h = binary.BigEndian.AppendUint64(h, uint64(s.from.UnixNano()))
	h = binary.BigEndian.AppendUint64(h, uint64(s.to.UnixNano()))
	return binary.BigEndian.AppendUint32(h, s.sum(h[len(mark):]))
}

// sum is the checksum over the head, from its length to its times, and the data.
func (s *sealed) sum(head []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(head, table), table, s.data)
}

// readBlock reads the block that begins at an offset. torn means that the file
// ends within it.
func readBlock(r io.ReaderAt, at int64) (s sealed, next int64, torn bool, err error) {
	h := make([]byte, headBytes)
	if n, err := r.ReadAt(h, at); err != nil && n < len(h) {
		return s, at, errors.Is(err, io.EOF), err
	}
	length := binary.BigEndian.Uint32(h[len(mark):])
	if string(h[:len(mark)]) != mark || length > dataMost {
		return s, at, false, errors.New("no block begins here")
	}
	s.data = make([]byte, length)
	if n, err := r.ReadAt(s.data, at+int64(headBytes)); err != nil && n < len(s.data) {
		return s, at, errors.Is(err, io.EOF), err
	}
	times := h[len(mark)+4:]
	s.from = time.Unix(0, int64(binary.BigEndian.Uint64(times))).UTC()   //nolint:gosec // any time may stand there
	s.to = time.Unix(0, int64(binary.BigEndian.Uint64(times[8:]))).UTC() //nolint:gosec // as above
	if s.sum(h[len(mark):headBytes-4]) != binary.BigEndian.Uint32(h[headBytes-4:]) {
		return s, at, false, errors.New("its checksum is wrong")
	}
	return s, at + int64(headBytes) + int64(length), false, nil
}

// create makes the file of a recording, for its owner's eyes only. A file that is
// there already is left alone.
func create(path string, a About) (*os.File, error) {
	line, err := a.line()
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user names it
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s is there already: a recording overwrites nothing", path)
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(line); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// write appends a block in one piece.
func (s *sealed) write(w io.Writer) error {
	_, err := w.Write(append(s.head(), s.data...))
	return err
}
