package latchkey

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const mostKeys = 100

// The server publishes keys ahead of their use.
const refreshEvery = 5 * time.Minute

// keys are the server's public keys as last read.
type keys struct {
	options *Options
	server  *server
	// Ends all reads; not that of a caller, because callers share a read.
	running context.Context
	// Called when a known key is no longer published.
	onRemoved func()
	report    func(*Error)
	isReady   chan struct{}

	mutex   sync.Mutex
	known   map[string]*verifyingKey
	reading chan struct{}
	lastTry time.Time
	problem *Error
	once    sync.Once
}

func (k *keys) get(kid string) *verifyingKey {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.known[kid]
}

// find reads the keys again for an unknown id, as often as KeysInterval allows. nil: the server has no such key.
func (k *keys) find(ctx context.Context, kid string) (*verifyingKey, error) {
	if key := k.get(kid); key != nil {
		return key, nil
	}
	k.mutex.Lock()
	isDue := k.reading != nil || k.options.Now().Sub(k.lastTry) >= k.options.KeysInterval
	k.mutex.Unlock()
	if isDue {
		select {
		case <-k.readOnce():
		case <-ctx.Done():
			return nil, unavailable("unreachable", ctx.Err())
		}
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if key := k.known[kid]; key != nil {
		return key, nil
	}
	if k.problem != nil {
		return nil, k.problem
	}
	return nil, nil
}

// readOnce starts a read, or joins the one under way. The channel is closed at its end.
func (k *keys) readOnce() <-chan struct{} {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.reading != nil {
		return k.reading
	}
	reading := make(chan struct{})
	k.reading, k.lastTry = reading, k.options.Now()
	go func() {
		defer close(reading)
		k.read()
	}()
	return reading
}

func (k *keys) read() {
	read, problem := k.fetch()
	k.mutex.Lock()
	hasLost := false
	if problem == nil {
		for kid, key := range k.known {
			if isSameKey(key, read[kid]) {
				// A key that is still published stays the same object.
				read[kid] = key
			} else {
				hasLost = true
			}
		}
		k.known = read
	}
	k.problem, k.reading = problem, nil
	k.mutex.Unlock()
	k.report(problem)
	if problem != nil {
		return
	}
	if hasLost {
		k.onRemoved()
	}
	k.once.Do(func() { close(k.isReady) })
}

// fetch returns the usable keys by id; for a repeated id, the first key.
func (k *keys) fetch() (map[string]*verifyingKey, *Error) {
	body, err := k.server.keys(k.running)
	if err != nil {
		return nil, asError(err)
	}
	listed, _ := body["keys"].([]any)
	usable := map[string]*verifyingKey{}
	for _, one := range listed[:min(len(listed), mostKeys)] {
		key := readKey(one)
		if key != nil && usable[key.kid] == nil {
			usable[key.kid] = key
		}
	}
	// An empty set would invalidate every token. Treat it as a fault and keep the known keys.
	if len(usable) == 0 {
		return nil, unavailable("bad_answer", answerError("no usable key in the key set"))
	}
	return usable, nil
}

// run reads the keys at intervals until the context ends.
func (k *keys) run() {
	for failures := 0; k.running.Err() == nil; {
		<-k.readOnce()
		k.mutex.Lock()
		hasFailed := k.problem != nil
		k.mutex.Unlock()
		if hasFailed {
			failures++
			pause(k.running, backoff(failures))
		} else {
			failures = 0
			pause(k.running, refreshEvery*9/10+rand.N(refreshEvery/5))
		}
	}
}
