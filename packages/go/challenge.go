package latchkey

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Challenge says what the answer to a refused request names.
type Challenge struct {
	// Realm is the name of what is protected, for people.
	Realm string
	// ResourceMetadata is the address of the data API's metadata, in which an app finds the authorization server
	// (RFC 9728 §5.1).
	ResourceMetadata string
	// DPoP is set when the API accepts key-bound tokens too.
	DPoP bool
}

var quotable = regexp.MustCompile(`^[\x20-\x7e]*$`)

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func (e *Error) isMissing() bool { return e.Code == TokenInvalid && e.Reason == "missing" }

// oauthCode is the code in answers (RFC 6750 §3.1).
func (e *Error) oauthCode() string {
	if e.Code == TokenInvalid {
		return "invalid_token"
	}
	return string(e.Code)
}

// header is the value of WWW-Authenticate (RFC 6750 §3, RFC 9449 §7.1, RFC 9470 §3).
func (c Challenge) header(refusal *Error) string {
	var parameters []string
	add := func(name, value string) {
		if value != "" && quotable.MatchString(value) {
			parameters = append(parameters, name+"="+quoted(value))
		}
	}
	add("realm", c.Realm)
	// A request without a token is not told an error (RFC 6750 §3.1).
	if !refusal.isMissing() {
		add("error", refusal.oauthCode())
		add("error_description", refusal.Error())
	}
	add("scope", strings.Join(refusal.Needed, " "))
	add("acr_values", strings.Join(refusal.ACR, " "))
	if refusal.MaxAge > 0 {
		add("max_age", strconv.FormatInt(int64(refusal.MaxAge.Seconds()), 10))
	}
	add("resource_metadata", c.ResourceMetadata)
	one := func(scheme string) string {
		return strings.TrimSpace(scheme + " " + strings.Join(parameters, ", "))
	}
	bearer := one("Bearer")
	if !c.DPoP {
		return bearer
	}
	add("algs", strings.Join(proofAlgorithms, " "))
	// A bearer token cannot fix the fault of a key binding.
	isOfKeys := refusal.Code == InvalidProof || refusal.Code == UseNonce || refusal.Reason == "bound_to_key" ||
		refusal.Reason == "key_mismatch"
	if isOfKeys {
		return one("DPoP")
	}
	return bearer + ", " + one("DPoP")
}

// Status is the HTTP status of the answer: 401, 403, or 503 when the token cannot be verified now.
func (e *Error) Status() int {
	switch e.Code {
	case InsufficientScope:
		return http.StatusForbidden
	case TemporarilyUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusUnauthorized
}

// Refuse answers a refused request.
func (c Challenge) Refuse(w http.ResponseWriter, refusal *Error) {
	header := w.Header()
	if refusal.Code == TemporarilyUnavailable {
		header.Set("Retry-After", "1")
	} else {
		header.Set("WWW-Authenticate", c.header(refusal))
	}
	if refusal.Nonce != "" {
		header.Set("DPoP-Nonce", refusal.Nonce)
	}
	header.Set("Content-Type", "application/json")
	w.WriteHeader(refusal.Status())
	_ = json.NewEncoder(w).Encode(map[string]string{
		"error": refusal.oauthCode(), "error_description": refusal.Error(),
	})
}

// LegacyError is an entry of `errors` in a GraphQL answer of the legacy interface. `token-invalid` makes a legacy app
// refresh its token and repeat the request.
func LegacyError(refusal *Error) map[string]any {
	code := string(refusal.Code)
	return map[string]any{"message": code, "extensions": map[string]any{"code": code}}
}
