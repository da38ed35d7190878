package latchkey

// change is the current state of a subject. `until` (seconds since 1970) is the expiry of the last token that the
// change can affect.
type change struct {
	kind, id, userID, clientID string
	active                     bool
	until, since, epoch        float64
	permissions                []string
	// nil with allWorkspaces.
	workspaceIDs  []string
	allWorkspaces bool
}

// feedAnswer is one answer of the revocation feed.
type feedAnswer struct {
	cursor string
	// All earlier changes must be dropped.
	reset bool
	// More changes are available at once.
	more    bool
	changes []change
	// The organizations that the changes are about. Tokens of others must be refused. nil: all.
	organizationIDs map[string]bool
}

func (r *claimReader) flag(name string) bool {
	flag, isFlag := r.members[name].(bool)
	r.need(isFlag)
	return flag
}

func (r *claimReader) count(name string) float64 {
	count, isCount := secondsOf(r.members[name])
	r.need(isCount)
	return count
}

// list reads a list of texts. An inactive subject has no rights, so its lists may be absent.
func (r *claimReader) list(name string, isActive bool) []string {
	value, isGiven := r.members[name]
	if !isGiven && !isActive {
		return nil
	}
	list, isList := textListOf(value)
	r.need(isList)
	return list
}

// readChange returns false for the type of a later version.
func readChange(r *claimReader) (change, bool) {
	one := change{kind: r.text("type")}
	switch one.kind {
	case "grant", "token", "organization", "key_set", "workspace", "install", "app", "user", "member",
		"workspace_member", "install_member", "connection":
	default:
		return one, false
	}
	one.active, one.id, one.until = r.flag("active"), r.text("id"), r.count("until")
	switch one.kind {
	case "workspace":
		if _, isGiven := r.members["since"]; isGiven {
			one.since = r.count("since")
		}
	case "install":
		one.permissions = r.list("permissions", one.active)
		value, isGiven := r.members["workspace_ids"]
		one.allWorkspaces = isGiven && value == nil
		if !one.allWorkspaces {
			one.workspaceIDs = r.list("workspace_ids", one.active)
		}
	case "app":
		one.permissions, one.epoch = r.list("permissions", one.active), r.count("epoch")
	case "user":
		one.epoch = r.count("epoch")
	case "member", "workspace_member", "install_member":
		one.userID = r.text("user_id")
	case "connection":
		one.userID, one.clientID, one.epoch = r.text("user_id"), r.text("client_id"), r.count("epoch")
	}
	return one, true
}

// readFeedAnswer reads an answer as a whole. Skipping an unreadable part could skip a revocation.
func readFeedAnswer(body object) (*feedAnswer, error) {
	r := &claimReader{members: body}
	answer := &feedAnswer{cursor: r.text("cursor"), reset: r.flag("reset"), more: r.flag("more")}
	list, isList := body["changes"].([]any)
	r.need(isList)
	for _, value := range list {
		members, isObject := value.(object)
		one := &claimReader{members: members, isFaulty: !isObject}
		read, isKnown := readChange(one)
		r.need(!one.isFaulty)
		if isKnown {
			answer.changes = append(answer.changes, read)
		}
	}
	if value := body["organization_ids"]; value != nil {
		ids, isTexts := textListOf(value)
		r.need(isTexts)
		answer.organizationIDs = map[string]bool{}
		for _, id := range ids {
			answer.organizationIDs[id] = true
		}
	}
	if r.isFaulty {
		return nil, unavailable("bad_answer", answerError("revocation feed: not as agreed"))
	}
	return answer, nil
}
