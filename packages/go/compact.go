package latchkey

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf16"
)

// RFC 7515 §2: base64url without padding.
var compactShape = regexp.MustCompile(`^([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)$`)

// Header parameters that change the interpretation of the token or bring a key with it (RFC 8725 §3.9 and §3.10).
var refusedNames = []string{"crit", "b64", "zip", "enc", "cty", "jku", "jwk", "x5u", "x5c"}

type joseHeader struct{ alg, typ, kid string }

// compactJWS has the parts of a JWS in compact serialization, not verified.
type compactJWS struct {
	header                    joseHeader
	input, payload, signature string
}

// decodeBase64url accepts the canonical spelling only: the unused bits of the last character are zero.
func decodeBase64url(text string) ([]byte, bool) {
	// The decoder skips line ends.
	if strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return decoded, err == nil
}

// lengthOf counts as the server does: in UTF-16 units.
func lengthOf(text string) int {
	return len(utf16.Encode([]rune(text)))
}

func isLonger(text string, most int) bool {
	return len(text) > most && (len(text) > 4*most || lengthOf(text) > most)
}

// partsOf returns header, payload and signature of a JWS; nil when the token is not one.
func partsOf(token string) []string {
	found := compactShape.FindStringSubmatch(token)
	if found == nil {
		return nil
	}
	for _, part := range found[1:] {
		if _, isCanonical := decodeBase64url(part); !isCanonical {
			return nil
		}
	}
	return found[1:]
}

// decodePart returns the JSON object in one part of a JWS; nil when it contains none.
func decodePart(part string) object {
	decoded, isGood := decodeBase64url(part)
	if !isGood {
		return nil
	}
	return parseObject(decoded, true)
}

// optionalText reads a member that may be absent or null, but not empty.
func optionalText(members object, name string) (string, bool) {
	value := members[name]
	if value == nil {
		return "", true
	}
	return textOf(value)
}

func parseHeader(part string) (joseHeader, error) {
	members := decodePart(part)
	if members == nil {
		return joseHeader{}, invalid("malformed")
	}
	for _, name := range refusedNames {
		if _, isGiven := members[name]; isGiven {
			return joseHeader{}, invalid("header")
		}
	}
	alg, isText := textOf(members["alg"])
	if !isText {
		return joseHeader{}, invalid("algorithm")
	}
	typ, isGoodType := optionalText(members, "typ")
	kid, isGoodID := optionalText(members, "kid")
	if !isGoodType || !isGoodID {
		return joseHeader{}, invalid("header")
	}
	return joseHeader{alg, typ, kid}, nil
}

// parseCompact splits a token into its parts. It returns nil when the token is not a JWS at all.
func parseCompact(token string) (*compactJWS, error) {
	parts := partsOf(token)
	if parts == nil {
		// Every JOSE header starts with `{"` in base64url. JSON serialization starts with a plain `{`.
		if strings.HasPrefix(token, "eyJ") || strings.HasPrefix(token, "{") {
			return nil, invalid("malformed")
		}
		return nil, nil
	}
	header, err := parseHeader(parts[0])
	if err != nil {
		return nil, err
	}
	input := token[:len(token)-len(parts[2])-1]
	return &compactJWS{header: header, input: input, payload: parts[1], signature: parts[2]}, nil
}
