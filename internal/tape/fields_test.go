package tape

import (
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// fill gives every field of a value something that is not its zero.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(epoch))
		return
	case model.Key:
		v.Set(reflect.ValueOf(model.KeyOf(model.IntValue(7))))
		return
	case model.Token:
		v.Set(reflect.ValueOf(model.TokenOf(model.GUIDValue("00000000-0000-0000-0000-000000000001"))))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	default:
		panic("fill knows no " + v.Kind().String())
	}
}

// TestEveryFieldIsKept holds that whatever a snapshot has comes back from the past
// and from a file: a field that is added later too.
func TestEveryFieldIsKept(t *testing.T) {
	var s model.Snapshot
	fill(reflect.ValueOf(&s).Elem())
	s.Dirty = model.Part[[]model.Oldest]{} // what it tells is in the findings
	c := &clock{at: epoch}
	tape := New(Options{Now: c.now})
	tape.Keep(&s)
	second := s
	second.Page.Data.More = false
	c.at = after(2)
	tape.Keep(&second)
	path := filepath.Join(t.TempDir(), "a")
	if err := tape.Save(path, about()); err != nil {
		t.Fatal(err)
	}
	file := open(t, path)
	for at, want := range map[time.Time]*model.Snapshot{epoch: &s, after(2): &second} {
		for from, board := range map[string]*model.Board{"the past": tape.At(at), "the file": file.At(at)} {
			if board == nil || len(board.Queues) != 1 {
				t.Fatalf("%s has %+v", from, board)
			}
			if d := differs(want, board.Queues[0]); d != "" {
				t.Errorf("from %s:\n%s", from, d)
			}
		}
	}
}

// TestEverybodyAtOnce has queues kept, looked back at, saved and recorded at the
// same time.
func TestEverybodyAtOnce(t *testing.T) {
	var (
		mu  sync.Mutex
		now = epoch
	)
	tape := New(Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}})
	dir := t.TempDir()
	r, err := tape.Record(filepath.Join(dir, "rec"), about())
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, queue := range []string{"a", "b", "c"} {
		all.Go(func() {
			b := &busy{}
			for range 30 {
				s := b.poll()
				s.Queue, s.Watch.Every = queue, time.Minute // a look speaks for two of them
				tape.Observe(s)
				tape.Keep(s)
			}
		})
	}
	all.Go(func() {
		for i := range 30 {
			tape.At(after(float64(i)))
			tape.Series("a", Ready, after(60), time.Second, 60)
			tape.Reach()
			tape.Size()
		}
		_ = tape.Save(filepath.Join(dir, "save"), about()) // it may be too early
	})
	all.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	rec := open(t, filepath.Join(dir, "rec"))
	_, to := rec.Reach()
	if b := rec.At(to); rec.Damage != "" || len(b.Queues) != 3 {
		t.Errorf("the recording has %d queues, %q", len(b.Queues), rec.Damage)
	}
}
