package tdstest

import (
	"net"
	"time"
)

func (p Set) send(c *session) flow {
	kinds := c.w.columns(p)
	for _, r := range p.Rows {
		if p.Pause > 0 {
			if f := c.wait(p.Pause); f != goOn {
				return f
			}
		}
		if err := c.w.row(kinds, r); err != nil {
			c.s.t.Error(err)
			return over
		}
	}
	if p.Broken != nil {
		return p.Broken.send(c)
	}
	c.step(doneMore|doneCount, len(p.Rows))
	return goOn
}

func (p Error) send(c *session) flow {
	c.w.error(p)
	c.err = true
	return goOn
}

func (p Count) send(c *session) flow {
	c.step(doneMore|doneCount, int(p))
	return goOn
}

func (p Sleep) send(c *session) flow { return c.wait(time.Duration(p)) }

func (p Silence) send(c *session) flow {
	if !c.flush(false) {
		return over
	}
	for {
		m, ok := c.next()
		if !ok {
			return over
		}
		if m.kind == packAttention && !p.Deaf {
			return c.stopped()
		}
		if m.kind == packAttention {
			c.s.cancelled()
		}
	}
}

func (Hangup) send(c *session) flow {
	c.flush(false)
	return over
}

func (Reset) send(c *session) flow {
	c.flush(false)
	if t, ok := c.c.(*net.TCPConn); ok {
		t.SetLinger(0) //nolint:errcheck // then it is a plain end
	}
	return over
}

func (p Half) send(c *session) flow {
	for _, part := range p.Of {
		part.send(c)
	}
	var all []byte
	for _, pack := range packets(packReply, c.w.b) {
		all = append(all, pack...)
	}
	c.w.b = nil
	if _, err := c.c.Write(all[:len(all)/2]); err != nil || p.Hangup {
		return over
	}
	return Silence{Deaf: true}.send(c)
}

// wait lets time pass and hears whether the client cancels.
func (c *session) wait(d time.Duration) flow {
	if !c.flush(false) {
		return over
	}
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return goOn
		case <-c.gone:
			return over
		case m := <-c.in:
			if m.kind == packAttention {
				return c.stopped()
			}
		}
	}
}

// stopped acknowledges a client that cancelled the statement in hand.
func (c *session) stopped() flow {
	if c.acknowledge() {
		return answered
	}
	return over
}
