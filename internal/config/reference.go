package config

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Entry is one key that a configuration may have.
type Entry struct {
	Path    []string // the keys that lead to it; NAME stands for any name
	Kind    string   // what its value is, for eyes
	Default string   // what holds without it, for eyes; empty: nothing
	Env     string   // a variable of the environment that goes over it
	Flag    string   // a flag that goes over both
	Doc     string   // one or two sentences
	Example string   // a value as it is written; empty: what is below it is
	Aside   bool     // it contradicts what stands beside it in the first file, where it stays a remark
}

// Key is the entry's own key.
func (e Entry) Key() string { return e.Path[len(e.Path)-1] }

// AnyName stands in an Entry's path for a name that the user gives.
const AnyName = "NAME"

// Reference lists every key of a configuration in the order in which it is
// written. A test holds it to what is read.
func Reference() []Entry {
	var out []Entry
	add := func(path, kind, def, doc, example string) *Entry {
		out = append(out, Entry{Path: strings.Fields(path), Kind: kind, Default: def, Doc: doc, Example: example})
		return &out[len(out)-1]
	}
	e := add("poll", "duration", text.Span(DefaultPoll), "How often each queue is looked at.", "2s")
	e.Env, e.Flag = EnvPoll, "--poll"
	e = add("theme", "word", "auto", "The colours: auto, dark, light, high-contrast or none. auto asks the terminal for its background and meanwhile goes by COLORFGBG. NO_COLOR in the environment is heeded, whatever its value.", "auto")
	e.Env, e.Flag = EnvTheme, "--theme"
	e = add("ascii", "true or false", "by the terminal", "Draw with ASCII only, for terminals without box-drawing glyphs or that draw them two cells wide. Where nobody says so it is true under a locale of C, POSIX or a character set other than UTF-8, and on the Linux console.", "false")
	e.Env, e.Flag = EnvASCII, "--ascii"
	e = add("record_payloads", "true or false", "false", "Keep the payloads that v reads on a job's page, for looking back, :save and --record: up to 64 kB of each and 8 MB of an hour.", "false")
	e.Env, e.Flag = EnvPayloads, "--record-payloads"
	limitEntries(add, "limits", "Where a figure begins to need a person, for queues that do not say so themselves: a finding on the screen, a verdict in check.")
	serverEntries(add)
	queueEntries(add)
	add("profiles", "", "", "Mappings of your own, by name: which column plays which role and which value means which state.", "")
	shapeEntries(add, "profiles "+AnyName)
	return out
}

type adder func(path, kind, def, doc, example string) *Entry

func serverEntries(add adder) {
	const at = "servers " + AnyName + " "
	add("servers", "", "", "The servers by name: each is one DSN without its table, the unit of connections, rights and production marks.", "")
	e := add(at+"dsn", "text", "", "Its address. A password in it works and is better kept elsewhere.", "sqlserver://watcher@db1.example:1433?database=orders")
	e.Env, e.Flag = EnvDSN, "--dsn"
	add(at+"control", "true or false", "false", "Let operators act on its queues. A file of your own (sqlite:) needs no switch.", "false").Flag = "--control"
	add(at+"print_only", "true or false", "false", "Show what an act would send, for somebody else to run, and send nothing.", "false").Flag = "--print-only"
	add(at+"dev", "true or false", "false", "It is no production: fewer confirmations, and simulated work is allowed. A file of your own always is.", "false").Flag = "--dev"
	add(at+"color", "colour", "", "Marks its queues on the screen: "+strings.Join(ColorNames(), ", ")+".", "yellow")
	add(at+"password_env", "text", EnvPassword, "The variable that holds its password.", "ORDERS_PASSWORD")
	add(at+"password_file", "text", "", "The file whose first line is its password.", "/run/secrets/orders")
	add(at+"password_command", "list of words", "", "The program and its arguments that print its password; no shell takes part.", "[pass, show, orders]")
}

func queueEntries(add adder) {
	const at = "queues " + AnyName + " "
	add("queues", "", "", "The queues by name: each is one table and its mapping.", "")
	add(at+"server", "text", "the only server", "The name of its server.", "prod")
	add(at+"table", "text", "", "Its table; a dot inside a name wants brackets.", "dbo.QueueDemo").Flag = "--table"
	add(at+"profile", "text", DefaultProfile, "The mapping that it begins with: a built-in one, or one of the file's profiles. What the queue says itself goes over it. One with columns and no profile begins with nothing.", DefaultProfile).Flag = "--profile"
	add(at+"allow_scan", "true or false", "false", "Watch it even where no index leads on its state column and each look reads the whole table; it is then looked at every 30 s at the most, less often the larger it is.", "false").Flag = "--allow-scan"
	limitEntries(add, "queues "+AnyName+" limits", "This queue's limits; they go over the file's own, step by step.")
	shapeEntries(add, "queues "+AnyName)
}

