package latchkey_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

type step struct {
	Now     *float64 `json:"now"`
	Request struct {
		Method   string `json:"method"`
		URL      string `json:"url"`
		Requires *struct {
			Interface    latchkey.Interface `json:"interface"`
			Permissions  []string           `json:"permissions"`
			Organization string             `json:"organization"`
			Workspace    *string            `json:"workspace"`
			ACR          []string           `json:"acr"`
			MaxAge       int64              `json:"maxAge"`
		} `json:"requires"`
	} `json:"request"`
	Credential any            `json:"credential"`
	Expect     map[string]any `json:"expect"`
}

type vector struct {
	step
	Name          string          `json:"name"`
	Issuer        string          `json:"issuer"`
	Audience      string          `json:"audience"`
	JWKS          json.RawMessage `json:"jwks"`
	Feed          json.RawMessage `json:"feed"`
	Introspection json.RawMessage `json:"introspection"`
	Status        map[string]int  `json:"status"`
	Earlier       []step          `json:"earlier"`
}

// script answers as the server of a vector, without a network.
type script struct {
	vector *vector
	mutex  sync.Mutex
	pages  []json.RawMessage
}

func newScript(one *vector) *script {
	pages := []json.RawMessage{one.Feed}
	if one.Feed == nil {
		pages[0] = json.RawMessage(`{"cursor":"end","reset":true,"more":false,"changes":[]}`)
	} else if one.Feed[0] == '[' {
		_ = json.Unmarshal(one.Feed, &pages)
	}
	return &script{vector: one, pages: pages}
}

func (s *script) answer(request *http.Request, body json.RawMessage, status int) *http.Response {
	text := string(body)
	if strings.HasPrefix(text, `"`) {
		_ = json.Unmarshal(body, &text)
	}
	if status == 0 {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(text)), Request: request}
}

func (s *script) nextPage() json.RawMessage {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.pages) == 0 {
		return nil
	}
	page := s.pages[0]
	if s.vector.Status["feed"] == 0 {
		s.pages = s.pages[1:]
	}
	return page
}

func (s *script) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Has("closing") {
		return s.answer(request, json.RawMessage(`{}`), 200), nil
	}
	switch request.URL.Path {
	case "/.well-known/jwks.json":
		return s.answer(request, s.vector.JWKS, s.vector.Status["jwks"]), nil
	case "/api/oauth/revocations":
		if page := s.nextPage(); page != nil {
			return s.answer(request, page, s.vector.Status["feed"]), nil
		}
		<-request.Context().Done()
		return nil, request.Context().Err()
	case "/api/oauth/introspect":
		if s.vector.Introspection == nil {
			return s.answer(request, json.RawMessage(`{}`), 500), nil
		}
		return s.answer(request, s.vector.Introspection, s.vector.Status["introspection"]), nil
	}
	return nil, errors.New("there is no " + request.URL.Path)
}

// credentialOf reads the credential from the place where the request has it.
func credentialOf(one *step) (*latchkey.Credential, error) {
	if token, isText := one.Credential.(string); isText {
		return &latchkey.Credential{Token: token}, nil
	}
	members, _ := one.Credential.(map[string]any)
	if headers, isGiven := members["headers"].(map[string]any); isGiven {
		header := http.Header{}
		for name, value := range headers {
			list, isList := value.([]any)
			if !isList {
				list = []any{value}
			}
			for _, text := range list {
				header.Add(name, text.(string))
			}
		}
		return latchkey.CredentialIn(header, one.Request.Method, one.Request.URL)
	}
	if variables, isGiven := members["variables"]; isGiven {
		members, _ := variables.(map[string]any)
		return latchkey.LegacyCredential(members)
	}
	if members == nil {
		return nil, nil
	}
	token, _ := members["token"].(string)
	proof, _ := members["proof"].(string)
	return &latchkey.Credential{
		Token: token,
		Proof: &latchkey.Proof{JWT: proof, Method: one.Request.Method, URL: one.Request.URL},
	}, nil
}

