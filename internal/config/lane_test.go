package config

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

const destructiveQueue = `servers: {local: {dsn: "sqlite:q.db"}}
queues:
  shipping:
    table: Ship
    family: destructive
    order: lifo
    clock: local
    mode: transaction
    dead_letters: "{table}_Dead"
    columns:
      key: [QDateTime datetime, CustomerID int, Price money, Doc xml]
      enqueued: QDateTime datetime
`

func TestADestructiveQueueIsRead(t *testing.T) {
	f, err := Parse("c.yaml", []byte(destructiveQueue), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Queues[0].Mapping
	want := model.Lane{Order: model.LIFO, Clock: model.ClockLocal, Mode: model.Transaction, Dead: model.Table{Name: "Ship_Dead"}}
	if m.Lane != want || m.Family != model.Destructive || len(m.Keys) != 4 || m.Column(model.RoleEnqueued).Name != "QDateTime" {
		t.Errorf("%+v", m)
	}
	if m.Keys[2].Type != model.Fraction || m.Keys[3].Type != model.Opaque {
		t.Errorf("types %v, %v", m.Keys[2].Type, m.Keys[3].Type)
	}
}

// TestMistakesInADestructiveQueue changes one thing each, and names what is said.
func TestMistakesInADestructiveQueue(t *testing.T) {
	for name, c := range map[string]struct{ from, to, says string }{
		"no order":            {"    order: lifo\n", "", "no order is given; write order: fifo, lifo or none"},
		"another order":       {"lifo", "newest", `order cannot be "newest"; write fifo, lifo or none`},
		"no clock":            {"    clock: local\n", "", "no clock is given; write clock: utc, local or offset: nothing in the table tells by what QDateTime is written"},
		"another clock":       {"local\n", "gmt\n", `clock cannot be "gmt"; write utc, local`},
		"an offset without":   {"clock: local", "clock: offset", "clock offset needs a datetimeoffset: QDateTime is datetime"},
		"no column of order":  {"      enqueued: QDateTime datetime\n", "", "enqueued is not mapped; order lifo goes by it"},
		"one that is not":     {"enqueued: QDateTime datetime", "enqueued: When datetime", "enqueued is When, which the list key does not have; it names all columns"},
		"a text to order by":  {"enqueued: QDateTime datetime", "enqueued: QDateTime varchar(30)", "enqueued must be a date-time or a whole number"},
		"a role without use":  {"enqueued: QDateTime datetime", "enqueued: QDateTime datetime\n      worker: CustomerID int", "worker has no meaning in a destructive queue"},
		"another mode":        {"transaction", "rollback", `mode cannot be "rollback"; write autocommit, transaction or unknown`},
		"states":              {"    columns:", "    states: {ready: R}\n    columns:", "a destructive queue has none: a row that is there is ready"},
		"in a fenced queue":   {"destructive", "fenced", "mode and dead_letters belong to a destructive queue"},
		"a table of no shape": {"{table}_Dead", "a.b.c", "dead_letters: table"},
	} {
		text := strings.Replace(destructiveQueue, c.from, c.to, 1)
		if text == destructiveQueue {
			t.Errorf("%s: nothing was changed", name)
		}
		if _, err := Parse("c.yaml", []byte(text), nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
