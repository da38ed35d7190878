package latchkey_test

import (
	"strings"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

func (s *scene) expect(v *latchkey.Verifier, part, reason string, words ...string) {
	s.t.Helper()
	found := s.problem(v, part, reason)
	for _, one := range words {
		if !strings.Contains(found.Message, one) {
			s.t.Errorf("%q does not name %q", found.Message, one)
		}
	}
	if found.Since.IsZero() || found.Count < 1 {
		s.t.Errorf("%+v", found)
	}
	if logged := s.log.count("part=" + part + " reason=" + reason); logged != 1 {
		s.t.Errorf("logged %d times", logged)
	}
}

func (s *scene) expectNone(v *latchkey.Verifier) {
	s.t.Helper()
	s.eventually("no problem", func() bool { return len(v.Status().Problems) == 0 })
}

// refuse verifies the token many times; each must be refused for the reason.
func (s *scene) refuse(v *latchkey.Verifier, reason string) {
	s.t.Helper()
	for range 20 {
		if _, err := v.Verify(s.t.Context(), latchkey.Credential{Token: s.token}); reasonOf(err) != reason {
			s.t.Fatalf("%v, expected %s", err, reason)
		}
	}
}

func TestIssuerWithSlash(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.options.Issuer += "/"
	v := s.start()
	s.expect(v, "metadata", "issuer", `"`+s.vector.Issuer+`"`, `"`+s.vector.Issuer+`/"`, "the slash at the end", "ISSUER")
	s.refuse(v, "issuer")
	s.expect(v, "tokens", "issuer", "of a token", "the slash at the end")
}

func TestWrongAudience(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.options.Audience = "https://other.example"
	v := s.start()
	s.refuse(v, "audience")
	s.expect(v, "tokens", "audience", s.vector.Audience, "https://other.example", "TOKEN_AUDIENCE")
	s.now.Add(int64(2 * time.Hour))
	s.expectNone(v)
}

// Without a signature check, the sender could choose what the log says.
func TestIntrospectionDoesNotLogTheToken(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.options.Mode, s.options.Audience = latchkey.ModeIntrospect, "https://other.example"
	v := s.start()
	s.refuse(v, "audience")
	s.expect(v, "tokens", "audience", "another one", "https://other.example")
	if s.log.count(s.vector.Audience+`"`) != 0 {
		t.Error("the audience of an unverified token is logged")
	}
}

// One app with a token for another data API is no fault of the configuration.
func TestMisfitAfterAccepted(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	v := s.start()
	if _, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token}); err != nil {
		t.Fatal(err)
	}
	other := accepted(t, "legacy-tokens.json", "user")
	if other.Issuer != s.vector.Issuer {
		t.Fatal("the vectors have different issuers")
	}
	s.expectNone(v)
}

func TestWrongSecret(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.set(func() { s.status["revocations"] = 401 })
	v := s.start()
	s.expect(v, "feed", "refused", "ClientID and ClientSecret")
	if v.Status().Ready {
		t.Error("ready without revocations")
	}
	s.eventually("further attempts", func() bool { return s.requests("revocations") > 2 })
	s.expect(v, "feed", "refused")
	if s.log.count("a secret") != 0 {
		t.Error("the secret is logged")
	}
	s.set(func() { s.status["revocations"] = 0 })
	s.expectNone(v)
}

func TestWrongClock(t *testing.T) {
	for _, one := range []struct {
		server time.Duration
		words  string
	}{
		{-10 * time.Minute, "600 seconds ahead of the server's"},
		{10 * time.Minute, "600 seconds behind the server's"},
	} {
		s := newScene(t, "current-tokens.json")
		s.set(func() { s.date = func() time.Time { return time.Unix(0, s.now.Load()).Add(one.server) } })
		v := s.start()
		s.problem(v, "clock", "clock")
		found := s.problem(v, "clock", "clock").Message
		if !strings.Contains(found, "synchronize both clocks") || !strings.Contains(found, strings.Fields(one.words)[2]) {
			t.Error(found)
		}
		s.set(func() { s.date = func() time.Time { return time.Unix(0, s.now.Load()) } })
		s.feed <- `{"cursor":"2","reset":false,"more":false,"changes":[]}`
		s.feed <- `{"cursor":"3","reset":false,"more":false,"changes":[]}`
		s.expectNone(v)
	}
}

func TestTokenOfTheFuture(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.now.Add(-int64(24 * time.Hour))
	v := s.start()
	s.refuse(v, "not_yet_valid")
	s.expect(v, "tokens", "clock", "synchronize both clocks")
}

func TestSilentFeed(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	s.options.MaxRevocationAge = 10 * time.Second
	v := s.start()
	if err := v.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.now.Add(int64(11 * time.Second))
	s.refuse(v, "stale")
	s.expect(v, "feed", "stale", "10s", "MaxRevocationAge")
}
