package latchkey

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Limits the load that an attacker who tries secrets can put on the server.
const mostUnderWay = 256

// Tokens that only the server can verify, because that needs a secret, and their interface. Tokens that the server has
// signed are of either one.
var interfaceOf = map[Kind]Interface{KindSelfSigned: Current, KindKeySet: Legacy}

type remembered struct {
	// nil: not active.
	claims *claims
	until  time.Time
}

// question is a query under way. Concurrent requests with the same token share it.
type question[V any] struct {
	done   chan struct{}
	answer V
	err    error
}

func (q *question[V]) wait(ctx context.Context) (V, error) {
	select {
	case <-q.done:
		return q.answer, q.err
	case <-ctx.Done():
		var none V
		return none, unavailable("unreachable", ctx.Err())
	}
}

// introspection asks the server about tokens (RFC 7662), and caches its answers briefly.
type introspection struct {
	options *Options
	server  *server
	running context.Context
	report  func(*Error)

	mutex sync.Mutex
	// Separate caches, so that wrong secrets do not evict correct ones.
	active, inactive *recent[remembered]
	underWay         map[string]*question[*claims]
	drops            int
}

func notAsAgreed() *Error {
	return unavailable("bad_answer", answerError("introspection: not as agreed"))
}

// readIntrospection returns nil for an inactive token, and for a token of another kind than asked for: the server also
// knows refresh tokens, and a secret must not pass for an issued token.
func readIntrospection(body object, kind Kind) (*claims, error) {
	r := claimReader{members: body}
	if body["active"] == false {
		return nil, nil
	}
	found := Kind(r.text("kind"))
	if body["active"] != true || r.isFaulty {
		return nil, notAsAgreed()
	}
	if found != kind {
		return nil, nil
	}
	generation, isKnown := interfaceOf[kind]
	if !isKnown {
		generation = Interface(r.text("interface"))
		r.need(generation == Legacy || generation == Current)
	}
	c := &claims{
		kind:           kind,
		generation:     generation,
		clientID:       r.text("client_id"),
		organizationID: r.text("organization_id"),
		permissions:    r.list("permissions", true),
		jkt:            r.key(),
		authTime:       r.time("auth_time"),
		acr:            r.optional("acr"),
		actors:         r.toldActors(),
	}
	c.tokenID, _ = textOf(body["jti"])
	if kind == KindUser {
		c.userID = r.text("sub")
	}
	ids, isGiven := body["workspace_ids"]
	if c.allWorkspaces = isGiven && ids == nil; !c.allWorkspaces {
		c.workspaceIDs = r.list("workspace_ids", true)
	}
	r.need(body["interface"] == string(generation))
	if _, isLimited := body["exp"]; isLimited {
		exp := r.count("exp")
		c.expiresAt = &exp
	}
	if r.isFaulty {
		return nil, notAsAgreed()
	}
	return c, nil
}

// claimsOf returns the claims of a token, which must be of the kind that it looks like.
func (i *introspection) claimsOf(ctx context.Context, token string, kind Kind) (*claims, error) {
	sum := sha256.Sum256([]byte(token))
	key := string(sum[:])
	found, isKnown, asking, err := i.recall(key, token, kind)
	if err != nil {
		return nil, err
	}
	c := found.claims
	if !isKnown {
		if c, err = asking.wait(ctx); err != nil {
			return nil, err
		}
	}
	if c == nil || c.kind != kind {
		return nil, invalid("inactive")
	}
	return c, nil
}

func (i *introspection) recall(key, token string, kind Kind) (
	remembered, bool, *question[*claims], error,
) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	found, isKnown := i.active.get(key)
	if !isKnown {
		found, isKnown = i.inactive.get(key)
	}
	if isKnown && found.until.After(i.options.Now()) {
		return found, true, nil, nil
	}
	if asked := i.underWay[key]; asked != nil {
		return found, false, asked, nil
	}
	if len(i.underWay) >= mostUnderWay {
		return found, false, nil, unavailable("overloaded", nil)
	}
	asking := &question[*claims]{done: make(chan struct{})}
	i.underWay[key] = asking
	go i.ask(asking, key, token, kind, i.drops)
	return found, false, asking, nil
}

