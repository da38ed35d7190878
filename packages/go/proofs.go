package latchkey

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// proofAlgorithms are the signature algorithms of proofs: asymmetric ones only (RFC 9449 §4.2).
var proofAlgorithms = []string{"ES256", "ES384", "EdDSA", "Ed25519", "RS256", "PS256"}

const (
	// Maximum difference in seconds between a proof's time and now; also the lifetime of our nonces.
	proofFreshness = 60
	// Characters; a proof with a key of 4096 bits has about 2,300.
	longestProof = 4096
	longestJTI   = 256
)

var (
	// RFC 7518 §6.2.2, §6.3.2, §6.4.1: these members disclose the private key.
	privateMembers = []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"}
	nonceShape     = regexp.MustCompile(`^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$`)
	// Characters of a coordinate.
	coordinateLength = map[string]int{"ES256": 43, "ES384": 64, "EdDSA": 43, "Ed25519": 43}
)

type proofKey struct {
	*verifyingKey
	// RFC 7638.
	jkt string
}

// proofs checks proofs of possession (RFC 9449).
type proofs struct {
	options *Options

	mutex sync.Mutex
	// Proofs of one key have identical headers, so parsed keys are cached.
	keys *recent[*proofKey]
	// Ids by the second in which they expire.
	ending map[float64]map[string]bool
	size   int
}

func newProofs(o *Options) *proofs {
	return &proofs{options: o, keys: newRecent[*proofKey](1000, nil), ending: map[float64]map[string]bool{}}
}

