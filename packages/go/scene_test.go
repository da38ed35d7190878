package latchkey_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

// scene is a verifier with an accepted token of a vector, in front of a scripted server that a test can change.
type scene struct {
	t       *testing.T
	vector  *vector
	token   string
	options latchkey.Options
	log     *records
	now     atomic.Int64

	mutex         sync.Mutex
	metadata      string
	introspection string
	status        map[string]int
	date          func() time.Time
	asked         map[string]int
	feed          chan string
}

// records are the lines of a log.
type records struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (r *records) Write(line []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.text.Write(line)
}

func (r *records) count(part string) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Count(r.text.String(), part)
}

// accepted returns a vector of the file whose token is accepted without a proof and has this kind.
func accepted(t *testing.T, file, kind string) *vector {
	text, err := os.ReadFile("../vectors/" + file)
	if err != nil {
		t.Skip("the vectors are in the repository only")
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, one := range vectors {
		token, isText := one.Credential.(string)
		access, _ := one.Expect["access"].(map[string]any)
		if isText && strings.Count(token, ".") == 2 && access["kind"] == kind && one.Feed == nil && one.Earlier == nil &&
			one.Request.Requires == nil {
			return &one
		}
	}
	t.Fatal("no vector has an accepted token of this kind")
	return nil
}

func newScene(t *testing.T, file string) *scene {
	one := accepted(t, file, "user")
	s := &scene{
		t: t, vector: one, token: one.Credential.(string), log: &records{}, status: map[string]int{},
		asked: map[string]int{}, feed: make(chan string, 10),
	}
	s.now.Store(int64(*one.Now * 1e9))
	s.metadata = `{"issuer":` + string(must(json.Marshal(one.Issuer))) + `}`
	s.introspection = s.describe(nil)
	s.feed <- `{"cursor":"1","reset":true,"more":false,"changes":[]}`
	s.options = latchkey.Options{
		Issuer: one.Issuer, Audience: one.Audience, ClientID: "rsv_test", ClientSecret: "a secret",
		Transport: s, Timeout: 20 * time.Second,
		Logger: slog.New(slog.NewTextHandler(s.log, nil)),
		Now:    func() time.Time { return time.Unix(0, s.now.Load()) },
	}
	return s
}

func must[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

// describe is the server's introspection answer about the token, with other members.
func (s *scene) describe(others map[string]any) string {
	payload := must(base64.RawURLEncoding.DecodeString(strings.Split(s.token, ".")[1]))
	answer := map[string]any{}
	if err := json.Unmarshal(payload, &answer); err != nil {
		s.t.Fatal(err)
	}
	answer["active"] = true
	if _, isListed := answer["workspace_ids"]; !isListed {
		answer["workspace_ids"] = nil
	}
	for name, value := range others {
		answer[name] = value
	}
	return string(must(json.Marshal(answer)))
}

func (s *scene) set(change func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	change()
}

func (s *scene) requests(path string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.asked[path]
}

func (s *scene) RoundTrip(request *http.Request) (*http.Response, error) {
	path := request.URL.Path[strings.LastIndexByte(request.URL.Path, '/')+1:]
	body := ""
	s.mutex.Lock()
	s.asked[path]++
	status, date := s.status[path], s.date
	switch path {
	case "jwks.json":
		body = string(s.vector.JWKS)
	case "oauth-authorization-server":
		body = s.metadata
	case "introspect":
		body = s.introspection
	}
	s.mutex.Unlock()
	if path == "revocations" && status == 0 {
		select {
		case body = <-s.feed:
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	response := newScript(s.vector).answer(request, json.RawMessage(body), status)
	response.Header = http.Header{}
	if date != nil {
		response.Header.Set("Date", date().UTC().Format(http.TimeFormat))
	}
	return response, nil
}

func (s *scene) start() *latchkey.Verifier {
	v, err := latchkey.NewVerifier(s.t.Context(), s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(v.Close)
	return v
}

// problem waits for a problem of the verifier.
func (s *scene) problem(v *latchkey.Verifier, part, reason string) latchkey.Problem {
	s.t.Helper()
	var found latchkey.Problem
	s.eventually(part+" "+reason, func() bool {
		for _, one := range v.Status().Problems {
			if one.Part == part && one.Reason == reason {
				found = one
				return true
			}
		}
		return false
	})
	return found
}

func (s *scene) eventually(what string, isDone func() bool) {
	s.t.Helper()
	for began := time.Now(); !isDone(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			s.t.Fatal("not reached: ", what)
		}
	}
}

func reasonOf(err error) string {
	if refusal, isRefusal := err.(*latchkey.Error); isRefusal {
		return refusal.Reason
	}
	return ""
}
