package latchkey

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"
)

// The form of a key set's secret, which only the server can verify. No other text that is not a JWT is worth a request.
var (
	secretShape = regexp.MustCompile(`^(?:lkks_[\x21-\x7e]+|[\x21-\x7e]{16,256})$`)
	otherShape  = regexp.MustCompile(`^(?:eyJ|lk[a-jl-z][a-z]_|lkk[a-rt-z]_)`)
)

var keySetID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

// RFC 7518 §3.2: 32 bytes, in base64url.
const selfSignedSignatureLength = 43

// Verifier verifies the tokens of requests to a data API. All its methods may be called at the same time.
type Verifier struct {
	options       *Options
	running       context.Context
	stop          context.CancelFunc
	ended         sync.WaitGroup
	left          sync.Once
	keys          *keys
	feed          *feed
	revocations   *revocations
	introspection *introspection
	issued        *issuedTokens
	proofs        *proofs
	usage         *usage
	misfits       *misfits
	problems      *problems
}

// NewVerifier starts to read keys and revocations, and verifies tokens from then on, until Close or the end of the
// context. The error names every option at fault.
func NewVerifier(ctx context.Context, given Options) (*Verifier, error) {
	o := &given
	if err := o.complete(); err != nil {
		return nil, err
	}
	v := &Verifier{options: o, problems: newProblems(o)}
	v.running, v.stop = context.WithCancel(ctx)
	v.misfits = &misfits{options: o, problems: v.problems}
	server := newServer(o, &clockCheck{v.problems, o.ClockTolerance})
	v.revocations = newRevocations(o.ClockTolerance, o.Now())
	v.introspection = &introspection{
		options: o, server: server, running: v.running, report: v.reportAs("introspection"),
		active: newRecent[remembered](o.CacheSize, nil), inactive: newRecent[remembered](o.CacheSize, nil),
		underWay: map[string]*question[*claims]{},
	}
	reach := &openReach{
		options: o, server: server, running: v.running, report: v.reportAs("introspection"),
		underWay: map[string]*question[[]string]{}, inactive: newRecent[time.Time](o.CacheSize, nil),
	}
	v.keys = &keys{
		options: o, server: server, running: v.running, report: v.reportAs("keys"),
		isReady: make(chan struct{}), onRemoved: func() { v.issued.clear() },
	}
	v.issued = newIssuedTokens(o, v.keys, v.revocations, reach, v.misfits)
	v.feed = &feed{
		options: o, server: server, running: v.running, report: v.reportAs("feed"),
		isReady: make(chan struct{}), apply: v.apply, isUrgent: true,
	}
	v.proofs = newProofs(o)
	parts := []func(){v.feed.run, func() { compareIssuer(v.running, server, v.problems) }}
	if !o.NoUsage {
		v.usage = &usage{server: server, counts: map[usageKey]int64{}, since: o.Now().UTC()}
		parts = append(parts, func() { v.usage.run(v.running) })
	}
	if o.Mode == ModeLocal {
		parts = append(parts, v.keys.run)
	}
	for _, run := range parts {
		v.ended.Add(1)
		go func() {
			defer v.ended.Done()
			run()
		}()
	}
	return v, nil
}

func (v *Verifier) apply(answer *feedAnswer) (isComplete, isDoubtful bool) {
	if answer.reset {
		v.introspection.clear()
	}
	if len(answer.changes) > 0 {
		v.introspection.drop(func(c *claims) bool {
			return slices.ContainsFunc(answer.changes, func(one change) bool { return one.concerns(c) })
		})
	}
	return v.revocations.apply(answer, v.options.Now())
}

// Close stops all requests to the server. Later verifications are refused.
func (v *Verifier) Close() {
	v.stop()
	v.ended.Wait()
	v.left.Do(v.feed.server.leave)
}

// awaited are the parts that must be read once before a token can be verified.
func (v *Verifier) awaited() []chan struct{} {
	if v.options.Mode == ModeIntrospect {
		return []chan struct{}{v.feed.isReady}
	}
	return []chan struct{}{v.keys.isReady, v.feed.isReady}
}

// Wait returns when the revocations and, unless every token is introspected, the keys are read for the first time, or the
// context's error.
func (v *Verifier) Wait(ctx context.Context) error {
	for _, isReady := range v.awaited() {
		select {
		case <-isReady:
		case <-ctx.Done():
			return ctx.Err()
		case <-v.running.Done():
			return unavailable("closed", nil)
		}
	}
	return nil
}

// Verify returns the actor of a request and its rights. The error is an *Error for a refusal.
func (v *Verifier) Verify(ctx context.Context, credential Credential) (*Access, error) {
	access, err := v.verify(ctx, credential)
	if err != nil {
		return nil, err
	}
	access.usage = v.usage
	return access, nil
}

