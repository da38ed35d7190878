package latchkey

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// Problem of the configuration or of the server that has not passed.
type Problem struct {
	// Part is where it was found: `keys`, `feed` or `introspection` for failed requests, `metadata`, `tokens` or `clock`
	// for options and clocks that do not fit the server.
	Part string
	// Reason is `unreachable`, `refused` or `bad_answer` for a failed request, `stale` when there is no news of
	// revocations, or the option that does not fit: `issuer`, `audience` or `clock`.
	Reason string
	Since  time.Time
	// Count is how often it was found since then.
	Count int
	// Message says what it means, and what to do about it.
	Message string
	lastAt  time.Time
}

// Status of a verifier, for a health check and for operators.
type Status struct {
	// Ready is true when revocations and, unless every token is introspected, keys have been read once.
	Ready bool
	// Problems that have not passed. Each was logged once.
	Problems []Problem
}

type problemKey struct{ part, reason string }

const (
	// A problem that recurs within this time is not logged a second time.
	quietFor = time.Minute
	// After this time a problem of tokens has passed, because no request can show that it has.
	tokensFor = time.Hour
)

// problems are the current ones. Each is logged once when it is found.
type problems struct {
	now       func() time.Time
	logger    *slog.Logger
	onProblem func(*Error)

	mutex    sync.Mutex
	current  map[problemKey]Problem
	loggedAt map[problemKey]time.Time
}

func newProblems(o *Options) *problems {
	return &problems{
		now: o.Now, logger: o.Logger, onProblem: o.OnProblem,
		current: map[problemKey]Problem{}, loggedAt: map[problemKey]time.Time{},
	}
}

var advice = map[string]string{
	"refused": "the server refuses the credentials of the resource server: check ClientID and ClientSecret; the operator " +
		"can create new ones",
	"unreachable": "the server does not answer in time: check Issuer or Server, and the network to it",
	"bad_answer":  "this is not the answer of a Latchkey server: check Issuer or Server, and proxies on the way",
}

// No credentials are sent for the keys.
const keysRefused = "the server refuses to return its keys: check Server, and proxies on the way"

// report adds a problem, and logs it when it is new.
func (p *problems) report(part, reason, message string, details ...any) {
	if p.note(problemKey{part, reason}, message) {
		p.logger.Warn("latchkey: "+message, append([]any{"part", part, "reason", reason}, details...)...)
	}
}

// note returns whether the problem must be logged.
func (p *problems) note(key problemKey, message string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.now()
	one, isKnown := p.current[key]
	if !isKnown {
		one = Problem{Part: key.part, Reason: key.reason, Since: now}
	}
	one.Count, one.Message, one.lastAt = one.Count+1, message, now
	p.current[key] = one
	if last, wasLogged := p.loggedAt[key]; isKnown || (wasLogged && now.Sub(last) < quietFor) {
		return false
	}
	p.loggedAt[key] = now
	return true
}

// clear: the part is in order again, or only in this respect.
func (p *problems) clear(part, reason string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for key := range p.current {
		if key.part == part && (reason == "" || key.reason == reason) {
			delete(p.current, key)
		}
	}
}

// failed reports a failed request. It replaces an earlier failure of the part.
func (p *problems) failed(part string, problem *Error) {
	message, isAboutRequest := advice[problem.Reason]
	if !isAboutRequest {
		return
	}
	for reason := range advice {
		if reason != problem.Reason {
			p.clear(part, reason)
		}
	}
	if part == "keys" && problem.Reason == "refused" {
		message = keysRefused
	}
	p.report(part, problem.Reason, message, "cause", causeOf(problem))
}

// causeOf is a status or an error of the network. Other texts may contain what was sent.
func causeOf(problem *Error) string {
	var status statusError
	var answer answerError
	switch cause := problem.cause; {
	case errors.As(cause, &status):
		return status.Error()
	case errors.As(cause, &answer):
		return answer.Error()
	case cause != nil && problem.Reason == "unreachable":
		return cause.Error()
	}
	return ""
}

func (p *problems) list() []Problem {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	list := []Problem{}
	for key, one := range p.current {
		if key.part == "tokens" && p.now().Sub(one.lastAt) > tokensFor {
			delete(p.current, key)
		} else {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(one, other Problem) int {
		return strings.Compare(one.Part+" "+one.Reason, other.Part+" "+other.Reason)
	})
	return list
}

// reportAs returns a function for the results of a part's requests; nil is a success.
func (v *Verifier) reportAs(part string) func(*Error) {
	return func(problem *Error) {
		switch {
		case problem == nil:
			v.problems.clear(part, "")
		case v.running.Err() == nil:
			if v.problems.onProblem != nil {
				v.problems.onProblem(problem)
			}
			v.problems.failed(part, problem)
		}
	}
}

// Status says whether tokens can be verified, and what is wrong.
func (v *Verifier) Status() Status {
	isReady := v.running.Err() == nil
	for _, ready := range v.awaited() {
		select {
		case <-ready:
		default:
			isReady = false
		}
	}
	if isReady {
		v.isStale()
	}
	return Status{isReady, v.problems.list()}
}
