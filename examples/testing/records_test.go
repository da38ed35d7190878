// Package records is tested against a server that makes every token.
package records

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

func startServer(t *testing.T) (issuer string) {
	command := strings.Fields(os.Getenv("LATCHKEY"))
	if len(command) == 0 {
		command = []string{"node_modules/.bin/latchkey"}
	}
	server := exec.Command(command[0], append(command[1:], "test-server")...)
	server.Stderr = os.Stderr
	output, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func tokenFor(t *testing.T, issuer, wanted string) *latchkey.Credential {
	answer, err := http.Post(issuer+"/test/tokens", "application/json", strings.NewReader(wanted))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body struct{ Token string }
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return &latchkey.Credential{Token: body.Token}
}

func TestRecords(t *testing.T) {
	issuer := startServer(t)
	verifier, err := latchkey.NewVerifier(t.Context(), latchkey.Options{
		Issuer: issuer, Audience: issuer,
		// The resource server of the default seed.
		ClientID: "data-api", ClientSecret: "Zc5gXe8uVd2nWk7Qx4fRt9LsYb3hJm6p",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer verifier.Close()
	for _, one := range []struct {
		token, workspace string
		refused          latchkey.Code
	}{
		{`{"kind":"user"}`, "wksInside", ""},
		{`{"kind":"user"}`, "wksOutside", latchkey.InsufficientScope},
		{`{"kind":"user","expires_in":-60}`, "wksInside", latchkey.TokenInvalid},
		{`{"kind":"user","audience":"https://other.test"}`, "wksInside", latchkey.TokenInvalid},
	} {
		_, err := verifier.Authorize(t.Context(), tokenFor(t, issuer, one.token), latchkey.Requirement{
			Interface: "current", Permissions: []string{"records:create"},
			Organization: latchkey.ID("acme"), Workspace: latchkey.ID(one.workspace),
		})
		var refusal *latchkey.Error
		if errors.As(err, &refusal); (refusal == nil) != (one.refused == "") || refusal != nil && refusal.Code != one.refused {
			t.Errorf("%s in %s: %v", one.token, one.workspace, err)
		}
	}
}
