package latchkey_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

func introspecting(t *testing.T) (*scene, *latchkey.Verifier) {
	s := newScene(t, "current-tokens.json")
	s.options.Mode = latchkey.ModeIntrospect
	v := s.start()
	if err := v.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, v
}

func TestIntrospectEachToken(t *testing.T) {
	s, v := introspecting(t)
	verify := func() (*latchkey.Access, error) {
		return v.Verify(t.Context(), latchkey.Credential{Token: s.token})
	}
	access, err := verify()
	if err != nil {
		t.Fatal(err)
	}
	expected := s.vector.Expect["access"].(map[string]any)
	if access.UserID != expected["userId"] || access.OrganizationID != expected["organizationId"] {
		t.Errorf("%+v", access)
	}
	if s.requests("jwks.json") != 0 {
		t.Error("the keys are not needed")
	}
	if !v.Status().Ready {
		t.Error("ready without keys")
	}

	s.set(func() { s.introspection = `{"active":false}` })
	if _, err := verify(); err != nil || s.requests("introspect") != 1 {
		t.Error("an answer is reused:", err, s.requests("introspect"))
	}
	s.now.Add(int64(6 * time.Second))
	if _, err := verify(); reasonOf(err) != "inactive" {
		t.Error("after five seconds the server is asked again:", err)
	}
}

func TestIntrospectionUnderTheFeed(t *testing.T) {
	s, v := introspecting(t)
	credential := latchkey.Credential{Token: s.token}
	if _, err := v.Verify(t.Context(), credential); err != nil {
		t.Fatal(err)
	}
	s.set(func() { s.introspection = `{"active":false}` })
	s.feed <- `{"cursor":"2","reset":false,"more":false,"changes":[{"type":"user","id":"another","active":false,"epoch":1,` +
		`"until":9999999999}]}`
	s.feed <- `{"cursor":"3","reset":false,"more":false,"changes":[{"type":"install_member","id":"any","user_id":"another",` +
		`"active":false,"until":9999999999}]}`
	s.eventually("the changes are read", func() bool { return s.requests("revocations") >= 4 })
	if _, err := v.Verify(t.Context(), credential); err != nil {
		t.Error("the changes are about another user:", err)
	}
	s.feed <- `{"cursor":"4","reset":false,"more":false,"changes":[{"type":"grant","id":"any","active":false,` +
		`"until":9999999999}]}`
	s.eventually("the answer is dropped", func() bool {
		_, err := v.Verify(t.Context(), credential)
		return reasonOf(err) == "inactive"
	})
}

func TestIntrospectionUnderAnAudience(t *testing.T) {
	s, v := introspecting(t)
	verify := func() error {
		_, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token})
		return err
	}
	if err := verify(); err != nil {
		t.Fatal(err)
	}
	user := s.vector.Expect["access"].(map[string]any)["userId"].(string)
	for _, isInside := range []bool{false, true} {
		s.set(func() { s.introspection = s.describe(map[string]any{"active": isInside}) })
		s.feed <- fmt.Sprintf(`{"cursor":"2","reset":false,"more":false,"changes":[{"type":"install_member",`+
			`"id":"of an actor","user_id":%q,"active":%t,"until":9999999999}]}`, user, isInside)
		s.eventually("the answer is dropped", func() bool { return (verify() == nil) == isInside })
	}
}

func TestIntrospectionOfManyRequests(t *testing.T) {
	s, v := introspecting(t)
	var requests sync.WaitGroup
	for range 50 {
		requests.Add(1)
		go func() {
			defer requests.Done()
			if _, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token}); err != nil {
				t.Error(err)
			}
		}()
	}
	requests.Wait()
	if s.requests("introspect") != 1 {
		t.Errorf("%d requests for one token", s.requests("introspect"))
	}
}

func TestIntrospectionRefuses(t *testing.T) {
	for _, one := range []struct {
		name, reason string
		change       map[string]any
	}{
		{"an answer about another user", "bad_answer", map[string]any{"sub": "usr_another"}},
		{"an answer about another token", "bad_answer", map[string]any{"jti": "another"}},
		{"an answer about a key-bound token", "bad_answer", map[string]any{"cnf": map[string]any{"jkt": "another"}}},
		{"an answer without workspaces", "bad_answer", map[string]any{"workspace_ids": "all"}},
		{"an answer of another form", "bad_answer", map[string]any{"interface": "next"}},
		{"a token of another kind", "inactive", map[string]any{"kind": "refresh_token"}},
		{"an inactive token", "inactive", map[string]any{"active": false}},
	} {
		t.Run(one.name, func(t *testing.T) {
			s, v := introspecting(t)
			s.set(func() { s.introspection = s.describe(one.change) })
			if _, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token}); reasonOf(err) != one.reason {
				t.Errorf("%v, expected %s", err, one.reason)
			}
		})
	}
	s, v := introspecting(t)
	s.now.Add(int64(48 * time.Hour))
	if _, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token}); reasonOf(err) != "expired" {
		t.Error(err)
	}
	if s.requests("introspect") != 0 {
		t.Error("an expired token is not worth a request")
	}
	v.Close()
	if _, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token}); reasonOf(err) != "closed" {
		t.Error(err)
	}
}
