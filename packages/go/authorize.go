package latchkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// IDOf finds an id after the token was verified. It must not return an empty one, because then nothing could be
// checked.
type IDOf func(ctx context.Context, access *Access) (string, error)

// ID is a known id.
func ID(id string) IDOf {
	return func(context.Context, *Access) (string, error) { return id, nil }
}

// OwnOrganization is for data that is looked up in the token's own organization only.
func OwnOrganization(_ context.Context, access *Access) (string, error) {
	return access.OrganizationID, nil
}

// Requirement of a request.
type Requirement struct {
	// Interface of the request. Tokens of the other one are refused.
	Interface Interface
	// Permissions that are required, all of them.
	Permissions []string
	// Organization that owns the requested data.
	Organization IDOf
	// Workspace of the requested data; nil when the request is about none.
	Workspace IDOf
	// ACR are the accepted context classes of the user's sign-in, the preferred one first; nil for any. Only tokens of
	// KindUser have one.
	ACR []string
	// MaxAge is the maximum age of that sign-in, in whole seconds; 0 for any.
	MaxAge time.Duration
}

func (r *Requirement) check() error {
	switch {
	case r.Interface != Legacy && r.Interface != Current:
		return errors.New("latchkey: Requirement.Interface must be Legacy or Current")
	case r.Organization == nil:
		return errors.New("latchkey: Requirement.Organization must find the organization that owns the data")
	case slices.Contains(r.Permissions, ""):
		return errors.New("latchkey: Requirement.Permissions has an empty one")
	case r.ACR != nil && len(r.ACR) == 0, slices.Contains(r.ACR, ""):
		return errors.New("latchkey: Requirement.ACR is empty, or has an empty class")
	case r.MaxAge < 0, r.MaxAge%time.Second != 0:
		return errors.New("latchkey: Requirement.MaxAge must be whole seconds")
	}
	return nil
}

// checkAuthentication checks the sign-in that a token depends on (RFC 9470 §5). Tokens without a user have none.
func (r *Requirement) checkAuthentication(access *Access, at float64) error {
	if r.ACR == nil && r.MaxAge == 0 {
		return nil
	}
	refused := func(reason string) error {
		return &Error{Code: InsufficientAuthentication, Reason: reason, ACR: r.ACR, MaxAge: r.MaxAge}
	}
	switch {
	case access.Kind != KindUser:
		return refused("no_user")
	case r.ACR != nil && !slices.Contains(r.ACR, access.ACR):
		return refused("acr")
	case r.MaxAge > 0 && (access.AuthTime == nil || at-*access.AuthTime > r.MaxAge.Seconds()):
		return refused("max_age")
	}
	return nil
}

func find(ctx context.Context, name string, idOf IDOf, access *Access) (string, error) {
	id, err := idOf(ctx, access)
	if err == nil && id == "" {
		err = fmt.Errorf("latchkey: Requirement.%s must find an id that is not empty", name)
	}
	return id, err
}

// Authorize verifies a credential and checks it against the requirement of the request. nil: the request has no
// credential. The error is an *Error for a refusal, and another one for an incomplete requirement.
func (v *Verifier) Authorize(ctx context.Context, credential *Credential, needed Requirement) (*Access, error) {
	if err := needed.check(); err != nil {
		return nil, err
	}
	if credential == nil {
		return nil, invalid("missing")
	}
	access, err := v.Verify(ctx, *credential)
	if err != nil {
		return nil, err
	}
	if access.Interface != needed.Interface {
		return nil, invalid("interface")
	}
	for _, permission := range needed.Permissions {
		if !access.Can(permission) {
			return nil, insufficient("permission", needed.Permissions...)
		}
	}
	// Reading needs no permission on the current interface.
	if len(needed.Permissions) == 0 && needed.Interface == Current {
		access.usage.count(access, "read")
	}
	organization, err := find(ctx, "Organization", needed.Organization, access)
	if err != nil {
		return nil, err
	}
	if organization != access.OrganizationID {
		return nil, insufficient("organization")
	}
	if needed.Workspace != nil {
		workspace, err := find(ctx, "Workspace", needed.Workspace, access)
		if err != nil {
			return nil, err
		}
		if !access.Reaches(organization, workspace) {
			return nil, insufficient("workspace")
		}
	}
	// Last: a user must not sign in again for what is out of reach anyway.
	if err := needed.checkAuthentication(access, v.options.at()); err != nil {
		return nil, err
	}
	return access, nil
}
