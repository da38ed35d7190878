package latchkey

import "slices"

// claims of a token, read from it or from the server.
type claims struct {
	kind           Kind
	generation     Interface
	organizationID string
	clientID       string
	userID         string
	permissions    []string
	allWorkspaces  bool
	workspaceIDs   []string
	// The token does not list its workspaces: the server must be asked, and until then it reaches none.
	isOpen bool
	// Seconds since 1970; nil: no expiry, or an unknown time of issue.
	expiresAt, issuedAt *float64
	// Empty: none.
	tokenID, grantID, installID string
	// How often all tokens of the app, or of the user, had been revoked before this one was issued, and how often the
	// user had disconnected the app.
	appEpoch, userEpoch, connectionEpoch float64
	// Thumbprint of the key that the token is bound to; empty for a bearer token.
	jkt string
	// The user's sign-in (RFC 9470 §6): seconds since 1970, or nil; and its context class, or empty.
	authTime *float64
	acr      string
	// The apps that act with the authorization of another one, the current one first; usually none.
	actors []actorClaims
}

// claimReader notes the first claim that has another form.
type claimReader struct {
	members  object
	isFaulty bool
}

func (r *claimReader) need(isGood bool) { r.isFaulty = r.isFaulty || !isGood }

func (r *claimReader) text(name string) string {
	text, isText := textOf(r.members[name])
	r.need(isText)
	return text
}

func (r *claimReader) optional(name string) string {
	if _, isGiven := r.members[name]; !isGiven {
		return ""
	}
	return r.text(name)
}

// epoch reads a count. Tokens issued before epochs were introduced have none, which counts as 0.
func (r *claimReader) epoch(name string) float64 {
	value, isGiven := r.members[name]
	if !isGiven {
		return 0
	}
	count, isCount := secondsOf(value)
	r.need(isCount)
	return count
}

func (r *claimReader) time(name string) *float64 {
	value, isGiven := r.members[name]
	if !isGiven {
		return nil
	}
	seconds, isTime := secondsOf(value)
	r.need(isTime)
	return &seconds
}

// key reads the confirmation. A token with an unsupported one is refused (RFC 7800 §3.1).
func (r *claimReader) key() string {
	value, isGiven := r.members["cnf"]
	if !isGiven {
		return ""
	}
	members, _ := value.(object)
	jkt, isText := textOf(members["jkt"])
	r.need(isText && len(members) == 1)
	return jkt
}

// reach reads the workspaces. Tokens of the current interface list them or say that the server knows them, and those
// of the legacy interface do neither. A missing list must not be read as "all" where a list is required.
func (r *claimReader) reach(c *claims) {
	ids, hasIDs := r.members["workspace_ids"]
	how, hasHow := r.members["workspaces"]
	switch {
	case c.generation == Legacy:
		r.need(!hasIDs && !hasHow)
		c.allWorkspaces = true
	case hasHow:
		r.need(how == "introspect" && !hasIDs)
		c.isOpen = true
	default:
		list, isList := textListOf(ids)
		r.need(isList)
		c.workspaceIDs = list
	}
}

// party: a user token names its user and its grant. An install token names its app (RFC 9068 §2.2) and its install.
func (r *claimReader) party(c *claims) {
	switch c.kind = Kind(r.text("kind")); c.kind {
	case KindUser:
		c.userID = r.text("sub")
		r.text("grant_id")
	case KindInstall:
		r.need(r.members["sub"] == c.clientID)
		r.text("install_id")
	default:
		r.need(false)
	}
}

// RFC 7519 §4.1.3: the audience is one value or several. A client may have written its URI in another way.
func isFor(audience any, wanted string) bool {
	named, _ := textListOf(audience)
	if one, isText := textOf(audience); isText {
		named = []string{one}
	}
	return slices.ContainsFunc(named, func(one string) bool { return isSameResource(one, wanted) })
}

// checkTimes judges by RFC 7519 §4.1.4 to §4.1.6; at is in seconds since 1970.
func checkTimes(payload object, tolerance, at float64) error {
	exp, isExp := secondsOf(payload["exp"])
	iat, isIat := secondsOf(payload["iat"])
	nbf, isNbf := 0.0, true
	if value, isGiven := payload["nbf"]; isGiven {
		nbf, isNbf = secondsOf(value)
	}
	switch {
	case !isExp || !isIat || !isNbf:
		return invalid("claims")
	case exp+tolerance <= at:
		return invalid("expired")
	case max(iat, nbf)-tolerance > at:
		return invalid("not_yet_valid")
	}
	return nil
}

// readClaims reads the claims of an issued token after its signature was verified (RFC 9068 §4).
func readClaims(payload object, o *Options, at float64) (*claims, error) {
	if payload["iss"] != o.Issuer {
		return nil, invalid("issuer")
	}
	if !isFor(payload["aud"], o.Audience) {
		return nil, invalid("audience")
	}
	if err := checkTimes(payload, o.ClockTolerance.Seconds(), at); err != nil {
		return nil, err
	}
	r := claimReader{members: payload}
	permissions, isList := textListOf(payload["permissions"])
	r.need(isList)
	exp, _ := secondsOf(payload["exp"])
	iat, _ := secondsOf(payload["iat"])
	c := &claims{
		generation:      Interface(r.text("interface")),
		organizationID:  r.text("organization_id"),
		clientID:        r.text("client_id"),
		permissions:     permissions,
		expiresAt:       &exp,
		issuedAt:        &iat,
		tokenID:         r.text("jti"),
		grantID:         r.optional("grant_id"),
		installID:       r.optional("install_id"),
		appEpoch:        r.epoch("app_epoch"),
		userEpoch:       r.epoch("user_epoch"),
		connectionEpoch: r.epoch("connection_epoch"),
		jkt:             r.key(),
		authTime:        r.time("auth_time"),
		acr:             r.optional("acr"),
		actors:          r.actors(),
	}
	r.need(c.generation == Legacy || c.generation == Current)
	r.party(c)
	r.reach(c)
	if r.isFaulty {
		return nil, invalid("claims")
	}
	return c, nil
}