func verify(ctx context.Context, v *latchkey.Verifier, one *step) (*latchkey.Access, error) {
	credential, err := credentialOf(one)
	if err != nil {
		return nil, err
	}
	if requires := one.Request.Requires; requires != nil {
		needed := latchkey.Requirement{
			Interface:    requires.Interface,
			Permissions:  requires.Permissions,
			Organization: latchkey.ID(requires.Organization),
			ACR:          requires.ACR,
			MaxAge:       time.Duration(requires.MaxAge) * time.Second,
		}
		if requires.Workspace != nil {
			needed.Workspace = latchkey.ID(*requires.Workspace)
		}
		return v.Authorize(ctx, credential, needed)
	}
	if credential == nil {
		credential = &latchkey.Credential{}
	}
	return v.Verify(ctx, *credential)
}

func listOf(texts []string) []any {
	list := []any{}
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

func resultOf(t *testing.T, access *latchkey.Access, err error) map[string]any {
	if err != nil {
		var refusal *latchkey.Error
		if !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		return map[string]any{"ok": false, "code": string(refusal.Code), "reason": refusal.Reason}
	}
	members := map[string]any{
		"kind":           string(access.Kind),
		"interface":      string(access.Interface),
		"organizationId": access.OrganizationID,
		"clientId":       access.ClientID,
		"permissions":    listOf(access.Permissions),
		"workspaceIds":   nil,
	}
	if !access.AllWorkspaces {
		members["workspaceIds"] = listOf(access.WorkspaceIDs)
	}
	if access.UserID != "" {
		members["userId"] = access.UserID
	}
	if access.ExpiresAt != nil {
		members["expiresAt"] = *access.ExpiresAt
	}
	if access.AuthTime != nil {
		members["authTime"] = *access.AuthTime
	}
	if access.ACR != "" {
		members["acr"] = access.ACR
	}
	if access.Actor != nil {
		members["actor"] = membersOf(access.Actor)
	}
	return map[string]any{"ok": true, "access": members}
}

func membersOf(actor *latchkey.Actor) map[string]any {
	members := map[string]any{"clientId": actor.ClientID}
	if actor.Actor != nil {
		members["actor"] = membersOf(actor.Actor)
	}
	return members
}

func run(t *testing.T, one *vector) {
	var now atomic.Int64
	set := func(at *float64) { now.Store(int64(*at * 1e9)) }
	set(one.Now)
	canStart := one.Expect["reason"] != "starting"
	timeout := 30 * time.Second
	if !canStart {
		timeout = 200 * time.Millisecond
	}
	v, err := latchkey.NewVerifier(t.Context(), latchkey.Options{
		Issuer:       one.Issuer,
		Audience:     one.Audience,
		ClientID:     "rsv_vectors",
		ClientSecret: "the secret of the resource server in all vectors",
		Transport:    newScript(one),
		Timeout:      timeout,
		Logger:       slog.New(slog.DiscardHandler),
		Now:          func() time.Time { return time.Unix(0, now.Load()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if canStart {
		limited, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		if err := v.Wait(limited); err != nil {
			t.Fatal(err)
		}
	}
	for _, each := range append(one.Earlier, one.step) {
		set(one.Now)
		if each.Now != nil {
			set(each.Now)
		}
		access, err := verify(t.Context(), v, &each)
		if result := resultOf(t, access, err); !reflect.DeepEqual(result, each.Expect) {
			t.Errorf("result %v, expected %v", result, each.Expect)
		}
	}
}

func TestVectors(t *testing.T) {
	files, _ := filepath.Glob("../vectors/*.json")
	if len(files) == 0 {
		t.Skip("the vectors are in the repository only")
	}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatal(file, err)
		}
		count += len(vectors)
		for _, one := range vectors {
			t.Run(filepath.Base(file)+": "+one.Name, func(t *testing.T) { run(t, &one) })
		}
	}
	t.Logf("%d vectors", count)
}
