package latchkey_test

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

var (
	options  latchkey.Options
	verifier *latchkey.Verifier
	serve    http.HandlerFunc
)

func ExampleMode() {
	options.Mode = latchkey.ModeIntrospect
	verifier, err := latchkey.NewVerifier(context.Background(), options)
	if err != nil {
		log.Fatal(err)
	}
	defer verifier.Close()
}

func ExampleGraphQLGuard() {
	guard := &latchkey.GraphQLGuard{
		Verifier: verifier,
		Requires: func(*http.Request) latchkey.Requirement {
			return latchkey.Requirement{Interface: latchkey.Legacy, Organization: latchkey.OwnOrganization}
		},
	}
	http.Handle("POST /graphql", guard.Handler(serve))
}

func ExampleVerifier_Status() {
	http.HandleFunc("GET /health/ready", func(w http.ResponseWriter, _ *http.Request) {
		status := verifier.Status()
		if !status.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(status)
	})
}

var (
	fence   = regexp.MustCompile("(?s)```go\n(.*?)```")
	indents = regexp.MustCompile(`(?m)^\s+`)
)

// Each sample of the documentation is code that the compiler has seen.
func TestSamples(t *testing.T) {
	var compiled strings.Builder
	for _, file := range []string{"example_test.go", "example/main.go"} {
		compiled.Write(must(os.ReadFile(file)))
	}
	code := indents.ReplaceAllString(compiled.String(), "")
	count := 0
	for _, file := range []string{"README.md", "../../docs/for-data-apis.md"} {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Logf("%s is in the repository only", file)
			continue
		}
		for _, found := range fence.FindAllSubmatch(text, -1) {
			count++
			if !strings.Contains(code, indents.ReplaceAllString(string(found[1]), "")) {
				t.Errorf("%s has a sample that is not in an example:\n%s", file, found[1])
			}
		}
	}
	if count < 4 {
		t.Errorf("%d samples", count)
	}
}
