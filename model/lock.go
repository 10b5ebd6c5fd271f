package model

// The levels at which an engine locks, as Holder.Level says them.
const (
	LockRow   = "row"   // KEY or RID
	LockPage  = "page"  // the page that the row lies on
	LockTable = "table" // the whole table, or the intent to change rows of it
)

// Holder is a session of the server that holds a lock on a job's row, its page or
// its table, or waits for one.
type Holder struct {
	Session int64
	Level   string
	Mode    string // as the engine says, such as X, U or IX
	Waiting bool   // it has not got the lock yet
	Ours    bool   // it is the session that asked

	Program, Host, Login string
	Status               string // as the engine says, such as sleeping
	Held                 Age    // since its transaction began
	Blocker              int64  // the session that it waits for itself; 0: none
	Running              string // what it runs, or ran last; empty: not known
	Busy                 bool   // Running is being run now
}

// Locks is what is known of the locks on one job at one moment. An engine or a
// login may keep either half to itself.
type Locks struct {
	Skipped Number // 1: others pass the row over because it is locked, 0: they do not
	Blocked bool   // a lock on its page or table makes them wait instead of passing over
	RowErr  *Fault // why neither is known

	Optimized bool // the engine locks transactions and not rows: a writer is listed by its table alone
	Holders   []Holder
	More      bool   // there are more than are listed
	HoldErr   *Fault // why no session is known
}
