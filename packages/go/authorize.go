package latchkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
}

func (r *Requirement) check() error {
	switch {
	case r.Interface != Legacy && r.Interface != Current:
		return errors.New("latchkey: Requirement.Interface must be Legacy or Current")
	case r.Organization == nil:
		return errors.New("latchkey: Requirement.Organization must find the organization that owns the data")
	case slices.Contains(r.Permissions, ""):
		return errors.New("latchkey: Requirement.Permissions has an empty one")
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
	organization, err := find(ctx, "Organization", needed.Organization, access)
	if err != nil {
		return nil, err
	}
	if organization != access.OrganizationID {
		return nil, insufficient("organization")
	}
	if needed.Workspace == nil {
		return access, nil
	}
	workspace, err := find(ctx, "Workspace", needed.Workspace, access)
	if err != nil {
		return nil, err
	}
	if !access.Reaches(organization, workspace) {
		return nil, insufficient("workspace")
	}
	return access, nil
}
