package latchkey

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Problem with the requests to the server that has not passed.
type Problem struct {
	// Part is `keys`, `feed` or `introspection`.
	Part string
	// Reason is `unreachable`, `refused` or `bad_answer`.
	Reason string
	Since  time.Time
	// Message says what an operator can do about it.
	Message string
}

// Status of a verifier.
type Status struct {
	// Ready is true when keys and revocations have been read once.
	Ready    bool
	Problems []Problem
}

type problems struct {
	now       func() time.Time
	onProblem func(*Error)
	mutex     sync.Mutex
	current   map[string]Problem
}

var advice = map[string]string{
	"refused":     "the server refuses ClientID and ClientSecret: check the credentials of the resource server",
	"unreachable": "the server does not answer in time: check Issuer or Server, and the network",
	"bad_answer":  "this is not the answer of a Latchkey server: check Issuer or Server",
}

// reportAs returns a function for the results of a part's requests; nil is a success.
func (v *Verifier) reportAs(part string) func(*Error) {
	return func(problem *Error) {
		if v.running.Err() == nil {
			v.problems.report(part, problem)
		}
	}
}

func (p *problems) report(part string, problem *Error) {
	isNew := p.note(part, problem)
	switch {
	case problem == nil:
	case p.onProblem != nil:
		p.onProblem(problem)
	case isNew:
		slog.Warn("latchkey: "+advice[problem.Reason], "part", part, "reason", problem.Reason, "cause", problem.cause)
	}
}

// note returns whether the problem is a new one.
func (p *problems) note(part string, problem *Error) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if problem == nil {
		delete(p.current, part)
		return false
	}
	if p.current[part].Reason == problem.Reason {
		return false
	}
	if p.current == nil {
		p.current = map[string]Problem{}
	}
	p.current[part] = Problem{part, problem.Reason, p.now(), advice[problem.Reason]}
	return true
}

// Status says whether tokens can be verified, and what is wrong.
func (v *Verifier) Status() Status {
	isReady := true
	for _, ready := range []chan struct{}{v.keys.isReady, v.feed.isReady} {
		select {
		case <-ready:
		default:
			isReady = false
		}
	}
	v.problems.mutex.Lock()
	defer v.problems.mutex.Unlock()
	byPart := func(one, other Problem) int { return strings.Compare(one.Part, other.Part) }
	return Status{isReady, slices.SortedFunc(maps.Values(v.problems.current), byPart)}
}