func (i *introspection) ask(asking *question[*claims], key, token string, kind Kind, before int) {
	defer close(asking.done)
	body, err := i.server.introspect(i.running, token)
	if err == nil {
		asking.answer, err = readIntrospection(body, kind)
	}
	asking.err = err
	i.report(asError(err))
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.underWay[key] == asking {
		delete(i.underWay, key)
	}
	// An answer from before a change may arrive after the change.
	if err == nil && i.drops == before {
		i.remember(key, asking.answer)
	}
}

func (i *introspection) remember(key string, c *claims) {
	now := i.options.Now()
	if c == nil {
		i.inactive.set(key, remembered{nil, now.Add(i.options.InactiveFor)})
		return
	}
	life := i.options.ActiveFor
	if c.expiresAt != nil {
		left := *c.expiresAt - float64(now.UnixNano())/1e9
		life = time.Duration(min(life.Seconds(), left) * float64(time.Second))
	}
	i.active.set(key, remembered{c, now.Add(life)})
}

// drop drops the answers that a change may affect.
func (i *introspection) drop(isOut func(*claims) bool) {
	i.forget(func(one remembered) bool { return one.claims != nil && isOut(one.claims) })
}

func (i *introspection) clear() { i.forget(func(remembered) bool { return true }) }

func (i *introspection) forget(isOut func(remembered) bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.drops++
	clear(i.underWay)
	i.active.deleteWhere(isOut)
	i.inactive.clear()
}

// openReach asks the server for the workspaces of verified tokens that have too many to list them.
type openReach struct {
	options *Options
	server  *server
	running context.Context
	report  func(*Error)

	mutex    sync.Mutex
	underWay map[string]*question[[]string]
	// Until when an inactive token is not asked about again.
	inactive *recent[time.Time]
}

// readReach returns nil for an inactive token, and an *Error for an answer about another token.
func readReach(body object, c *claims) ([]string, error) {
	if body["active"] == false {
		return nil, nil
	}
	ids, isList := textListOf(body["workspace_ids"])
	isAboutIt := body["active"] == true && body["kind"] == string(c.kind) && body["client_id"] == c.clientID &&
		body["organization_id"] == c.organizationID
	if !isAboutIt || !isList {
		return nil, notAsAgreed()
	}
	return ids, nil
}

func (o *openReach) workspacesOf(ctx context.Context, token string, c *claims) ([]string, error) {
	asking, err := o.question(token, c)
	if err != nil {
		return nil, err
	}
	ids, err := asking.wait(ctx)
	if err == nil && ids == nil {
		err = invalid("inactive")
	}
	return ids, err
}

func (o *openReach) question(token string, c *claims) (*question[[]string], error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if until, isKnown := o.inactive.get(c.tokenID); isKnown && until.After(o.options.Now()) {
		return nil, invalid("inactive")
	}
	if asked := o.underWay[c.tokenID]; asked != nil {
		return asked, nil
	}
	if len(o.underWay) >= mostUnderWay {
		return nil, unavailable("overloaded", nil)
	}
	asking := &question[[]string]{done: make(chan struct{})}
	o.underWay[c.tokenID] = asking
	go o.ask(asking, token, c)
	return asking, nil
}

func (o *openReach) ask(asking *question[[]string], token string, c *claims) {
	defer close(asking.done)
	body, err := o.server.introspect(o.running, token)
	if err == nil {
		asking.answer, err = readReach(body, c)
	}
	asking.err = err
	o.report(asError(err))
	o.mutex.Lock()
	defer o.mutex.Unlock()
	delete(o.underWay, c.tokenID)
	if err == nil && asking.answer == nil {
		o.inactive.set(c.tokenID, o.options.Now().Add(o.options.InactiveFor))
	}
}
