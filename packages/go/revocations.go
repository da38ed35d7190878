package latchkey

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

type changeKey struct{ kind, id, userID, clientID string }

// table has the last change of each subject.
type table map[changeKey]change

func (t table) isOut(key changeKey) bool {
	one, isKnown := t[key]
	return isKnown && !one.active
}

// parties are the app of the authorization and the apps that act with it.
func (c *claims) parties() []actorClaims {
	return append([]actorClaims{{c.clientID, c.installID, c.appEpoch, c.tokenID}}, c.actors...)
}

// areOut returns whether a token, an install or an app of any party is.
func (t table) areOut(c *claims) (token, install, app bool) {
	for _, one := range c.parties() {
		token = token || t.isOut(changeKey{kind: "token", id: one.subjectTokenID})
		install = install || t.isOut(changeKey{kind: "install", id: one.installID})
		known, isKnown := t[changeKey{kind: "app", id: one.clientID}]
		app = app || isKnown && (!known.active || one.appEpoch < known.epoch)
	}
	return token, install, app
}

// isOutside returns whether the user is outside the audience of the install, or of that of an actor.
func (t table) isOutside(c *claims) bool {
	return slices.ContainsFunc(c.parties(), func(one actorClaims) bool {
		return t.isOut(changeKey{kind: "install_member", id: one.installID, userID: c.userID})
	})
}

// refusal is the reason to refuse a token after the known changes; empty when there is none.
func (t table) refusal(c *claims) string {
	isTokenOut, isInstallOut, isAppOut := t.areOut(c)
	switch {
	case t.isOut(changeKey{kind: "organization", id: c.organizationID}):
		return "organization_inactive"
	case isTokenOut:
		return "token_revoked"
	case t.isOut(changeKey{kind: "grant", id: c.grantID}):
		return "grant_revoked"
	case isInstallOut:
		return "install_inactive"
	case isAppOut:
		return "app_inactive"
	case c.userID == "":
		return ""
	}
	user, hasUser := t[changeKey{kind: "user", id: c.userID}]
	ended, hasEnded := t[changeKey{"connection", c.organizationID, c.userID, c.clientID}]
	switch {
	case hasUser && (!user.active || c.userEpoch < user.epoch):
		return "user_inactive"
	case t.isOut(changeKey{kind: "member", id: c.organizationID, userID: c.userID}):
		return "not_a_member"
	case t.isOutside(c):
		return "not_in_audience"
	case hasEnded && c.connectionEpoch < ended.epoch:
		return "grant_revoked"
	}
	return ""
}

func intersect(list, limit []string) []string {
	has := make(map[string]bool, len(limit))
	for _, one := range limit {
		has[one] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(one string) bool { return !has[one] })
}

// narrowed returns the claims with what the changes have left of their rights.
func (t table) narrowed(c *claims) *claims {
	rest := *c
	// An exchanged token stays within what each of its apps may do.
	for _, one := range c.parties() {
		if app, isKnown := t[changeKey{kind: "app", id: one.clientID}]; isKnown {
			rest.permissions = intersect(rest.permissions, app.permissions)
		}
		install, isKnown := t[changeKey{kind: "install", id: one.installID}]
		if !isKnown || one.installID == "" {
			continue
		}
		rest.permissions = intersect(rest.permissions, install.permissions)
		if !install.allWorkspaces && !c.allWorkspaces {
			rest.workspaceIDs = intersect(rest.workspaceIDs, install.workspaceIDs)
		}
	}
	if c.allWorkspaces {
		return &rest
	}
	rest.workspaceIDs = slices.DeleteFunc(slices.Clone(rest.workspaceIDs), func(id string) bool {
		workspace, isKnown := t[changeKey{kind: "workspace", id: id}]
		// Was it deleted, or is it another one with its id?
		if isKnown && (!workspace.active || (c.issuedAt != nil && *c.issuedAt < workspace.since)) {
			return true
		}
		return c.userID != "" && t.isOut(changeKey{kind: "workspace_member", id: id, userID: c.userID})
	})
	return &rest
}

// A clock that is set back by more than this many seconds had been ahead. Smaller steps are its precision.
const setBack = 1

// revocations are the revocations and narrowed rights since tokens were issued, from the feed.
type revocations struct {
	mutex sync.RWMutex
	known table
	// A new state that arrives in several answers is used only when it is complete. Until then the old one applies.
	staged table
	served map[string]bool
	// Seconds for which an entry is kept after its `until`.
	keepFor  float64
	began    time.Time
	prunedAt float64
	// The smallest difference in seconds between the time and the monotonic clock.
	lead       float64
	isDoubtful bool
}

func newRevocations(keepFor time.Duration, began time.Time) *revocations {
	return &revocations{known: table{}, keepFor: keepFor.Seconds(), began: began, lead: math.Inf(1)}
}

// surely returns the time in seconds since 1970, corrected for a clock that is temporarily ahead.
func (r *revocations) surely(now time.Time) float64 {
	at := float64(now.UnixNano()) / 1e9
	passed := now.Sub(r.began).Seconds()
	// The clock was ahead, so too many entries may have been dropped.
	if !math.IsInf(r.lead, 1) && r.lead-(at-passed) > setBack {
		r.isDoubtful = true
	}
	r.lead = min(r.lead, at-passed)
	return passed + r.lead
}

// prune drops entries that can no longer affect a token, once a minute.
func (r *revocations) prune(at float64) {
	if math.Abs(at-r.prunedAt) < 60 {
		return
	}
	r.prunedAt = at
	for key, one := range r.known {
		if one.until+r.keepFor < at {
			delete(r.known, key)
		}
	}
}

// apply applies one answer and returns whether the state is complete, and whether relevant entries may have been
// dropped, so that the whole state must be read again.
func (r *revocations) apply(answer *feedAnswer, now time.Time) (isComplete, isDoubtful bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.prune(r.surely(now))
	if answer.reset {
		r.staged, r.isDoubtful = table{}, false
	}
	changed := r.known
	if r.staged != nil {
		changed = r.staged
	}
	for _, one := range answer.changes {
		// The texts outlive the answer.
		key := changeKey{one.kind, strings.Clone(one.id), one.userID, one.clientID}
		changed[key] = one
	}
	if r.staged != nil && !answer.more {
		r.known, r.staged, r.served = r.staged, nil, answer.organizationIDs
	}
	return !answer.more, r.isDoubtful
}

// judge applies all changes to a token: the narrowed access, or an *Error.
func (r *revocations) judge(c *claims) (*Access, error) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	// Revocations of other organizations are not in the feed.
	if r.served != nil && !r.served[c.organizationID] {
		return nil, invalid("organization_not_served")
	}
	if reason := r.known.refusal(c); reason != "" {
		return nil, invalid(reason)
	}
	return accessOf(r.known.narrowed(c)), nil
}
