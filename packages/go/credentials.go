package latchkey

import (
	"net/http"
	"regexp"
	"strings"
)

// Credential of a request: a bearer token, or a token with a proof.
type Credential struct {
	Token string
	// Proof is nil for a bearer token.
	Proof *Proof
}

// Proof that the sender of a request holds the key to which its token is bound (RFC 9449 §7.1).
type Proof struct {
	// JWT is the value of the header DPoP.
	JWT string
	// Method and URL of the request as the sender knows it: the public address, even behind proxies.
	Method, URL string
}

// RFC 6750 §2.1: b64token after one or more spaces. The scheme is case-insensitive (RFC 9110 §11.1, §11.4).
var (
	tokenShape  = regexp.MustCompile(`^(?i:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$`)
	schemeStart = regexp.MustCompile(`^((?i:bearer|dpop))(?: |$)`)
)

// shownIn returns scheme and token; an empty scheme when there is none or another one.
func shownIn(header http.Header) (scheme, token string, err error) {
	values := header.Values("Authorization")
	if len(values) > 1 {
		return "", "", invalid("two_credentials")
	}
	if len(values) == 0 {
		return "", "", nil
	}
	found := schemeStart.FindStringSubmatch(values[0])
	if found == nil {
		return "", "", nil
	}
	shape := tokenShape.FindStringSubmatch(values[0])
	if shape == nil {
		return "", "", invalid("malformed")
	}
	return strings.ToLower(found[1]), shape[1], nil
}

// BearerToken reads the token of the current interface: `Authorization: Bearer …`. It returns nil when there is none or
// another scheme is used (RFC 6750 §3.1), and an *Error for several tokens or a malformed one.
func BearerToken(header http.Header) (*Credential, error) {
	for _, value := range header.Values("Authorization") {
		found := schemeStart.FindStringSubmatch(value)
		if found != nil && strings.EqualFold(found[1], "dpop") && len(header.Values("Authorization")) == 1 {
			return nil, nil
		}
	}
	_, token, err := shownIn(header)
	if err != nil || token == "" {
		return nil, err
	}
	return &Credential{Token: token}, nil
}

// CredentialIn reads the credential of a request to the current interface: `Authorization: Bearer …`, or
// `Authorization: DPoP …` with a proof in the header DPoP. Method and URL are those of the request as the sender knows
// it. It returns nil when there is none or another scheme is used.
func CredentialIn(header http.Header, method, url string) (*Credential, error) {
	scheme, token, err := shownIn(header)
	if err != nil || scheme == "" {
		return nil, err
	}
	if scheme == "bearer" {
		return &Credential{Token: token}, nil
	}
	switch proofs := header.Values("DPoP"); len(proofs) {
	case 0:
		return nil, badProof("proof_missing")
	case 1:
		return &Credential{Token: token, Proof: &Proof{JWT: proofs[0], Method: method, URL: url}}, nil
	}
	return nil, badProof("proof_malformed")
}

// LegacyCredential reads the credential of the legacy interface: the GraphQL variable secretKey or accessToken. It
// returns nil when neither is present, and an *Error when both are present or the value is not a string.
func LegacyCredential(variables map[string]any) (*Credential, error) {
	var given []any
	for _, name := range []string{"secretKey", "accessToken"} {
		if value := variables[name]; value != nil {
			given = append(given, value)
		}
	}
	if len(given) == 0 {
		return nil, nil
	}
	if len(given) > 1 {
		return nil, invalid("two_credentials")
	}
	token, isString := given[0].(string)
	if !isString {
		return nil, invalid("malformed")
	}
	return &Credential{Token: token}, nil
}
