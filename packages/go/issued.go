package latchkey

import (
	"context"
	"regexp"
	"strings"
	"sync"
)

// Limits the memory for tokens whose workspaces the server returned: their lists have up to 100 bytes an entry.
const mostWorkspaces = 1_000_000

// RFC 9068 §2.1: prevents the use of another JWT of the issuer as an access token.
var accessTokenType = regexp.MustCompile(`^(?i:application/)?(?i:at\+jwt)$`)

// verified is a token with a valid signature and valid claims.
type verified struct {
	token  string
	claims *claims
	// Seconds since 1970, tolerance included.
	deadline float64
}

// issuedTokens verifies tokens that the server has signed, locally.
type issuedTokens struct {
	options     *Options
	keys        *keys
	revocations *revocations
	openReach   *openReach
	misfits     *misfits

	mutex        sync.Mutex
	known, asked *recent[*verified]
}

func newIssuedTokens(o *Options, k *keys, r *revocations, reach *openReach, m *misfits) *issuedTokens {
	weigh := func(one *verified) int { return 1 + len(one.claims.workspaceIDs) }
	return &issuedTokens{
		options: o, keys: k, revocations: r, openReach: reach, misfits: m,
		known: newRecent[*verified](o.CacheSize, nil),
		asked: newRecent(mostWorkspaces, weigh),
	}
}

// RFC 9449 §7.2: a bound token must not be used as a bearer token, and a proof does not bind an unbound one.
func checkKey(c *claims, jkt string) error {
	switch {
	case c.jkt == jkt:
		return nil
	case jkt == "":
		return invalid("bound_to_key")
	}
	return invalid("key_mismatch")
}

func (i *issuedTokens) judge(one *verified, jkt string) (*Access, error) {
	if err := checkKey(one.claims, jkt); err != nil {
		return nil, err
	}
	return i.revocations.judge(one.claims)
}

// recall judges a known token by all known revocations; false when the token is new.
func (i *issuedTokens) recall(token, jkt string) (*Access, bool, error) {
	signature := token[strings.LastIndexByte(token, '.')+1:]
	i.mutex.Lock()
	one, isKnown := i.known.get(signature)
	if !isKnown {
		one, isKnown = i.asked.get(signature)
	}
	i.mutex.Unlock()
	if !isKnown || one.token != token {
		return nil, false, nil
	}
	if one.deadline <= i.options.at() {
		return nil, true, invalid("expired")
	}
	access, err := i.judge(one, jkt)
	return access, true, err
}

func (i *issuedTokens) keyFor(ctx context.Context, jws *compactJWS) (*verifyingKey, error) {
	if !accessTokenType.MatchString(jws.header.typ) || jws.header.kid == "" {
		return nil, invalid("header")
	}
	key, err := i.keys.find(ctx, jws.header.kid)
	switch {
	case err != nil:
		return nil, err
	case key == nil:
		return nil, invalid("key_unknown")
	case key.alg != jws.header.alg:
		return nil, invalid("algorithm")
	}
	return key, nil
}

func (i *issuedTokens) verify(ctx context.Context, token string, jws *compactJWS, jkt string) (*Access, error) {
	key, err := i.keyFor(ctx, jws)
	if err != nil {
		return nil, err
	}
	if !key.verify(jws.input, jws.signature) {
		return nil, invalid("signature")
	}
	payload := decodePart(jws.payload)
	if payload == nil {
		return nil, invalid("malformed")
	}
	c, err := readClaims(payload, i.options, i.options.at())
	if err != nil {
		i.misfits.refused(asError(err), payload)
		return nil, err
	}
	i.misfits.accepted()
	one := &verified{token, c, *c.expiresAt + i.options.ClockTolerance.Seconds()}
	cache := i.known
	if c.isOpen {
		cache = i.asked
		if one, err = i.withWorkspaces(ctx, one, jkt); err != nil {
			return nil, err
		}
	}
	i.remember(cache, jws.signature, one, key)
	return i.judge(one, jkt)
}

// withWorkspaces asks the server, but not about a revoked token, nor for a sender without the key.
func (i *issuedTokens) withWorkspaces(ctx context.Context, one *verified, jkt string) (*verified, error) {
	if _, err := i.judge(one, jkt); err != nil {
		return nil, err
	}
	ids, err := i.openReach.workspacesOf(ctx, one.token, one.claims)
	if err != nil {
		return nil, err
	}
	c := *one.claims
	c.workspaceIDs, c.isOpen = ids, false
	return &verified{one.token, &c, one.deadline}, nil
}

func (i *issuedTokens) remember(cache *recent[*verified], signature string, one *verified, key *verifyingKey) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	// The key may have been withdrawn meanwhile. Then this result is not cached.
	if i.keys.get(key.kid) == key {
		cache.set(signature, one)
	}
}

func (i *issuedTokens) clear() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.known.clear()
	i.asked.clear()
}
