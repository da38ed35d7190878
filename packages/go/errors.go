package latchkey

import "time"

// Code is the kind of a refusal.
type Code string

const (
	// TokenInvalid: the token is invalid for any request (401).
	TokenInvalid Code = "token-invalid"
	// InvalidProof: the sender has not proven possession of the token's key (401, RFC 9449 §7.1).
	InvalidProof Code = "invalid_dpop_proof"
	// UseNonce: the sender must prove possession again, with the nonce of the error (401, RFC 9449 §9).
	UseNonce Code = "use_dpop_nonce"
	// InsufficientScope: the token is valid, but not sufficient for this request (403).
	InsufficientScope Code = "insufficient_scope"
	// InsufficientAuthentication: the token is valid, but the user has to sign in again, or in another way (401,
	// RFC 9470 §3).
	InsufficientAuthentication Code = "insufficient_user_authentication"
	// TemporarilyUnavailable: the token cannot be verified at the moment, so the request is refused (503).
	TemporarilyUnavailable Code = "temporarily_unavailable"
)

// Error is a refusal.
type Error struct {
	Code Code
	// Reason is a stable word for logs and metrics, never for the caller.
	Reason string
	// Needed are the required permissions, when one is missing.
	Needed []string
	// ACR are the accepted context classes of the user's sign-in, and MaxAge is its maximum age, when it is not
	// sufficient: the app asks for them at the authorization page.
	ACR    []string
	MaxAge time.Duration
	// Nonce must be sent as DPoP-Nonce; empty when a new nonce would not help.
	Nonce string
	cause error
}

// Error is the same text for every reason of a code, so it may be sent to the caller.
func (e *Error) Error() string {
	switch e.Code {
	case TokenInvalid:
		return "the access token is missing, invalid, expired or revoked"
	case InvalidProof:
		return "the DPoP proof is missing, invalid or was used before"
	case UseNonce:
		return "the DPoP proof must have the nonce of the DPoP-Nonce header"
	case InsufficientScope:
		return "the access token does not allow this"
	case InsufficientAuthentication:
		return "a more recent or stronger sign-in of the user is required"
	default:
		return "the access token cannot be verified at the moment"
	}
}

// Unwrap returns the cause of a failed request to the authorization server.
func (e *Error) Unwrap() error { return e.cause }

func invalid(reason string) *Error { return &Error{Code: TokenInvalid, Reason: reason} }

func badProof(reason string) *Error { return &Error{Code: InvalidProof, Reason: reason} }

func insufficient(reason string, needed ...string) *Error {
	return &Error{Code: InsufficientScope, Reason: reason, Needed: needed}
}

func unavailable(reason string, cause error) *Error {
	return &Error{Code: TemporarilyUnavailable, Reason: reason, cause: cause}
}
