package sqlserver

import (
	"context"
	"sync"
	"time"
)

// tokenPatience is how long a token may take to fetch: longer than a poll, which
// goes on without it.
const tokenPatience = time.Minute

// shared lets connections that need the same token at once wait for one fetch.
// That goes on when the call that began it has run out of time, so that a slow
// token service is waited for once and not at every poll.
func shared(fetch tokenFunc) tokenFunc {
	type flight struct {
		done  chan struct{}
		token string
		err   error
	}
	var (
		mu  sync.Mutex
		now = map[string]*flight{}
	)
	return func(ctx context.Context, scope, tenant string) (string, error) {
		key := tenant + " " + scope
		mu.Lock()
		f, under := now[key]
		if !under {
			f = &flight{done: make(chan struct{})}
			now[key] = f
			own, cancel := context.WithTimeout(context.WithoutCancel(ctx), tokenPatience)
			go func() {
				defer cancel()
				f.token, f.err = fetch(own, scope, tenant)
				mu.Lock()
				defer mu.Unlock()
				delete(now, key)
				close(f.done)
			}()
		}
		mu.Unlock()
		select {
		case <-f.done:
			return f.token, f.err
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
