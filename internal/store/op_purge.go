package store

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The operations that remove what is over. Each is one small batch.
const (
	OpPurgeDone    Op = "purge-done"
	OpPurgeFailed  Op = "purge-failed"
	OpPurgeHistory Op = "purge-history"
	OpPurgeKeys    Op = "purge-keys"
)

func purgeSpecs() []Spec {
	columns := []string{"deleted", "last", "more"}
	return []Spec{
		// until: server text of a time; what ended before it goes. n: rows of a batch; after: where the batch before
		// ended, NULL at first, for an engine that walks the table by its key. last is where this batch ended; more is
		// 1 while there may be more.
		{Op: OpPurgeDone, Kind: Control, Keyless: true, Params: []string{"until", "n", "after"}, Columns: columns},
		{Op: OpPurgeFailed, Kind: Control, Keyless: true, Params: []string{"until", "n", "after"}, Columns: columns},
		{Op: OpPurgeHistory, Kind: Control, Keyless: true, Params: []string{"until", "n"}, Columns: columns},
		// upto: the highest key that may go. Done rows only.
		{Op: OpPurgeKeys, Kind: Control, Keyless: true, Params: []string{"upto", "n", "after"}, Columns: columns},
	}
}

// PurgeAsk is one batch of a purge.
type PurgeAsk struct {
	Op    Op        // which of the purges
	Until time.Time // server time; what ended before it goes
	UpTo  int64     // of OpPurgeKeys: the highest key that may go
	N     int       // rows of the batch
	After model.Number
}

func (p PurgeAsk) args() Args {
	a := Args{"n": model.IntValue(int64(p.N))}
	if p.Op == OpPurgeKeys {
		a["upto"] = model.IntValue(p.UpTo)
	} else {
		a["until"] = model.TimeValue(p.Until.UTC().Format(SinceLayout))
	}
	if p.After.Known {
		a["after"] = model.IntValue(p.After.N)
	}
	return a
}

// Purged is what a batch of a purge did.
type Purged struct {
	Deleted int64
	Last    model.Number // After of the next batch
	More    bool         // there may be more
}

// Purge removes one batch of rows that are over. It never touches a row that is
// not, and passes over rows that others hold.
func (q *Queue) Purge(ctx context.Context, p PurgeAsk) (Purged, error) {
	_, rows, err := q.run(ctx, p.Op, p.args())
	if err != nil {
		return Purged{}, err
	}
	if len(rows) == 0 {
		return Purged{}, &model.Fault{Class: model.FaultReshaped, Op: string(p.Op), Text: "the answer is empty"}
	}
	return Purged{Deleted: rows[0].Int("deleted").N, Last: rows[0].Int("last"), More: rows[0].Int("more").N == 1}, nil
}

// PurgeStatement is the statement of a batch for eyes.
func (q *Queue) PurgeStatement(ctx context.Context, p PurgeAsk) (model.Statement, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return model.Statement{}, err
	}
	s, ok := b.stmts[p.Op]
	if !ok {
		return model.Statement{}, &model.Fault{Class: model.FaultReshaped, Op: string(p.Op), Text: b.why(p.Op)}
	}
	return s.show(p.args()), nil
}

// Looper is what a dialect may have beside Dialect: a purge as a script that goes
// on by itself, for an agent of the server to run.
type Looper interface {
	PurgeLoop(p PurgeAsk, days int, pace time.Duration, m *model.Mapping, c *model.Caps) (string, error)
}

// PurgeLoop is a whole purge as a script for the server's own scheduler: what ended
// days ago or earlier goes, whenever it runs.
func (q *Queue) PurgeLoop(ctx context.Context, p PurgeAsk, days int, pace time.Duration) (string, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return "", err
	}
	l, ok := q.db.run.dialect.(Looper)
	if !ok {
		return "", errors.New("a file has no scheduler that could run a script: run leasetop purge itself, from cron for instance")
	}
	return l.PurgeLoop(p, days, pace, b.mapping, &b.caps)
}
