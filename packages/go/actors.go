package latchkey

// Actor is the app that sends the token, when it acts with the authorization of another app (RFC 8693 §4.1).
type Actor struct {
	ClientID string
	// Actor is the app that acted before it, and whose token it got; nil: the app of the authorization.
	Actor *Actor
}

// actorClaims are one app that acts with a token, and what ends its part. After introspection, only the app is known.
type actorClaims struct {
	clientID, installID string
	appEpoch            float64
	// Id of the token that was exchanged.
	subjectTokenID string
}

// The server never issues a longer chain.
const longestChain = 3

// clientIDsIn returns the client ids in `act`, the current actor first.
func clientIDsIn(act any) (ids []string, isWellFormed bool) {
	for {
		members, isObject := act.(object)
		id, isText := textOf(members["client_id"])
		if !isObject || !isText || len(ids) == longestChain {
			return nil, false
		}
		ids = append(ids, id)
		next, isGiven := members["act"]
		if !isGiven {
			return ids, true
		}
		act = next
	}
}

// actors reads the actors of a signed token, the current one first.
func (r *claimReader) actors() []actorClaims {
	act, hasAct := r.members["act"]
	delegation, hasDelegation := r.members["delegation"]
	if !hasAct && !hasDelegation {
		return nil
	}
	ids, isWellFormed := clientIDsIn(act)
	list, isList := delegation.([]any)
	if r.need(isWellFormed && isList && len(list) == len(ids)); r.isFaulty {
		return nil
	}
	actors := make([]actorClaims, len(ids))
	for at, one := range list {
		members, _ := one.(object)
		part := claimReader{members: members}
		actors[at] = actorClaims{
			clientID:       ids[at],
			installID:      part.text("install_id"),
			appEpoch:       part.count("app_epoch"),
			subjectTokenID: part.text("subject_jti"),
		}
		r.need(!part.isFaulty)
	}
	return actors
}

// toldActors reads the actors in an answer of introspection.
func (r *claimReader) toldActors() []actorClaims {
	act, hasAct := r.members["act"]
	if !hasAct {
		return nil
	}
	ids, isWellFormed := clientIDsIn(act)
	r.need(isWellFormed)
	actors := make([]actorClaims, len(ids))
	for at, id := range ids {
		actors[at] = actorClaims{clientID: id}
	}
	return actors
}

func actorOf(actors []actorClaims) *Actor {
	var actor *Actor
	for at := len(actors) - 1; at >= 0; at-- {
		actor = &Actor{ClientID: actors[at].clientID, Actor: actor}
	}
	return actor
}
