// Package verifytest is a signer and a verifier that trust each other, for the tests of a data API. There is no server;
// `latchkey test-server` is one.
package verifytest

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

// Token describes a token. Zero values stand for usual ones.
type Token struct {
	// Kind is user, install, self_signed or key_set; Interface is current or legacy.
	Kind, Interface string
	// Of the claims; Type is that of the header.
	Organization, Client, User, Issuer, Type string
	Permissions, Workspaces, Audience        []string
	// ExpiresIn and NotBefore count from now, and may be negative.
	ExpiresIn, NotBefore time.Duration
	// JWK is the public key that the token is bound to (RFC 9449 §6.1).
	JWK *jose.JSONWebKey
	// Act are the client ids of the apps that act, the last one first (RFC 8693 §4.1).
	Act []string
}

// Testing has the real verifier, which reads the keys of Token from memory.
type Testing struct {
	Verifier     *latchkey.Verifier
	key          *ecdsa.PrivateKey
	introspected sync.Map
}

const issuer, audience = "https://auth.test", "https://api.test"

// New makes a key and a verifier that trusts it until the test ends.
func New(t testing.TB) *Testing {
	t.Helper()
	s := &Testing{key: must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))}
	s.Verifier = must(latchkey.NewVerifier(context.Background(), latchkey.Options{
		Issuer: issuer, Audience: audience, ClientID: "test", ClientSecret: "test", Transport: s,
	}))
	t.Cleanup(s.Verifier.Close)
	return s
}

func must[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (t Token) claims(isOwn bool) map[string]any {
	now, life, client := time.Now(), t.ExpiresIn, or(t.Client, "test-app")
	if life == 0 {
		life = time.Hour
	}
	claims := map[string]any{
		"iss": or(t.Issuer, issuer), "aud": audience, "sub": client, "client_id": client, "jti": rand.Text(),
		"iat": now.Add(min(0, life-time.Second)).Unix(), "exp": now.Add(life).Unix(),
		"kind": or(t.Kind, "user"), "interface": or(t.Interface, "current"), "scope": strings.Join(t.Permissions, " "),
		"organization_id": or(t.Organization, "test-organization"), "permissions": append([]string{}, t.Permissions...),
		"install_id": "ins-" + client, "app_epoch": 0, "active": life > 0,
	}
	if claims["kind"] == "user" {
		claims["sub"], claims["grant_id"], claims["user_epoch"] = or(t.User, "test-user"), rand.Text(), 0
	}
	if claims["workspace_ids"] = t.Workspaces; isOwn {
		claims["iss"] = client
	} else if t.Interface == "legacy" {
		delete(claims, "workspace_ids")
	} else if t.Workspaces == nil {
		claims["workspace_ids"] = []string{"wksInside"}
	}
	if t.Audience != nil {
		claims["aud"] = t.Audience
	}
	if t.NotBefore != 0 {
		claims["nbf"] = now.Add(t.NotBefore).Unix()
	}
	if t.JWK != nil {
		jkt := must(t.JWK.Thumbprint(crypto.SHA256))
		claims["cnf"] = map[string]any{"jkt": base64.RawURLEncoding.EncodeToString(jkt)}
	}
	var delegation []any
	for _, actor := range slices.Backward(t.Act) {
		act := map[string]any{"client_id": actor}
		if before := claims["act"]; before != nil {
			act["act"] = before
		}
		part := map[string]any{"install_id": "ins-" + actor, "app_epoch": 0, "subject_jti": rand.Text()}
		delegation = append([]any{part}, delegation...)
		claims["act"], claims["delegation"] = act, delegation
	}
	return claims
}

// Token signs a token.
func (s *Testing) Token(wanted Token) string {
	isOwn := wanted.Kind == "self_signed" || wanted.Kind == "key_set"
	key := jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: s.key, KeyID: "test"}}
	options := (&jose.SignerOptions{}).WithType(jose.ContentType(or(wanted.Type, "at+jwt")))
	if isOwn {
		key = jose.SigningKey{Algorithm: jose.HS256, Key: []byte(rand.Text() + rand.Text())}
		options = (&jose.SignerOptions{}).WithType("JWT")
	}
	if wanted.Kind == "key_set" {
		wanted.Interface = "legacy"
	}
	claims := wanted.claims(isOwn)
	token := must(must(must(jose.NewSigner(key, options)).Sign(must(json.Marshal(claims)))).CompactSerialize())
	if wanted.Kind == "key_set" {
		token = "lkks_" + rand.Text() + rand.Text()
	}
	if isOwn { // Only a server knows their secrets, so the verifier asks it.
		s.introspected.Store(token, claims)
	}
	return token
}

// Explain returns the stable reason for which the verifier refuses the credential; empty when it accepts it.
func (s *Testing) Explain(credential latchkey.Credential) string {
	_, err := s.Verifier.Verify(context.Background(), credential)
	if refusal, isRefusal := err.(*latchkey.Error); isRefusal {
		return refusal.Reason
	}
	return ""
}

// RoundTrip answers as a server without revocations would.
func (s *Testing) RoundTrip(request *http.Request) (*http.Response, error) {
	var answer any = map[string]any{"cursor": "1", "reset": true, "more": false, "changes": []any{}}
	switch request.URL.Path {
	case "/.well-known/jwks.json":
		key := jose.JSONWebKey{Key: &s.key.PublicKey, KeyID: "test", Algorithm: "ES256", Use: "sig"}
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}}
	case "/api/oauth/introspect":
		if err := request.ParseForm(); err != nil {
			return nil, err
		}
		answer = map[string]any{"active": false}
		if known, isKnown := s.introspected.Load(request.PostForm.Get("token")); isKnown {
			answer = known
		}
	}
	body := io.NopCloser(strings.NewReader(string(must(json.Marshal(answer)))))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, Request: request}, nil
}
