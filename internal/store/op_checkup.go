package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The operations of a checkup. They are sent when somebody asks for one, and never
// by a poll.
const (
	OpCatalog       Op = "catalog"        // what the catalog says of the table, its history and the login
	OpIndexes       Op = "indexes"        // the indexes of both
	OpHealth        Op = "health"         // rows that break an invariant, found by seeks on the state
	OpHealthScan    Op = "health-scan"    // the same by reading everything; only when it is insisted on
	OpHistoryHealth Op = "history-health" // the history's own times
)

// catalogSpecs are the operations of a checkup of any family. What is said of the
// history is said of a destructive queue's dead letters.
func catalogSpecs() []Spec {
	return []Spec{
		// One row. own_trigger is a name. Counts of what stands on the history come with the name of the first and the table that it is
		// declared on. may_… is 1 where this login has the right.
		{Op: OpCatalog, Kind: Watch, Keyless: true, Columns: []string{
			"edition", "online", "versions", "snapshot", "optimized", "offset_min",
			"identity", "identity_type", "identity_last", "nullable_keys", "rows", "events",
			"own_trigger", "triggers", "trigger", "foreign_keys", "foreign_key", "foreign_schema", "foreign_table", "checks", "check",
			"may_insert", "may_update", "may_recall", "may_record", "sees_sessions",
		}},
		// One row for each key column, by index. filter is the engine's own text.
		{Op: OpIndexes, Kind: Watch, Keyless: true, Columns: []string{
			"on_history", "index", "clustered", "unique", "disabled", "page_locks", "row_locks", "filter", "column", "descending",
		}},
	}
}

// checkupSpecs are the operations of a checkup. Their key is NULL where a row is
// about no job.
func checkupSpecs() []Spec {
	symptoms := []string{"rule", "rows", "value", "ms"}
	return append(catalogSpecs(),
		// cap: how many rows of each state are looked at. One row for each symptom; rows is how many there are, the
		// key is the first of them.
		Spec{Op: OpHealth, Kind: Watch, Params: []string{"cap"}, Columns: symptoms},
		// The same by reading the whole table, done rows too.
		Spec{Op: OpHealthScan, Kind: Watch, Params: []string{"cap"}, Columns: symptoms},
		// limit: how many of the newest rows of the history are looked at.
		Spec{Op: OpHistoryHealth, Kind: Watch, Keyless: true, Params: []string{"limit"}, Columns: symptoms},
	)
}

// How long the statements of a checkup may take: nobody waits for a frame, and
// whoever insists on a scan knows what it is.
const (
	CheckupDeadline = 10 * time.Second
	ScanDeadline    = time.Minute
)

// Patience is an operation's own deadline; 0: that of its kind.
func Patience(op Op) time.Duration {
	switch op {
	case OpHealthScan:
		return ScanDeadline
	case OpCatalog, OpIndexes, OpHealth, OpHistoryHealth:
		return CheckupDeadline
	}
	return 0
}

// pastRows is how many rows of the history a checkup looks at.
const pastRows = 2000

// Catalog reads what the catalog says of the table, its history and the login.
func (q *Queue) Catalog(ctx context.Context) (model.Catalog, error) {
	_, rows, err := q.run(ctx, OpCatalog, nil)
	if err != nil || len(rows) == 0 {
		return model.Catalog{}, err
	}
	r := rows[0]
	named := func(count, name string) model.Obstacle {
		return model.Obstacle{Count: r.Int(count), Name: text.Clean(r.Text(name))}
	}
	c := model.Catalog{
		Edition: text.Clean(r.Text("edition")), Online: r.Int("online"), RowVersions: r.Int("versions"), Snapshot: r.Int("snapshot"),
		Optimized: r.Int("optimized"), Offset: r.Int("offset_min"),
		Identity:     model.Identity{Column: r.Text("identity"), Declared: text.Clean(r.Text("identity_type")), Last: r.Int("identity_last")},
		NullableKeys: r.Int("nullable_keys"), Rows: r.Int("rows"), Events: r.Int("events"), Trigger: r.Text("own_trigger"),
		Triggers: named("triggers", "trigger"), References: named("foreign_keys", "foreign_key"), Checks: named("checks", "check"),
		MayInsert: r.Int("may_insert"), MayUpdate: r.Int("may_update"), MayRecall: r.Int("may_recall"), MayRecord: r.Int("may_record"),
		SeesSessions: r.Int("sees_sessions"),
	}
	c.References.On = model.Table{Schema: r.Text("foreign_schema"), Name: r.Text("foreign_table")}
	return c, nil
}

