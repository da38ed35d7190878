package verifytest_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	latchkey "github.com/latchkey-auth/latchkey/packages/go"
	"github.com/latchkey-auth/latchkey/packages/go/verifytest"
)

func TestEveryKindIsAccepted(t *testing.T) {
	s := verifytest.New(t)
	for _, kind := range []string{"user", "install", "self_signed", "key_set"} {
		token := s.Token(verifytest.Token{
			Kind: kind, Organization: "acme", Client: "app", Permissions: []string{"readData"},
		})
		access, err := s.Verifier.Verify(context.Background(), latchkey.Credential{Token: token})
		if err != nil {
			t.Fatal(kind, s.Explain(latchkey.Credential{Token: token}))
		}
		if access.Kind != latchkey.Kind(kind) || access.OrganizationID != "acme" || !access.Can("readData") {
			t.Error(kind, access)
		}
	}
}

func TestReasonsAreExplained(t *testing.T) {
	s := verifytest.New(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for reason, wanted := range map[string]verifytest.Token{
		"":              {},
		"expired":       {ExpiresIn: -time.Minute},
		"not_yet_valid": {NotBefore: 2 * time.Minute},
		"issuer":        {Issuer: "https://other.test"},
		"audience":      {Audience: []string{"https://other.test"}},
		"header":        {Type: "JWT"},
		"bound_to_key":  {JWK: &jose.JSONWebKey{Key: &key.PublicKey}},
		"inactive":      {Kind: "key_set", ExpiresIn: -time.Second},
	} {
		if got := s.Explain(latchkey.Credential{Token: s.Token(wanted)}); got != reason {
			t.Errorf("%q instead of %q", got, reason)
		}
	}
	other := verifytest.New(t).Token(verifytest.Token{})
	if got := s.Explain(latchkey.Credential{Token: other}); got != "signature" {
		t.Error(got)
	}
}

func TestDelegationAndWorkspaces(t *testing.T) {
	s := verifytest.New(t)
	credential := latchkey.Credential{Token: s.Token(verifytest.Token{Act: []string{"assistant", "router"}})}
	access, err := s.Verifier.Verify(context.Background(), credential)
	if err != nil || access.Actor.ClientID != "assistant" || access.Actor.Actor.ClientID != "router" {
		t.Fatal(access, err)
	}
	_, err = s.Verifier.Authorize(context.Background(), &credential, latchkey.Requirement{
		Interface: "current", Organization: latchkey.ID("test-organization"), Workspace: latchkey.ID("wksOutside"),
	})
	var refusal *latchkey.Error
	if !errors.As(err, &refusal) || refusal.Reason != "workspace" {
		t.Error(err)
	}
}
