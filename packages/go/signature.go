package latchkey

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	_ "crypto/sha256" // registers the hash
	_ "crypto/sha512" // registers the hash
	"encoding/json"
	"math/big"
	"regexp"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// verifyingKey is a public key with its algorithm: the key decides the algorithm, never the token (RFC 8725 §3.1).
type verifyingKey struct {
	kid, alg string
	// Distinguishes keys with the same id.
	material string
	public   any
}

type algorithm struct {
	fixed    map[string]string
	variable []string
	hash     crypto.Hash
	// Bytes of a signature (RFC 7518 §3.4, RFC 8037 §3.1); 0: as long as the modulus.
	size int
}

var algorithms = map[string]algorithm{
	"ES256":   {map[string]string{"kty": "EC", "crv": "P-256"}, []string{"x", "y"}, crypto.SHA256, 64},
	"ES384":   {map[string]string{"kty": "EC", "crv": "P-384"}, []string{"x", "y"}, crypto.SHA384, 96},
	"EdDSA":   {map[string]string{"kty": "OKP", "crv": "Ed25519"}, []string{"x"}, 0, ed25519.SignatureSize},
	"Ed25519": {map[string]string{"kty": "OKP", "crv": "Ed25519"}, []string{"x"}, 0, ed25519.SignatureSize},
	"RS256":   {map[string]string{"kty": "RSA"}, []string{"n", "e"}, crypto.SHA256, 0},
	"PS256":   {map[string]string{"kty": "RSA"}, []string{"n", "e"}, crypto.SHA256, 0},
}

// Bounds of RSA keys: the work of a verification grows with both numbers.
const (
	// Characters of a modulus of 2048 bits (RFC 7518 §3.3), and of one of 4096.
	shortestModulus, longestModulus = 342, 683
	// Characters of 32 bits.
	longestExponent = 6
)

// The first bit is set, so the modulus has its full size.
var fullModulus = regexp.MustCompile(`^[g-z0-9_-]`)

func isBounded(material map[string]string) bool {
	n, e := material["n"], material["e"]
	isFull := len(n) >= shortestModulus && len(n) <= longestModulus && fullModulus.MatchString(n)
	return material["kty"] != "RSA" || (isFull && len(e) <= longestExponent)
}

// Algorithms that an issued token may name.
var issuedAlgorithms = []string{"ES256", "EdDSA", "Ed25519", "RS256"}

// keyOf reads key material that has the right members for the algorithm; nil when it is no key.
func keyOf(alg string, material map[string]string) *verifyingKey {
	text, err := json.Marshal(material)
	if err != nil {
		return nil
	}
	var jwk jose.JSONWebKey
	if jwk.UnmarshalJSON(text) != nil || !jwk.Valid() || !jwk.IsPublic() {
		return nil
	}
	return &verifyingKey{alg: alg, material: string(text), public: jwk.Key}
}

// materialOf returns the key material without other members; nil when a member is wrong.
func materialOf(jwk object, how algorithm) map[string]string {
	material := map[string]string{}
	for name, value := range how.fixed {
		if jwk[name] != value {
			return nil
		}
		material[name] = value
	}
	for _, name := range how.variable {
		text, isText := textOf(jwk[name])
		if !isText {
			return nil
		}
		material[name] = text
	}
	if !isBounded(material) {
		return nil
	}
	return material
}

func isForVerifying(jwk object) bool {
	if use, isGiven := jwk["use"]; isGiven && use != "sig" {
		return false
	}
	if operations, isGiven := jwk["key_ops"]; isGiven {
		list, _ := operations.([]any)
		if !slices.Contains(list, any("verify")) {
			return false
		}
	}
	_, isPrivate := jwk["d"]
	return !isPrivate
}

// algorithmOf returns the algorithm of a key. A P-256 key may omit it.
func algorithmOf(jwk object) string {
	value, isGiven := jwk["alg"]
	if !isGiven && jwk["kty"] == "EC" && jwk["crv"] == "P-256" {
		return "ES256"
	}
	if alg, _ := value.(string); slices.Contains(issuedAlgorithms, alg) {
		return alg
	}
	return ""
}

// readKey reads one key of a key set (RFC 7517); nil for an unusable one.
func readKey(value any) *verifyingKey {
	jwk, _ := value.(object)
	kid, isText := textOf(jwk["kid"])
	if !isText || !isForVerifying(jwk) {
		return nil
	}
	alg := algorithmOf(jwk)
	how, isKnown := algorithms[alg]
	if !isKnown {
		return nil
	}
	material := materialOf(jwk, how)
	if material == nil {
		return nil
	}
	key := keyOf(alg, material)
	if key != nil {
		key.kid = kid
	}
	return key
}

func digest(hash crypto.Hash, input string) []byte {
	hasher := hash.New()
	hasher.Write([]byte(input))
	return hasher.Sum(nil)
}

// verify checks a signature in base64url.
func (k *verifyingKey) verify(input, text string) bool {
	signature, isGood := decodeBase64url(text)
	how := algorithms[k.alg]
	if !isGood || (how.size != 0 && len(signature) != how.size) {
		return false
	}
	switch public := k.public.(type) {
	case *ecdsa.PublicKey:
		half := how.size / 2
		r, s := new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])
		return ecdsa.Verify(public, digest(how.hash, input), r, s)
	case ed25519.PublicKey:
		return ed25519.Verify(public, []byte(input), signature)
	case *rsa.PublicKey:
		if k.alg == "PS256" {
			options := &rsa.PSSOptions{SaltLength: 32}
			return rsa.VerifyPSS(public, how.hash, digest(how.hash, input), signature, options) == nil
		}
		return rsa.VerifyPKCS1v15(public, how.hash, digest(how.hash, input), signature) == nil
	}
	return false
}

func isSameKey(one, other *verifyingKey) bool {
	return one != nil && other != nil && bytes.Equal([]byte(one.material), []byte(other.material)) && one.alg == other.alg
}