// Indexes reads the indexes of the table and of its history.
func (q *Queue) Indexes(ctx context.Context) ([]model.Index, error) {
	_, rows, err := q.run(ctx, OpIndexes, nil)
	if err != nil {
		return nil, err
	}
	var out []model.Index
	yes := func(r Row, column string) bool { return r.Int(column).N == 1 }
	for _, r := range rows {
		if r.Value("on_history").IsNull() {
			continue
		}
		x := model.Index{
			Name: r.Text("index"), OnHistory: yes(r, "on_history"), Clustered: yes(r, "clustered"), Unique: yes(r, "unique"),
			Disabled: yes(r, "disabled"), PageLocks: yes(r, "page_locks"), RowLocks: yes(r, "row_locks"), Filter: text.Clean(r.Text("filter")),
		}
		if n := len(out); n == 0 || out[n-1].Name != x.Name || out[n-1].OnHistory != x.OnHistory {
			out = append(out, x)
		}
		last := &out[len(out)-1]
		last.Columns = append(last.Columns, r.Text("column"))
		last.Descending = append(last.Descending, yes(r, "descending"))
	}
	return out, nil
}

// Health looks for rows that break an invariant, among the first CountCap rows of
// each state. With scan it reads the whole table, which may take a minute.
func (q *Queue) Health(ctx context.Context, scan bool) ([]model.Symptom, time.Time, error) {
	op := OpHealth
	if scan {
		op = OpHealthScan
	}
	return q.symptoms(ctx, op, Args{"cap": model.IntValue(CountCap)})
}

// HistoryHealth looks at the newest rows of the history and at its first.
func (q *Queue) HistoryHealth(ctx context.Context) ([]model.Symptom, time.Time, error) {
	return q.symptoms(ctx, OpHistoryHealth, Args{"limit": model.IntValue(pastRows)})
}

// Remembered is the age of the oldest event in the history; zero: it is empty.
func (q *Queue) Remembered(ctx context.Context) (time.Duration, error) {
	found, _, err := q.symptoms(ctx, OpHistoryHealth, Args{"limit": model.IntValue(1)})
	for _, s := range found {
		if s.Rule == model.SymptomOldest {
			return s.Span, err
		}
	}
	return 0, err
}

func (q *Queue) symptoms(ctx context.Context, op Op, a Args) ([]model.Symptom, time.Time, error) {
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return nil, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil {
		return nil, now, err
	}
	var out []model.Symptom
	for _, r := range rows {
		if r.Text("rule") == "" {
			continue
		}
		s := model.Symptom{Rule: r.Text("rule"), Key: c.key(r), Value: text.Clean(r.Text("value"))}
		if n := r.Int("rows"); n.Known {
			s.Count = model.Count{N: n.N, Trust: model.Exact}
			if n.N >= CountCap {
				s.Count.Trust = model.Capped
			}
		}
		s.Span = time.Duration(r.Int("ms").N) * time.Millisecond
		out = append(out, s)
	}
	return out, now, nil
}

// Mender is what a dialect may have beside Dialect: the statement of a remedy, for
// eyes alone.
type Mender interface {
	Mend(m *model.Mapping, r model.Remedy) (string, error)
}

// Mend writes the statement of a remedy; empty: the engine has none.
func (q *Queue) Mend(r model.Remedy) (string, error) {
	d, ok := q.db.run.dialect.(Mender)
	if !ok || r.Kind == "" {
		return "", nil
	}
	return d.Mend(q.Mapping(), r)
}
