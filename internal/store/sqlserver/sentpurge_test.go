package sqlserver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// purgeCalls are the batches of a purge. That by key is of the bare table alone.
func purgeCalls() []call {
	until := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	send := func(op store.Op) func(context.Context, *store.Queue) error {
		return func(ctx context.Context, q *store.Queue) error {
			_, err := q.Purge(ctx, store.PurgeAsk{Op: op, Until: until, N: 500})
			return err
		}
	}
	untilP, n, after := arg("until", "varchar(23)", "2026-02-01T12:00:00.000"), arg("n", "bigint", int64(500)), arg("after", "bigint", nil)
	return []call{
		{store.OpPurgeDone, "", send(store.OpPurgeDone), []tdstest.Param{untilP, n, after, doneP}},
		{store.OpPurgeFailed, "", send(store.OpPurgeFailed), []tdstest.Param{untilP, n, after, failedP}},
		{store.OpPurgeHistory, "", send(store.OpPurgeHistory), []tdstest.Param{untilP, n}},
	}
}

// TestAPurgeByKeyArrivesToTheLetter holds the purge of the bare table.
func TestAPurgeByKeyArrivesToTheLetter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{profile: profile.Bare}, always(row(map[string]any{"deleted": 7, "last": nil, "more": 1})))
		got, err := w.q.Purge(t.Context(), store.PurgeAsk{Op: store.OpPurgeKeys, UpTo: 10421, N: 500})
		if err != nil || got != (store.Purged{Deleted: 7, More: true}) {
			t.Fatalf("%+v, %v", got, err)
		}
		sent := w.sent(t)
		last := sent[len(sent)-1]
		if !strings.Contains(last.Text, "q.[JobId] <= @upto") || last.Params[0].Value != int64(10421) {
			t.Errorf("sent %v\n%s", last.Params, last.Text)
		}
	})
}

// TestAPurgeNamesTheIndexThatItNeeds holds that nothing is scanned for it.
func TestAPurgeNamesTheIndexThatItNeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{noIndex: true}, always(nothing()))
		_, err := w.q.Purge(t.Context(), store.PurgeAsk{Op: store.OpPurgeDone, N: 500})
		if f := faultOf(t, err); f.Class != model.FaultReshaped || !strings.Contains(f.Text, "CREATE INDEX [IX_Due] ON [dbo].[QueueDemo] ([State], [AvailableAt])") {
			t.Errorf("%+v", f)
		}
	})
}

// TestAPurgeNamesTheRightThatItNeeds holds that a purge which the login may not do is
// known before it is asked for, with the GRANT that would allow it.
func TestAPurgeNamesTheRightThatItNeeds(t *testing.T) {
	for grant, tc := range map[string]struct {
		facts     facts
		off, free store.Op
	}{
		"GRANT DELETE ON [dbo].[QueueDemo] TO [ops]":         {facts{noDelete: true}, store.OpPurgeDone, store.OpPurgeHistory},
		"GRANT DELETE ON [dbo].[QueueDemo_History] TO [ops]": {facts{noForget: true}, store.OpPurgeHistory, store.OpPurgeDone},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := probed(t, tc.facts, always(one(map[string]any{"deleted": 0, "more": 0})...))
			if _, err := w.q.PurgeLoop(t.Context(), store.PurgeAsk{Op: tc.off, N: 500}, 30, 0); err != nil {
				t.Errorf("%s for somebody else to run: %v", tc.off, err)
			}
			_, err := w.q.Purge(t.Context(), store.PurgeAsk{Op: tc.off, N: 500})
			if f := faultOf(t, err); !strings.Contains(f.Text, "is missing") || !strings.Contains(f.Text, grant) {
				t.Errorf("%+v", f)
			}
			if _, err := w.q.Purge(t.Context(), store.PurgeAsk{Op: tc.free, N: 500}); err != nil {
				t.Errorf("%s: %v", tc.free, err)
			}
		})
	}
}

// TestAPurgeForTheAgent holds that the script is the same statement in a loop with
// a pause, for a time that is found anew at each run.
func TestAPurgeForTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(nothing()))
		text, err := w.q.PurgeLoop(t.Context(), store.PurgeAsk{Op: store.OpPurgeDone, N: 500}, 30, 200*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"DECLARE @n bigint = 500;", "DATEADD(day, -30, SYSUTCDATETIME())", "DECLARE @done varchar(1) = 'D';",
			"WAITFOR DELAY N'00:00:00.200';", ";WITH doomed AS (", "READPAST", "SET @deleted = @@ROWCOUNT;",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	})
}