func limitEntries(add adder, at, doc string) {
	add(at, "", "", doc, "")
	examples := map[model.Measure]string{
		model.MeasureOldest: "{warn: 2m, bad: 10m}", model.MeasureOverdue: "5m", model.MeasureReady: "{warn: 1000, bad: 10000}",
		model.MeasureExpired: "{bad: 10}", model.MeasureFailed: "{warn: 0}",
	}
	docs := map[model.Measure]string{
		model.MeasureOldest:  "How long the oldest ready job may wait. One value is the bad limit; warn is a step before it.",
		model.MeasureOverdue: "How far the worst expired lease may lie back.",
		model.MeasureReady:   "How many jobs may be ready.",
		model.MeasureExpired: "How many leases may have run out.",
		model.MeasureFailed:  "How many dead letters there may be.",
	}
	for _, m := range model.Measures() {
		kind := "number, or warn and bad"
		if m.IsTime() {
			kind = "duration, or warn and bad"
		}
		add(at+" "+string(m), kind, "", docs[m], examples[m])
	}
}

func shapeEntries(add adder, at string) {
	add(at+" family", "word", "", "What a completion names, and so what is safe: fenced, since it names the claim's token; unfenced, where it names the key alone, so that acts are only ever printed, with their danger; or destructive, where a dequeue is a DELETE.", "fenced")
	add(at+" lease", "duration", text.Span(model.DefaultLease), "The usual lease, against which lateness is judged.", "5m")
	add(at+" history", "text", "", "The table that gets a row when an attempt ends and for each act; {table} stands for the queue's own; none: there is none.", "\"{table}_History\"")
	add(at+" brake", "text", "", "The table with the one row that says whether claims are stopped, written like the history; none: this queue has no brake.", "\"{table}_Control\"")
	laneEntries(add, at)
	add(at+" columns", "", "", "Each role's column and its type, as the table declares it; none takes a role away that a profile maps.", "")
	for _, r := range model.Roles() {
		add(fmt.Sprintf("%s columns %s", at, r), "column", "", roleDoc(r), roleExample(r))
	}
	add(at+" states", "", "", "The value of the state column that means each state; none takes one away.", "")
	for i, s := range model.States() {
		add(fmt.Sprintf("%s states %s", at, s), "value", "", stateDoc(s), string("SRWDF"[i]))
	}
}

func roleDoc(r model.Role) string {
	return map[model.Role]string{
		model.RoleKey:         "The job's key; a list for a key of several columns.",
		model.RoleState:       "Where the job stands.",
		model.RolePriority:    "The smaller is claimed first, and before all others a job that has none.",
		model.RoleToken:       "The claim that holds it; what fences a stale worker.",
		model.RoleLease:       "Until when the claim holds.",
		model.RoleWorker:      "Who claimed it.",
		model.RoleAttempts:    "How often it was claimed since it was enqueued or requeued.",
		model.RoleMaxAttempts: "The bound of attempts.",
		model.RoleTotalClaims: "How often it was claimed in all.",
		model.RoleEnqueued:    "When it was enqueued.",
		model.RoleAvailable:   "From when on it may be claimed.",
		model.RoleClaimed:     "When its claim began.",
		model.RoleHeartbeat:   "The last heartbeat.",
		model.RoleEnded:       "When it was done or failed.",
		model.RoleError:       "The last attempt's diagnostic.",
		model.RoleOperation:   "The job's own stable business id.",
		model.RolePayload:     "What the job carries; read only when a person asks.",
	}[r]
}

func roleExample(r model.Role) string {
	return map[model.Role]string{
		model.RoleKey: "JobId bigint", model.RoleState: "State char(1)", model.RolePriority: "Priority smallint",
		model.RoleToken: "ClaimToken uniqueidentifier", model.RoleLease: "LeaseUntil datetime2(3)", model.RoleWorker: "ClaimedBy nvarchar(128)",
		model.RoleAttempts: "Attempts int", model.RoleMaxAttempts: "MaxAttempts int", model.RoleTotalClaims: "TotalClaims int",
		model.RoleEnqueued: "EnqueuedAt datetime2(3)", model.RoleAvailable: "AvailableAt datetime2(3)", model.RoleClaimed: "ClaimedAt datetime2(3)",
		model.RoleHeartbeat: "HeartbeatAt datetime2(3)", model.RoleEnded: "CompletedAt datetime2(3)", model.RoleError: "LastError nvarchar(2000)",
		model.RoleOperation: "OperationId uniqueidentifier", model.RolePayload: "Payload nvarchar(max)",
	}[r]
}

func stateDoc(s model.State) string {
	return map[model.State]string{
		model.Scheduled: "Not due yet.", model.Ready: "May be claimed.", model.Working: "Claimed.",
		model.Done: "Completed.", model.Failed: "Given up: a dead letter.",
	}[s]
}