// readProof is a verified proof, which is not used yet.
type readProof struct {
	jkt, jti string
	// Seconds since 1970.
	time float64
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func isNumber(text string, length int) bool {
	_, isGood := decodeBase64url(text)
	return isGood && (length == 0 || len(text) == length)
}

// proofMaterial returns the members that define the key, and the input of its thumbprint (RFC 7638 §3.3).
func proofMaterial(jwk object, alg string) (map[string]string, string) {
	material := materialOf(jwk, algorithms[alg])
	if material == nil {
		return nil, ""
	}
	switch material["kty"] {
	case "RSA":
		n := material["n"]
		if material["e"] != "AQAB" || !isNumber(n, 0) {
			return nil, ""
		}
		return material, fmt.Sprintf(`{"e":"AQAB","kty":"RSA","n":"%s"}`, n)
	case "OKP":
		if !isNumber(material["x"], coordinateLength[alg]) {
			return nil, ""
		}
		return material, fmt.Sprintf(`{"crv":"Ed25519","kty":"OKP","x":"%s"}`, material["x"])
	}
	x, y, length := material["x"], material["y"], coordinateLength[alg]
	if !isNumber(x, length) || !isNumber(y, length) {
		return nil, ""
	}
	return material, fmt.Sprintf(`{"crv":"%s","kty":"EC","x":"%s","y":"%s"}`, material["crv"], x, y)
}

// readProofKey reads the key in the header of a proof (§4.3, 4 to 7).
func readProofKey(part string) (*proofKey, error) {
	header := decodePart(part)
	// RFC 7515 §4.1.11: no critical extension is supported.
	if _, isCritical := header["crit"]; header == nil || isCritical || header["typ"] != "dpop+jwt" {
		return nil, badProof("proof_malformed")
	}
	alg, _ := header["alg"].(string)
	if !slices.Contains(proofAlgorithms, alg) {
		return nil, badProof("proof_algorithm")
	}
	jwk, _ := header["jwk"].(object)
	for _, name := range privateMembers {
		if _, isPrivate := jwk[name]; isPrivate {
			return nil, badProof("proof_key")
		}
	}
	material, thumbprinted := proofMaterial(jwk, alg)
	if material == nil {
		return nil, badProof("proof_key")
	}
	key := keyOf(alg, material)
	if key == nil {
		return nil, badProof("proof_key")
	}
	return &proofKey{key, hashOf(thumbprinted)}, nil
}

func (p *proofs) keyOf(header string) (*proofKey, error) {
	p.mutex.Lock()
	known, isKnown := p.keys.get(header)
	p.mutex.Unlock()
	if isKnown {
		return known, nil
	}
	key, err := readProofKey(header)
	if err == nil {
		p.mutex.Lock()
		p.keys.set(header, key)
		p.mutex.Unlock()
	}
	return key, err
}

// placeOf returns the URL of the request in the form in which proofs are compared.
func placeOf(text string) (string, error) {
	// The query is not compared. It can be long.
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	place, isPlace := normalURL(text)
	switch {
	case isPlace:
		return place, nil
	case schemeShape.MatchString(text):
		return "", badProof("proof_url")
	}
	return "", errors.New("latchkey: the URL of the request must be absolute")
}

// checkClaims judges the claims of a proof (§4.3, 3 and 8 to 12), but for its time.
func checkClaims(payload object, method, place, token string) error {
	jti, isText := textOf(payload["jti"])
	iat, isTime := payload["iat"].(float64)
	_, isNonce := payload["nonce"].(string)
	_, hasNonce := payload["nonce"]
	if !isText || isLonger(jti, longestJTI) || !isTime || math.IsInf(iat, 0) || hasNonce != isNonce {
		return badProof("proof_malformed")
	}
	if payload["htm"] != method {
		return badProof("proof_method")
	}
	htu, _ := payload["htu"].(string)
	if there, isPlace := normalURL(htu); !isPlace || there != place {
		return badProof("proof_url")
	}
	if payload["ath"] != hashOf(token) {
		return badProof("proof_token")
	}
	return nil
}

// nonceAt makes a nonce: the time with a MAC that only this data API can create (§9). All processes with the secret of
// the resource server accept each other's nonces, and none stores any.
func (p *proofs) nonceAt(at float64) string {
	seconds := strconv.FormatInt(int64(at), 36)
	return seconds + "." + base64.RawURLEncoding.EncodeToString(p.mac(seconds))
}

func (p *proofs) mac(seconds string) []byte {
	mac := hmac.New(sha256.New, []byte(p.options.ClientSecret))
	mac.Write([]byte("latchkey dpop nonce " + seconds))
	return mac.Sum(nil)
}

// timeOf returns the issue time of a nonce; false when it is not ours.
func (p *proofs) timeOf(nonce string) (float64, bool) {
	found := nonceShape.FindStringSubmatch(nonce)
	if found == nil {
		return 0, false
	}
	sum, isGood := decodeBase64url(found[2])
	seconds, err := strconv.ParseUint(found[1], 36, 63)
	return float64(seconds), isGood && err == nil && hmac.Equal(sum, p.mac(found[1]))
}

// freshTime returns the creation time of a proof: by the sender's clock or, when that is wrong, by our nonce.
func (p *proofs) freshTime(payload object) (float64, error) {
	time, isKnown := payload["iat"].(float64)
	if nonce, hasNonce := payload["nonce"].(string); hasNonce {
		time, isKnown = p.timeOf(nonce)
	}
	at := p.options.at()
	if isKnown && math.Abs(at-time) <= proofFreshness {
		return time, nil
	}
	return 0, &Error{Code: UseNonce, Reason: "proof_stale", Nonce: p.nonceAt(at)}
}

// read checks the proof of a request (§4.3), except for replay.
func (p *proofs) read(token string, proof *Proof) (*readProof, error) {
	if token == "" {
		return nil, invalid("missing")
	}
	if isLonger(token, p.options.MaxTokenLength) {
		return nil, invalid("too_long")
	}
	if isLonger(proof.JWT, longestProof) {
		return nil, badProof("proof_malformed")
	}
	parts := partsOf(proof.JWT)
	if parts == nil {
		return nil, badProof("proof_malformed")
	}
	payload := decodePart(parts[1])
	if payload == nil {
		return nil, badProof("proof_malformed")
	}
	place, err := placeOf(proof.URL)
	if err != nil {
		return nil, err
	}
	key, err := p.keyOf(parts[0])
	if err != nil {
		return nil, err
	}
	if err := checkClaims(payload, proof.Method, place, token); err != nil {
		return nil, err
	}
	time, err := p.freshTime(payload)
	if err != nil {
		return nil, err
	}
	if !key.verify(parts[0]+"."+parts[1], parts[2]) {
		return nil, badProof("proof_signature")
	}
	return &readProof{key.jkt, payload["jti"].(string), time}, nil
}

// use consumes a proof: each is valid for one request (§11.1).
func (p *proofs) use(ctx context.Context, proof *readProof) error {
	id := hashOf(proof.jkt + " " + proof.jti)
	until := math.Ceil(proof.time + proofFreshness)
	isNew, err := true, error(nil)
	if remember := p.options.RememberProof; remember != nil {
		life := math.Ceil(until - p.options.at())
		isNew, err = remember(ctx, id, time.Duration(life)*time.Second)
		if err != nil {
			return unavailable("unreachable", err)
		}
	} else if isNew, err = p.isNew(id, until); err != nil {
		return err
	}
	if !isNew {
		return badProof("proof_replayed")
	}
	return nil
}

// isNew remembers an id until it can no longer be replayed. It never drops one early to make room, because that would
// allow a replay.
func (p *proofs) isNew(id string, until float64) (bool, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	ids := p.ending[until]
	if ids[id] {
		return false, nil
	}
	if len(ids) == 0 || p.size >= p.options.MaxProofs {
		p.forget()
	}
	if p.size >= p.options.MaxProofs {
		return false, unavailable("overloaded", nil)
	}
	if p.ending[until] == nil {
		p.ending[until] = map[string]bool{}
	}
	p.ending[until][id] = true
	p.size++
	return true, nil
}

func (p *proofs) forget() {
	at := p.options.at()
	for until, ids := range p.ending {
		if until < at {
			delete(p.ending, until)
			p.size -= len(ids)
		}
	}
}
