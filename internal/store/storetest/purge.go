package storetest

import (
	"context"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func purgeCases() []testCase {
	return []testCase{
		{name: "done rows by time", lease: true, run: purgeDone, needs: []store.Op{
			store.OpPurgeDone, store.OpPurgeHistory, store.OpComplete, store.OpClaim, store.OpEnqueue, store.OpInspect,
		}},
		{name: "dead letters", lease: true, run: purgeFailed, needs: []store.Op{store.OpPurgeFailed, store.OpDeadLetterUnclaimed, store.OpInspect}},
		{name: "under load", lease: true, run: purgeLoad, needs: []store.Op{
			store.OpPurgeDone, store.OpPurgeHistory, store.OpComplete, store.OpClaim, store.OpEnqueue, store.OpInspect,
		}},
		{name: "by key", run: purgeKeys, needs: []store.Op{store.OpPurgeKeys, store.OpInspect}},
	}
}

// purge sends batches until there is no more, and gives how many rows went.
func (e *env) purge(p store.PurgeAsk) int64 {
	e.Helper()
	var n int64
	for range 1000 {
		got, err := e.q.Purge(e.ctx, p)
		if err != nil {
			e.Fatalf("%s: %v", p.Op, err)
		}
		if got.Deleted > int64(p.N) {
			e.Fatalf("%s took %d rows in a batch of %d", p.Op, got.Deleted, p.N)
		}
		n += got.Deleted
		if p.After = got.Last; !got.More {
			return n
		}
	}
	e.Fatalf("%s never ends", p.Op)
	return n
}

func (e *env) there(k model.Key) bool {
	e.Helper()
	j, _, err := e.q.Inspect(e.ctx, k)
	if err != nil {
		e.Fatal(err)
	}
	return j != nil
}

// finish makes n jobs and ends them.
func (e *env) finish(n int) []model.Key {
	e.Helper()
	keys, err := e.q.Enqueue(e.ctx, make([]model.NewJob, n))
	if err != nil {
		e.Fatal(err)
	}
	for _, c := range e.claim(n) {
		e.one(e.q.Complete(e.ctx, c.Key, c.Token))
	}
	return keys
}

func purgeDone(e *env) {
	waiting, err := e.q.Enqueue(e.ctx, []model.NewJob{{Delay: 1000 * time.Hour}})
	if err != nil {
		e.Fatal(err)
	}
	old := e.finish(7)
	e.advance(48 * time.Hour)
	young := e.finish(5)
	until := e.now().Add(-24 * time.Hour)
	is(e, "done rows that went", e.purge(store.PurgeAsk{Op: store.OpPurgeDone, Until: until, N: 3}), int64(7))
	is(e, "a second time", e.purge(store.PurgeAsk{Op: store.OpPurgeDone, Until: until, N: 3}), int64(0))
	for _, k := range old {
		is(e, "an old done row", e.there(k), false)
	}
	for _, k := range append(young, waiting...) {
		is(e, "a young one, or one that is not done", e.there(k), true)
	}
	is(e, "events that went", e.purge(store.PurgeAsk{Op: store.OpPurgeHistory, Until: until, N: 2}), int64(7))
	is(e, "events that stay", len(e.events(young[0])), 1)
}

func purgeFailed(e *env) {
	kill := func() model.Key {
		k := e.seed(Seed{})
		c, _, err := e.q.Apply(e.ctx, model.Intent{
			Action: model.DeadLetter, Key: k, Seen: model.Seen{State: model.Ready}, ActionID: e.guid(), Actor: "ops", Reason: "no",
		})
		e.one(c, err)
		return k
	}
	old := []model.Key{kill(), kill()}
	e.advance(48 * time.Hour)
	young := kill()
	is(e, "dead letters that went", e.purge(store.PurgeAsk{Op: store.OpPurgeFailed, Until: e.now().Add(-24 * time.Hour), N: 1}), int64(2))
	is(e, "an old one", e.there(old[0]) || e.there(old[1]), false)
	is(e, "a young one", e.there(young), true)
}

// purgeLoad purges while workers claim and complete: no row that is not over goes.
func purgeLoad(e *env) {
	const jobs = 120
	old := e.finish(40)
	e.advance(48 * time.Hour)
	keys, err := e.q.Enqueue(e.ctx, make([]model.NewJob, jobs))
	if err != nil {
		e.Fatal(err)
	}
	var workers sync.WaitGroup
	for range 4 {
		q := e.stand.Open(e).Queue(e.wanted)
		workers.Go(func() {
			for {
				claims, err := q.Claim(context.WithoutCancel(e.ctx), e.guid(), "tester", 2, aLease)
				if err != nil || len(claims) == 0 {
					return
				}
				for _, c := range claims {
					if got, err := q.Complete(e.ctx, c.Key, c.Token); err != nil || len(got) != 1 {
						e.Errorf("completing %s: %v, %v", c.Key, got, err)
					}
				}
			}
		})
	}
	until := e.now().Add(-24 * time.Hour)
	gone := e.purge(store.PurgeAsk{Op: store.OpPurgeDone, Until: until, N: 5})
	e.purge(store.PurgeAsk{Op: store.OpPurgeHistory, Until: until, N: 5})
	workers.Wait()
	gone += e.purge(store.PurgeAsk{Op: store.OpPurgeDone, Until: until, N: 50}) // what was locked then
	is(e, "old rows that went", gone, int64(len(old)))
	for _, k := range keys {
		is(e, "state of a job beside the purge", e.row(k).State, model.Done)
	}
}

func purgeKeys(e *env) {
	if e.m().Keys[0].Type != model.Int || e.leaseTable() {
		e.Skip("only a table without times, with numbers for keys, is purged by key")
	}
	var keys []model.Key
	for i := range 9 {
		s := Seed{State: model.Done, Token: e.guid()}
		if i%3 == 1 {
			s = Seed{}
		}
		keys = append(keys, e.seed(s))
	}
	upTo, _ := keys[6].Values()[0].Int()
	is(e, "rows that went", e.purge(store.PurgeAsk{Op: store.OpPurgeKeys, UpTo: upTo, N: 2}), int64(5))
	for i, k := range keys {
		is(e, "a row that is left", e.there(k), i%3 == 1 || i > 6)
	}
}
