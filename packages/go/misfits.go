package latchkey

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"
)

// shown is a value for a message of one line.
func shown(value any) string {
	if value == nil {
		return "absent"
	}
	text, _ := json.Marshal(value)
	if len(text) > 200 {
		return strings.ToValidUTF8(string(text[:200]), "") + "…"
	}
	return string(text)
}

func issuerAdvice(source, found, issuer string) string {
	hint := ""
	if found == shown(strings.TrimRight(issuer, "/")) || found == shown(issuer+"/") {
		hint = " (they differ only in the slash at the end)"
	}
	return fmt.Sprintf("the issuer of %s is %s, but Issuer is %s%s: set Issuer to the server's ISSUER, byte for byte",
		source, found, shown(issuer), hint)
}

const (
	compareEvery = 5 * time.Minute
	compareAgain = 30 * time.Second
)

// compareIssuer compares Issuer with the metadata of the server (RFC 8414 §3.3), until the context ends. Requests for
// keys and feed report a server that cannot be reached, and a proxy may withhold the metadata.
func compareIssuer(ctx context.Context, server *server, problems *problems) {
	for ctx.Err() == nil {
		metadata, err := server.metadata(ctx)
		found, isText := textOf(metadata["issuer"])
		switch issuer := server.options.Issuer; {
		case err != nil:
			pause(ctx, compareAgain)
			continue
		case isText && found != issuer:
			problems.report("metadata", "issuer", issuerAdvice("the server", shown(found), issuer))
		default:
			problems.clear("metadata", "")
		}
		pause(ctx, compareEvery)
	}
}

// Where other tokens are accepted, the sender of a misfit is at fault, and not the configuration.
const provenFor = time.Hour

// misfits notices tokens of the server that are refused because of an option or a clock.
type misfits struct {
	options    *Options
	problems   *problems
	mutex      sync.Mutex
	acceptedAt time.Time
}

func (m *misfits) isProven() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return !m.acceptedAt.IsZero() && m.options.Now().Sub(m.acceptedAt) < provenFor
}

// valueOf: only a signed value is the server's. Without a signature check, the sender could choose what the log says.
func (m *misfits) valueOf(value any) string {
	if m.options.Mode == ModeIntrospect {
		return "another one"
	}
	return shown(value)
}

// refused reports the misfit, if it is one.
func (m *misfits) refused(refusal *Error, payload object) {
	switch o := m.options; refusal.Reason {
	case "issuer":
		if !m.isProven() {
			m.problems.report("tokens", "issuer", issuerAdvice("a token", m.valueOf(payload["iss"]), o.Issuer))
		}
	case "audience":
		if !m.isProven() {
			m.problems.report("tokens", "audience", fmt.Sprintf("the audience of a token is %s, but Audience is %s: set "+
				"Audience to the server's TOKEN_AUDIENCE, or to the audience that the operator has given this data API",
				m.valueOf(payload["aud"]), shown(o.Audience)))
		}
	case "not_yet_valid":
		iat, _ := secondsOf(payload["iat"])
		nbf, _ := secondsOf(payload["nbf"])
		m.problems.report("tokens", "clock", fmt.Sprintf("a token of the server becomes valid only in %.0f seconds by the "+
			"clock of this machine: synchronize both clocks", max(iat, nbf)-o.at()))
	}
}

func (m *misfits) accepted() {
	m.mutex.Lock()
	m.acceptedAt = m.options.Now()
	m.mutex.Unlock()
	m.problems.clear("tokens", "issuer")
	m.problems.clear("tokens", "audience")
}

// clockCheck compares the clocks. The server answered between the two local times, so the difference lies between two
// limits.
type clockCheck struct {
	problems  *problems
	tolerance time.Duration
}

func (c *clockCheck) compare(sentAt, receivedAt time.Time, date string) {
	answeredAt, err := http.ParseTime(date)
	if err != nil {
		return
	}
	tolerated := max(5*time.Second, c.tolerance)
	// The header has whole seconds.
	least, most := sentAt.Sub(answeredAt)-time.Second, receivedAt.Sub(answeredAt)
	switch {
	case least > tolerated:
		c.report(least, "ahead of")
	case most < -tolerated:
		c.report(-most, "behind")
	case least >= -tolerated && most <= tolerated:
		c.problems.clear("clock", "")
	}
}

func (c *clockCheck) report(difference time.Duration, side string) {
	c.problems.report("clock", "clock", fmt.Sprintf("the clock of this machine is %.0f seconds %s the server's: "+
		"synchronize both clocks", math.Round(difference.Seconds()), side))
}
