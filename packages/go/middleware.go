package latchkey

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
)

// Guard protects handlers of the current interface.
type Guard struct {
	Verifier *Verifier
	// Requires returns the requirement of a request. With a router, read ids from the path or the data.
	Requires func(*http.Request) Requirement
	// URL returns the public address of a request, as its sender knows it. When it is set, key-bound tokens (DPoP) are
	// accepted too.
	URL func(*http.Request) string
	// Realm and ResourceMetadata are for the challenge.
	Realm, ResourceMetadata string
	// OnRefused is called for each refused request, for logs and metrics.
	OnRefused func(*http.Request, *Error)
}

type accessKey struct{}

// AccessFrom returns the access of a request that a Guard has let through; nil for any other.
func AccessFrom(ctx context.Context) *Access {
	access, _ := ctx.Value(accessKey{}).(*Access)
	return access
}

func withAccess(r *http.Request, access *Access) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), accessKey{}, access))
}

func (g *Guard) credential(r *http.Request) (*Credential, error) {
	if g.URL == nil {
		return BearerToken(r.Header)
	}
	return CredentialIn(r.Header, r.Method, g.URL(r))
}

func (g *Guard) authorize(r *http.Request) (*Access, error) {
	credential, err := g.credential(r)
	if err != nil {
		return nil, err
	}
	return g.Verifier.Authorize(r.Context(), credential, g.Requires(r))
}

// Handler calls the next handler with the access in the context, or answers 401, 403 or 503. A requirement that cannot
// be checked is answered by 500.
func (g *Guard) Handler(next http.Handler) http.Handler {
	if g.Verifier == nil || g.Requires == nil {
		panic("latchkey: a Guard needs Verifier and Requires")
	}
	challenge := Challenge{Realm: g.Realm, ResourceMetadata: g.ResourceMetadata, DPoP: g.URL != nil}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		access, err := g.authorize(r)
		var refusal *Error
		switch {
		case err == nil:
			next.ServeHTTP(w, withAccess(r, access))
		case errors.As(err, &refusal):
			if g.OnRefused != nil {
				g.OnRefused(r, refusal)
			}
			challenge.Refuse(w, refusal)
		default:
			slog.Error("latchkey: the requirement of a request cannot be checked", "error", err)
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}
