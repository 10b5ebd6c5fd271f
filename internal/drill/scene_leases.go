package drill

import (
	"context"
	"slices"

	"github.com/leasetop/leasetop/model"
)

// leases tells what becomes of a claim whose worker is killed or late.
func leases(ctx context.Context, r *round) error {
	for _, play := range []func(*script, *round){killed, lateAlone, lateTaken, extended} {
		err := r.on(ctx, Order{Name: "leases"}, func(ctx context.Context, p place) error {
			s := newScript(ctx, r, p)
			play(s, r)
			return s.err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// over lets the lease of every claim run out.
func (s *script) over() { s.pass(s.lease + s.lease/10) }

// killed: after its claim the worker is never heard of again.
func killed(s *script, r *round) {
	t := r.of(killedComesBack)
	s.enqueue(1, model.NewJob{})
	first := s.claim("worker-a")
	s.over()
	if n := len(s.claims("worker-b", 1)); n > 0 {
		t.fault("the job came to another worker before anybody recovered it")
	}
	if n := len(s.recover(model.Backoff{})); n != 1 {
		t.fault("recovery took %d rows back, not one", n)
	}
	if s.err == nil && s.row(first.Key).Token.IsZero() {
		t.fault("recovery left the row without a token, so that nobody can tell this return from an earlier one")
	}
	s.promote()
	second := s.claim("worker-b")
	if s.err == nil && (second.Attempts.N != 2 || second.Token == first.Token) {
		t.fault("the second claim is attempt %d with token %s, after %s", second.Attempts.N, second.Token, first.Token)
	}
	if !s.complete(second) {
		t.fault("the second worker could not complete")
	}
	kinds := s.kinds(first.Key)
	if s.err == nil && !slices.Equal(kinds, []model.EventKind{model.EventExpired, model.EventCompleted}) {
		t.fault("the history says %v", kinds)
	}
	t.say(killedComesBack, "not claimed before recovery, then attempt %d; the history says %v", second.Attempts.N, kinds)
}

// lateAlone: a stalled worker whose job nobody took ends it after the lease.
func lateAlone(s *script, r *round) {
	t := r.of(lateCompletes)
	s.enqueue(1, model.NewJob{})
	c := s.claim("worker-a")
	s.pass(2 * s.lease)
	if !s.complete(c) {
		t.fault("its completion was refused, although its token stood")
	}
	j := s.row(c.Key)
	if s.err == nil && (j.State != model.Done || j.Token != c.Token) {
		t.fault("the row is %s with token %s", j.State, j.Token)
	}
	t.say(lateCompletes, "one lease late, and %s by its own token", j.State)
}

// lateTaken: the same, after recovery gave the job to somebody else.
func lateTaken(s *script, r *round) {
	t := r.of(lateIsLost)
	s.enqueue(1, model.NewJob{})
	a := s.claim("worker-a")
	s.over()
	s.recover(model.Backoff{})
	s.promote()
	b := s.claim("worker-b")
	if s.beat(a) {
		t.fault("the first worker's heartbeat was honoured")
	}
	if s.complete(a) {
		t.fault("the first worker's completion was honoured")
	}
	if !s.complete(b) {
		t.fault("the second worker could not complete")
	}
	j := s.row(a.Key)
	if s.err == nil && (j.State != model.Done || j.Token != b.Token) {
		t.fault("the row is %s with token %s, the second worker's is %s", j.State, j.Token, b.Token)
	}
	t.say(lateIsLost, "heartbeat and completion of the first worker matched no row; the second one's token ended the job")
}

// extended: an operator gives a worker more time, then the worker beats.
func extended(s *script, r *round) {
	t := r.of(extensionStays)
	s.enqueue(1, model.NewJob{})
	c := s.claim("worker-a")
	if !s.act(model.Extend, c) {
		t.fault("the extension matched no row")
	}
	before := s.row(c.Key).Lease
	if !s.beat(c) {
		t.fault("the worker's heartbeat was refused after the extension")
	}
	after := s.row(c.Key).Lease
	lost := before.At.Sub(after.At)
	if s.err == nil && lost > 0 {
		t.fault("the heartbeat took %v of the extension back", lost)
	}
	t.say(extensionStays, "the lease lies %v later than the heartbeat alone would set it", (3 * s.lease).Round(s.lease/10))
}
