package latchkey

import (
	"context"
	"math/rand/v2"
	"time"
)

// pause ends early when the context does.
func pause(ctx context.Context, duration time.Duration) {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// backoff is the time to wait after this many consecutive failures, from 0.1 s to 5 s, randomized.
func backoff(failures int) time.Duration {
	longest := min(200*time.Millisecond<<min(failures-1, 10), 5*time.Second)
	return longest/2 + rand.N(longest/2)
}
