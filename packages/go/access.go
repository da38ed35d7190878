package latchkey

import "slices"

// Interface is a generation of the platform's interface. Apps, key sets, permissions and credentials belong to one.
type Interface string

const (
	Legacy  Interface = "legacy"
	Current Interface = "current"
)

// Kind says who acts.
type Kind string

const (
	// KindUser: an app acts for a user.
	KindUser Kind = "user"
	// KindInstall: an app acts for itself in an organization that has installed it.
	KindInstall Kind = "install"
	// KindSelfSigned: the organization itself acts, with a token that it signed with a key set's secret.
	KindSelfSigned Kind = "self_signed"
	// KindKeySet: the organization itself acts, with a legacy key set's secret.
	KindKeySet Kind = "key_set"
)

// Access is the actor of a request and its rights. Several requests may share one, so it must not be changed.
type Access struct {
	Kind           Kind
	Interface      Interface
	OrganizationID string
	ClientID       string
	// UserID is empty unless Kind is KindUser.
	UserID string
	// Permissions of the token. Reading needs no permission on the current interface.
	Permissions []string
	// AllWorkspaces is true for all workspaces of OrganizationID and of no other, including future ones.
	AllWorkspaces bool
	// WorkspaceIDs are the reachable workspaces; nil with AllWorkspaces.
	WorkspaceIDs []string
	// ExpiresAt is in seconds since 1970; nil when the credential has no expiry.
	ExpiresAt *float64
	// AuthTime is when the user had signed in, in seconds since 1970; nil when unknown, or for another Kind.
	AuthTime *float64
	// ACR is the context class of that sign-in (OpenID Connect Core §2); empty when unknown.
	ACR string
	// Actor is the app that sends the token, when it acts through ClientID; nil: ClientID itself.
	Actor *Actor

	usage *usage
}

// Can is true when the token has the permission.
func (a *Access) Can(permission string) bool {
	isGranted := slices.Contains(a.Permissions, permission)
	if isGranted {
		a.usage.count(a, permission)
	}
	return isGranted
}

// Reaches is true when the token reaches this workspace of this organization. The organization is the owner of the
// workspace as the data API has stored it, never taken from the access. An empty id is never reached.
func (a *Access) Reaches(organizationID, workspaceID string) bool {
	if organizationID == "" || workspaceID == "" || organizationID != a.OrganizationID {
		return false
	}
	return a.AllWorkspaces || slices.Contains(a.WorkspaceIDs, workspaceID)
}

func accessOf(c *claims) *Access {
	return &Access{
		Kind:           c.kind,
		Interface:      c.generation,
		OrganizationID: c.organizationID,
		ClientID:       c.clientID,
		UserID:         c.userID,
		Permissions:    slices.Clone(c.permissions),
		AllWorkspaces:  c.allWorkspaces,
		WorkspaceIDs:   slices.Clone(c.workspaceIDs),
		ExpiresAt:      c.expiresAt,
		AuthTime:       c.authTime,
		ACR:            c.acr,
		Actor:          actorOf(c.actors),
	}
}
