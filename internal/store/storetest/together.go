package storetest

import (
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func togetherCases() []testCase {
	return []testCase{
		{name: "claims from two processes", needs: []store.Op{store.OpClaim}, run: claimTogether},
		{name: "recovery from two processes", needs: []store.Op{store.OpRecover, store.OpInspect}, run: recoverTogether},
		{name: "reclaims of one row", needs: []store.Op{store.OpForce, store.OpInspect}, run: reclaimTogether},
		{name: "the schema is made again", lease: true, run: schemaTogether},
	}
}

// each runs f in n goroutines over two openings of the database and waits.
func (e *env) each(n int, f func(q *store.Queue)) {
	e.Helper()
	other := e.stand.Open(e)
	queues := []*store.Queue{e.q, other.Queue(e.wanted)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(queues[i%2]) })
	}
	wg.Wait()
}

func claimTogether(e *env) {
	const jobs = 120
	for range jobs {
		e.seed(Seed{})
	}
	var mu sync.Mutex
	seen := map[model.Key]model.Token{}
	e.each(8, func(q *store.Queue) {
		for {
			c, err := q.Claim(e.ctx, e.guid(), "tester", 2, aLease)
			if err != nil {
				e.Errorf("claim: %v", err)
				return
			}
			if len(c) == 0 {
				return
			}
			mu.Lock()
			for _, one := range c {
				if t, twice := seen[one.Key]; twice {
					e.Errorf("%s was claimed with %s and with %s", one.Key, t, one.Token)
				}
				seen[one.Key] = one.Token
			}
			mu.Unlock()
		}
	})
	is(e, "jobs claimed", len(seen), jobs)
	for k, t := range seen {
		is(e, "the row's token", e.row(k).Token, t)
	}
}

func recoverTogether(e *env) {
	const rows = 60
	for range rows {
		e.held(-time.Minute)
	}
	var mu sync.Mutex
	taken := map[model.Key]model.Token{}
	e.each(6, func(q *store.Queue) {
		for {
			c, err := q.Recover(e.ctx, e.guid(), 7, 0, back(), 100)
			if err != nil {
				e.Errorf("recover: %v", err)
				return
			}
			if len(c) == 0 {
				return
			}
			mu.Lock()
			for _, one := range c {
				if _, twice := taken[one.Key]; twice {
					e.Errorf("%s was taken back twice", one.Key)
				}
				taken[one.Key] = one.NewToken
			}
			mu.Unlock()
		}
	})
	is(e, "rows taken back", len(taken), rows)
	for k, t := range taken {
		is(e, "the row's token", e.row(k).Token, t)
	}
}

// reclaimTogether is two operators and one row: one act is applied.
func reclaimTogether(e *env) {
	k, tok := e.held(time.Minute)
	var mu sync.Mutex
	var applied []string
	e.each(8, func(q *store.Queue) {
		id := e.guid()
		c, _, err := q.Apply(e.ctx, model.Intent{Action: model.Force, Key: k, Seen: model.Seen{Token: tok}, ActionID: id, Actor: "ops"})
		if err != nil {
			e.Errorf("force: %v", err)
		}
		mu.Lock()
		defer mu.Unlock()
		if len(c) > 0 {
			applied = append(applied, id)
		}
	})
	if len(applied) != 1 {
		e.Fatalf("applied %v, want one", applied)
	}
	is(e, "the row's token", e.row(k).Token, e.token(applied[0]))
}

func schemaTogether(e *env) {
	k := e.seed(Seed{Payload: "kept"})
	m := e.wanted
	e.each(4, func(*store.Queue) {
		if err := e.db.MakeSchema(e.ctx, &m); err != nil {
			e.Errorf("schema: %v", err)
		}
	})
	is(e, "the row", e.row(k).Key, k)
}
