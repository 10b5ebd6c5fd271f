package sqlite_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestCancelledActIsRunToItsEnd holds that a call which is cancelled after its unit
// was opened is applied and says so: its answer is the change itself, not silence
// about a statement that may have been applied. The engine asks for the time just
// between the two, which is where the call is cancelled here.
func TestCancelledActIsRunToItsEnd(t *testing.T) {
	var begun atomic.Pointer[context.CancelFunc]
	db := open(t, sqlite.Options{Path: filepath.Join(t.TempDir(), "q.db"), Create: true, Now: func() time.Time {
		if cancel := begun.Load(); cancel != nil {
			(*cancel)()
		}
		return time.Now()
	}})
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun.Store(&cancel)
	claims, err := q.Claim(ctx, guid(1), "w", 1, time.Hour)
	begun.Store(nil)
	if ctx.Err() == nil {
		t.Fatal("the call was not cancelled between BEGIN and its statement")
	}
	if err != nil || len(claims) != 1 {
		t.Fatalf("the cancelled claim answers %v, %v, want the row that it took", claims, err)
	}
	job, _, err := q.Inspect(t.Context(), claims[0].Key)
	if err != nil || job == nil || job.State != model.Working || job.Token != claims[0].Token {
		t.Errorf("the row is %+v, %v, want it claimed as was answered", job, err)
	}
}