func (v *Verifier) verify(ctx context.Context, credential Credential) (*Access, error) {
	if credential.Proof == nil {
		return v.verifyToken(ctx, credential.Token, "")
	}
	proof, err := v.proofs.read(credential.Token, credential.Proof)
	if err != nil {
		return nil, err
	}
	access, err := v.verifyToken(ctx, credential.Token, proof.jkt)
	if err != nil {
		return nil, err
	}
	// A proof is consumed only when all other checks have passed.
	if err := v.proofs.use(ctx, proof); err != nil {
		return nil, err
	}
	return access, nil
}

// isStale is true when the feed has been silent for too long; it reports the problem then.
func (v *Verifier) isStale() bool {
	age := v.options.MaxRevocationAge
	if age == 0 || v.options.Now().Sub(v.feed.lastHeard()) <= age {
		return false
	}
	v.problems.report("feed", "stale", fmt.Sprintf("there is no news of revocations for more than %s, so tokens are "+
		"refused (MaxRevocationAge): check the connection to the server", age))
	return true
}

// checkNews refuses when revocations may have been missed.
func (v *Verifier) checkNews() error {
	if v.running.Err() != nil {
		return unavailable("closed", nil)
	}
	if v.isStale() {
		return unavailable("stale", nil)
	}
	return nil
}

func (v *Verifier) verifyToken(ctx context.Context, token, jkt string) (*Access, error) {
	if token == "" {
		return nil, invalid("missing")
	}
	access, isKnown, err := v.issued.recall(token, jkt)
	if !isKnown {
		return v.verifyNew(ctx, token, jkt)
	}
	if err != nil {
		return nil, err
	}
	if err := v.checkNews(); err != nil {
		return nil, err
	}
	return access, nil
}

func (v *Verifier) verifyNew(ctx context.Context, token, jkt string) (*Access, error) {
	if isLonger(token, v.options.MaxTokenLength) {
		return nil, invalid("too_long")
	}
	jws, err := parseCompact(token)
	switch {
	case err != nil:
		return nil, err
	case jws == nil && (!secretShape.MatchString(token) || otherShape.MatchString(token)):
		return nil, invalid("malformed")
	case jws == nil:
		return v.verifyByAsking(ctx, token, KindKeySet, nil, jkt)
	case slices.Contains(issuedAlgorithms, jws.header.alg) && v.options.Mode == ModeIntrospect:
		return v.verifyIntrospected(ctx, token, jws, jkt)
	case slices.Contains(issuedAlgorithms, jws.header.alg):
		return v.verifyIssued(ctx, token, jws, jkt)
	case jws.header.alg == "HS256":
		return v.verifyByAsking(ctx, token, KindSelfSigned, jws, jkt)
	}
	return nil, invalid("algorithm")
}

func (v *Verifier) verifyIssued(ctx context.Context, token string, jws *compactJWS, jkt string) (*Access, error) {
	limited, cancel := context.WithTimeout(ctx, v.options.Timeout)
	err := v.Wait(limited)
	cancel()
	if err != nil && v.running.Err() == nil {
		return nil, unavailable("starting", err)
	}
	if err := v.checkNews(); err != nil {
		return nil, err
	}
	return v.issued.verify(ctx, token, jws, jkt)
}

// namedKeySet returns the key set whose owner may have signed this token; empty when no owner can have. Only the server
// can verify it. Tokens that cannot be valid are not worth a request.
func (v *Verifier) namedKeySet(jws *compactJWS) string {
	if (jws.header.typ != "" && jws.header.typ != "JWT") || len(jws.signature) != selfSignedSignatureLength {
		return ""
	}
	payload := decodePart(jws.payload)
	// Only the issuer may use its own name, and it does not sign with a shared secret.
	iss, _ := payload["iss"].(string)
	if !keySetID.MatchString(iss) || iss == v.options.Issuer || !isNumericDate(payload["iat"]) {
		return ""
	}
	if exp, isLimited := payload["exp"]; isLimited {
		if !isNumericDate(exp) || exp.(float64)+v.options.ClockTolerance.Seconds() <= v.options.at() {
			return ""
		}
	}
	return iss
}

// verifyByAsking verifies a self-signed token, or without jws a secret.
func (v *Verifier) verifyByAsking(
	ctx context.Context, token string, kind Kind, jws *compactJWS, jkt string,
) (*Access, error) {
	if v.running.Err() != nil {
		return nil, unavailable("closed", nil)
	}
	if jkt != "" {
		return nil, invalid("key_mismatch") // no key set binds its tokens
	}
	named := ""
	if jws != nil {
		if named = v.namedKeySet(jws); named == "" {
			return nil, invalid("claims")
		}
	}
	c, err := v.introspection.claimsOf(ctx, token, kind)
	if err != nil {
		return nil, err
	}
	// A cache on the way may have mixed up two answers.
	if named != "" && c.clientID != named {
		return nil, unavailable("bad_answer", answerError("introspection: another token"))
	}
	return v.revocations.judge(c)
}

func asError(err error) *Error {
	if err == nil {
		return nil
	}
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal
	}
	return unavailable("bad_answer", err)
}
