package latchkey

import (
	"context"
	"slices"
)

// isAbout is false for an answer about another token, which a cache on the way may have mixed up.
func isAbout(answer, read *claims) bool {
	return answer.clientID == read.clientID &&
		answer.organizationID == read.organizationID &&
		answer.generation == read.generation &&
		answer.userID == read.userID &&
		answer.tokenID == read.tokenID &&
		answer.jkt == read.jkt &&
		slices.EqualFunc(answer.actors, read.actors, func(one, other actorClaims) bool {
			return one.clientID == other.clientID
		})
}

// concerns returns whether a change may affect the answer about a token. Answers name neither grant nor install, and
// list their workspaces.
func (c *change) concerns(answer *claims) bool {
	switch c.kind {
	case "key_set":
		return answer.clientID == c.id
	case "app":
		return answer.clientID == c.id || slices.ContainsFunc(answer.actors, func(one actorClaims) bool {
			return one.clientID == c.id
		})
	case "organization", "member", "connection":
		return answer.organizationID == c.id
	case "user":
		return answer.userID == c.id
	case "install_member":
		return answer.userID == c.userID
	case "token":
		// The answer about an exchanged token does not name the token that it was exchanged for.
		return answer.tokenID == c.id || len(answer.actors) > 0
	}
	return true
}

// verifyIntrospected verifies a token that the server has signed by asking it (ModeIntrospect). Tokens that cannot be
// valid are not worth a request.
func (v *Verifier) verifyIntrospected(ctx context.Context, token string, jws *compactJWS, jkt string) (*Access, error) {
	if v.running.Err() != nil {
		return nil, unavailable("closed", nil)
	}
	if !accessTokenType.MatchString(jws.header.typ) || jws.header.kid == "" {
		return nil, invalid("header")
	}
	payload := decodePart(jws.payload)
	if payload == nil {
		return nil, invalid("malformed")
	}
	read, err := readClaims(payload, v.options, v.options.at())
	if err != nil {
		v.misfits.refused(asError(err), payload)
		return nil, err
	}
	if err := checkKey(read, jkt); err != nil {
		return nil, err
	}
	answer, err := v.introspection.claimsOf(ctx, token, read.kind)
	if err != nil {
		return nil, err
	}
	if !isAbout(answer, read) {
		return nil, unavailable("bad_answer", answerError("introspection: another token"))
	}
	v.misfits.accepted()
	return accessOf(answer), nil
}
