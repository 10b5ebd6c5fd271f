package model

import "time"

// Verdict is whether something can be done here and, if not, why and what would
// change that. The zero Verdict is "no, not probed".
type Verdict struct {
	OK  bool
	Why string
	Fix string
}

// Yes is the verdict that allows.
func Yes() Verdict { return Verdict{OK: true} }

// No is the verdict that refuses with its reason and its cure.
func No(why, fix string) Verdict { return Verdict{Why: why, Fix: fix} }

// Feature is something that a server, a table or a login may or may not allow.
type Feature string

// The features that a probe decides.
const (
	CanRead    Feature = "read"    // SELECT on the mapped columns
	CanCount   Feature = "count"   // an index leads on the state column, or the table is small
	CanPayload Feature = "payload" // SELECT on the payload column
	CanControl Feature = "control" // UPDATE on what an operator's act writes, no trigger in its way
	CanWork    Feature = "work"    // UPDATE for workers and INSERT for enqueue, hints honoured
	CanEnqueue Feature = "enqueue" // a new row gets its key by itself, and may be inserted
	CanHistory Feature = "history" // the history table is there and may be read; what acts write into it is part of control
	CanBrake   Feature = "brake"   // the control table is there, so that claims can be stopped
	CanOrder   Feature = "order"   // of a destructive queue: an index leads on the column that orders it
	CanBury    Feature = "bury"    // of a destructive queue: its dead letters have a table of the right shape
)

// Caps is what a probe found out about one queue.
type Caps struct {
	Engine    string        // "sqlserver", "babelfish", "sqlite"
	Version   string        // as the server says
	Database  string        // the database or file that was opened
	Encrypted string        // "TLS", "plain", "local"
	Login     string        // who the server says we are
	Skew      time.Duration // server time minus ours, half the round trip taken off
	ProbedAt  time.Time     // server time
	Can       map[Feature]Verdict
	Form      map[string]string // the form chosen for a statement that has several
	LowCounts bool              // the reader skips locked rows: counts are "at least"
	Scan      Scan              // each look reads the whole table, since somebody insisted
	Patience  time.Duration     // what a statement may take here, where that is longer than usual; 0: as usual
	Ours      bool              // the table has the whole shipped schema with its history
	Emulated  bool              // row locks are emulated by a table, for teaching
	Triggers  Triggers
	Server    Server
	Epoch     string // changes when the server restarted or the table was replaced
	Notes     []string
}

// Allows gives the verdict on a feature.
func (c *Caps) Allows(f Feature) Verdict { return c.Can[f] }

// Triggers says which enabled triggers stand on the table.
type Triggers struct {
	After   bool // what OUTPUT captured may not be the last word
	Instead bool // OUTPUT reports what did not happen: control is off
}
