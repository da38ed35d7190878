package latchkey

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
)

const mostGraphQLBytes = 1 << 20

// GraphQLGuard protects a GraphQL endpoint of the legacy interface, where the token is a variable of the operation:
// `secretKey` or `accessToken`. It accepts POST requests with a JSON body: one operation, or a batch whose operations
// all have the same token.
type GraphQLGuard struct {
	Verifier *Verifier
	// Requires returns the requirement of a request, usually with OwnOrganization; its Interface is Legacy. Resolvers
	// check the permissions of their fields with the access in the context.
	Requires func(*http.Request) Requirement
	// MaxBytes is the longest body; default 1 MiB.
	MaxBytes int64
	// OnRefused is called for each refused request, for logs and metrics.
	OnRefused func(*http.Request, *Error)
}

// operationsOf returns the operations of a body; nil when it has none that can be read.
func operationsOf(body []byte) []object {
	if one := parseObject(body, true); one != nil {
		return []object{one}
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil {
		return nil
	}
	var operations []object
	for _, text := range batch {
		one := parseObject(text, true)
		if one == nil {
			return nil
		}
		operations = append(operations, one)
	}
	return operations
}

// GraphQLCredential reads the credential from the body of a GraphQL request to the legacy interface: from the variables of
// its operation, or of all operations of a batch. It returns nil when there is none, and an *Error for a body that is not
// a GraphQL request, for several tokens or a malformed one.
func GraphQLCredential(body []byte) (*Credential, error) {
	operations := operationsOf(body)
	if len(operations) == 0 {
		return nil, invalid("malformed")
	}
	var shared *Credential
	for i, operation := range operations {
		variables, isObject := operation["variables"].(object)
		if !isObject && operation["variables"] != nil {
			return nil, invalid("malformed")
		}
		credential, err := LegacyCredential(variables)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && (credential == nil) != (shared == nil), credential != nil && i > 0 && *credential != *shared:
			return nil, invalid("two_credentials")
		}
		shared = credential
	}
	return shared, nil
}

func (g *GraphQLGuard) authorize(r *http.Request, body []byte) (*Access, error) {
	credential, err := GraphQLCredential(body)
	if err != nil {
		return nil, err
	}
	needed := g.Requires(r)
	orElse(&needed.Interface, Legacy)
	return g.Verifier.Authorize(r.Context(), credential, needed)
}

// read reads the body, and answers a request whose body cannot be read.
func (g *GraphQLGuard) read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	most := g.MaxBytes
	orElse(&most, mostGraphQLBytes)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	status := http.StatusBadRequest
	var tooLong *http.MaxBytesError
	switch {
	case err == nil:
		return body, true
	case errors.As(err, &tooLong):
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, http.StatusText(status), status)
	return nil, false
}

// isJSON is true for POST requests with a body of JSON, which a page of another origin sends only when CORS allows it.
func isJSON(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return r.Method == http.MethodPost && strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

// Handler calls the next handler with the access in the context. A refusal is an entry in `errors` of a GraphQL answer
// with the status 200, or 503 when the token cannot be verified at the moment.
func (g *GraphQLGuard) Handler(next http.Handler) http.Handler {
	if g.Verifier == nil || g.Requires == nil {
		panic("latchkey: a GraphQLGuard needs Verifier and Requires")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isJSON(r) {
			http.Error(w, "send a POST request with a body of the type application/json", http.StatusUnsupportedMediaType)
			return
		}
		body, isRead := g.read(w, r)
		if !isRead {
			return
		}
		access, err := g.authorize(r, body)
		var refusal *Error
		switch {
		case err == nil:
			// The next handler reads the body again.
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, withAccess(r, access))
		case errors.As(err, &refusal):
			if g.OnRefused != nil {
				g.OnRefused(r, refusal)
			}
			RefuseGraphQL(w, refusal)
		default:
			slog.Error("latchkey: the requirement of a request cannot be checked", "error", err)
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}

// RefuseGraphQL answers a refused request of the legacy interface.
func RefuseGraphQL(w http.ResponseWriter, refusal *Error) {
	w.Header().Set("Content-Type", "application/json")
	if refusal.Code == TemporarilyUnavailable {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(refusal.Status())
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": nil, "errors": []any{LegacyError(refusal)}})
}
