package latchkey_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

func TestGraphQLCredential(t *testing.T) {
	for _, one := range []struct{ name, body, token, reason string }{
		{"accessToken", `{"query":"{a}","variables":{"accessToken":"one"}}`, "one", ""},
		{"secretKey", `{"query":"{a}","variables":{"secretKey":"one","databaseId":"db"}}`, "one", ""},
		{"a batch with one token", `[{"variables":{"accessToken":"one"}},{"variables":{"accessToken":"one"}}]`, "one", ""},
		{"no token", `{"query":"{a}","variables":{}}`, "", ""},
		{"no variables", `{"query":"{a}"}`, "", ""},
		{"null", `{"query":"{a}","variables":null}`, "", ""},
		{"both", `{"variables":{"accessToken":"one","secretKey":"two"}}`, "", "two_credentials"},
		{"a batch with two tokens", `[{"variables":{"accessToken":"one"}},{"variables":{"accessToken":"two"}}]`, "",
			"two_credentials"},
		{"a batch with a token in one", `[{"variables":{"accessToken":"one"}},{"variables":{}}]`, "", "two_credentials"},
		{"a batch with a token in the other", `[{},{"variables":{"accessToken":"one"}}]`, "", "two_credentials"},
		{"a variable twice", `{"variables":{"accessToken":"one","accessToken":"two"}}`, "", "malformed"},
		{"variables twice", `{"variables":{"accessToken":"one"},"variables":{}}`, "", "malformed"},
		{"a number", `{"variables":{"accessToken":1}}`, "", "malformed"},
		{"a list of variables", `{"variables":[{"accessToken":"one"}]}`, "", "malformed"},
		{"an empty batch", `[]`, "", "malformed"},
		{"a batch of text", `["a"]`, "", "malformed"},
		{"no JSON", `query { a }`, "", "malformed"},
		{"nothing", ``, "", "malformed"},
		{"deep", strings.Repeat("[", 100_000), "", "malformed"},
	} {
		credential, err := latchkey.GraphQLCredential([]byte(one.body))
		token := ""
		if credential != nil {
			token = credential.Token
		}
		if token != one.token || reasonOf(err) != one.reason {
			t.Errorf("%s: %q %v", one.name, token, err)
		}
	}
}

func TestGraphQLGuard(t *testing.T) {
	s := newScene(t, "legacy-tokens.json")
	v := s.start()
	var refused []string
	guard := &latchkey.GraphQLGuard{
		Verifier: v,
		MaxBytes: 4000,
		Requires: func(*http.Request) latchkey.Requirement {
			return latchkey.Requirement{Organization: latchkey.OwnOrganization}
		},
		OnRefused: func(_ *http.Request, refusal *latchkey.Error) { refused = append(refused, refusal.Reason) },
	}
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write([]byte(latchkey.AccessFrom(r.Context()).OrganizationID + string(body)))
	}
	handler := guard.Handler(http.HandlerFunc(echo))
	ask := func(body, contentType string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/graphql", strings.NewReader(body))
		request.Header.Set("Content-Type", contentType)
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		return response
	}
	const jsonType = "application/json; charset=utf-8"
	with := func(token string) string {
		return string(must(json.Marshal(map[string]any{"query": "{a}", "variables": map[string]any{"accessToken": token}})))
	}
	organization := s.vector.Expect["access"].(map[string]any)["organizationId"].(string)
	if response := ask(with(s.token), jsonType); response.Body.String() != organization+with(s.token) {
		t.Error("the next handler gets access and body:", response.Code, response.Body)
	}
	for _, one := range []struct{ body, reason string }{
		{`{"query":"{a}"}`, "missing"},
		{with("nonsense"), "malformed"},
		{with(accepted(t, "current-tokens.json", "user").Credential.(string)), "interface"},
		{`{"variables":{"accessToken":"a","secretKey":"b"}}`, "two_credentials"},
	} {
		refused = nil
		response := ask(one.body, jsonType)
		answer := strings.TrimSpace(response.Body.String())
		expected := `{"data":null,"errors":[{"extensions":{"code":"token-invalid"},"message":"token-invalid"}]}`
		if response.Code != 200 || answer != expected || len(refused) != 1 || refused[0] != one.reason {
			t.Errorf("%d %s %v, expected %s", response.Code, answer, refused, one.reason)
		}
	}
	if response := ask(with(s.token), "text/plain"); response.Code != 415 {
		t.Error("another type:", response.Code)
	}
	if response := ask(strings.Repeat(" ", 4001), jsonType); response.Code != 413 {
		t.Error("too long:", response.Code)
	}
	v.Close()
	response := ask(with(s.token), jsonType)
	if response.Code != 503 || response.Header().Get("Retry-After") != "1" {
		t.Error("closed:", response.Code, response.Header())
	}
}
