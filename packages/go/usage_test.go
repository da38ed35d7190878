package latchkey_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

// reports are requests that a server has answered with 204.
type reports struct {
	http.RoundTripper
	mutex sync.Mutex
	seen  []string
	keys  []string
}

func (r *reports) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Path != "/api/oauth/usage" {
		return r.RoundTripper.RoundTrip(request)
	}
	body, _ := io.ReadAll(request.Body)
	var report struct {
		Counts []struct {
			Permission string
			Count      int
		}
	}
	_ = json.Unmarshal(body, &report)
	counts, _ := json.Marshal(report.Counts)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.seen = append(r.seen, string(counts))
	r.keys = append(r.keys, request.Header.Get("Idempotency-Key"))
	return &http.Response{StatusCode: 204, Header: http.Header{}, Body: io.NopCloser(&bytes.Buffer{})}, nil
}

func TestUsageIsReported(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	server := &reports{RoundTripper: s}
	s.options.Transport = server
	v := s.start()
	access, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token})
	if err != nil {
		t.Fatal(err)
	}
	granted := access.Permissions[0]
	var all sync.WaitGroup
	for range 100 {
		all.Add(1)
		go func() {
			defer all.Done()
			access.Can(granted)
			access.Can("nothing:granted")
		}()
	}
	all.Wait()
	v.Close()
	if expected := `[{"Permission":"` + granted + `","Count":100}]`; len(server.seen) != 1 || server.seen[0] != expected {
		t.Errorf("%v, expected %s", server.seen, expected)
	}
	if server.keys[0] == "" {
		t.Error("without a key")
	}
}

func TestReadingIsReported(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	server := &reports{RoundTripper: s}
	s.options.Transport = server
	v := s.start()
	needed := latchkey.Requirement{Interface: latchkey.Current, Organization: latchkey.OwnOrganization}
	if _, err := v.Authorize(t.Context(), &latchkey.Credential{Token: s.token}, needed); err != nil {
		t.Fatal(err)
	}
	v.Close()
	if len(server.seen) != 1 || server.seen[0] != `[{"Permission":"read","Count":1}]` {
		t.Error(server.seen)
	}
}

func TestNoUsage(t *testing.T) {
	s := newScene(t, "current-tokens.json")
	server := &reports{RoundTripper: s}
	s.options.Transport, s.options.NoUsage = server, true
	v := s.start()
	access, err := v.Verify(t.Context(), latchkey.Credential{Token: s.token})
	if err != nil || !access.Can(access.Permissions[0]) {
		t.Fatal(err)
	}
	v.Close()
	if len(server.seen) != 0 {
		t.Error(server.seen)
	}
}
