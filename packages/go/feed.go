package latchkey

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A server or proxy that answers at once without changes is not asked more often.
const shortestTurn = 500 * time.Millisecond

// feed reads the revocation feed.
type feed struct {
	options *Options
	server  *server
	running context.Context
	apply   func(*feedAnswer) (isComplete, isDoubtful bool)
	report  func(*Error)
	isReady chan struct{}
	once    sync.Once

	cursor string
	// At the beginning, while more is available and after a failure, the server must answer at once, because requests
	// may be waiting.
	isUrgent bool

	mutex sync.Mutex
	// Time of the last complete answer.
	heardAt time.Time
}

func (f *feed) lastHeard() time.Time {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.heardAt
}

// wait is the number of seconds for which the server may hold a request; less when a short maximum age is set.
func (f *feed) wait() int {
	switch age := f.options.MaxRevocationAge; {
	case f.isUrgent:
		return 0
	case age == 0:
		return 20
	default:
		return max(1, min(20, int(age.Seconds()/2)))
	}
}

func (f *feed) turn() error {
	began := time.Now()
	wasUrgent := f.isUrgent
	body, err := f.server.revocations(f.running, f.cursor, f.wait())
	if err != nil {
		return err
	}
	answer, err := readFeedAnswer(body)
	if err != nil {
		return err
	}
	// Without a cursor the answer is a complete new state, whatever it says.
	answer.reset = answer.reset || f.cursor == ""
	isComplete, isDoubtful := f.apply(answer)
	f.cursor = answer.cursor
	if isDoubtful {
		f.cursor = ""
	}
	if isComplete {
		f.mutex.Lock()
		f.heardAt = f.options.Now()
		f.mutex.Unlock()
		f.once.Do(func() { close(f.isReady) })
	}
	f.isUrgent = answer.more || f.cursor == ""
	f.report(nil)
	isIdle := !wasUrgent && !answer.more && len(answer.changes) == 0
	if isIdle && time.Since(began) < shortestTurn {
		pause(f.running, shortestTurn)
	}
	return nil
}

// isCursorRefused: the server does not know the cursor, for example after its database was restored.
func isCursorRefused(err error) bool {
	var status statusError
	if !errors.As(err, &status) {
		return false
	}
	return status == 400 || status == 404 || status == 410 || status == 422
}

// run reads the feed until the context ends.
func (f *feed) run() {
	for failures := 0; f.running.Err() == nil; {
		err := f.turn()
		if err == nil {
			failures = 0
			continue
		}
		if isCursorRefused(err) {
			f.cursor = ""
		}
		f.isUrgent = true
		f.report(asError(err))
		failures++
		pause(f.running, backoff(failures))
	}
}
