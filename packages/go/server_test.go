package latchkey_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

// dataAPI has a route that needs `permission` in a workspace of an organization, all named by the path.
func dataAPI(t *testing.T, mode latchkey.Mode, setting func(string) string) *httptest.Server {
	v, err := latchkey.NewVerifier(t.Context(), latchkey.Options{
		Issuer:       setting("ISSUER"),
		Audience:     setting("TOKEN_AUDIENCE"),
		ClientID:     setting("RESOURCE_SERVER_ID"),
		ClientSecret: setting("RESOURCE_SERVER_SECRET"),
		Mode:         mode,
	})
	if err != nil {
		t.Fatal(err)
	}
	guard := &latchkey.Guard{Verifier: v, Requires: func(r *http.Request) latchkey.Requirement {
		return latchkey.Requirement{
			Interface:    latchkey.Current,
			Permissions:  []string{r.PathValue("permission")},
			Organization: latchkey.ID(r.PathValue("organization")),
			Workspace:    latchkey.ID(r.PathValue("workspace")),
		}
	}}
	routes := http.NewServeMux()
	routes.Handle("/{organization}/{workspace}/{permission}", guard.Handler(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(latchkey.AccessFrom(r.Context()).ClientID))
		})))
	api := httptest.NewServer(routes)
	t.Cleanup(func() {
		api.Close()
		v.Close()
	})
	return api
}

func send(t *testing.T, method, url, authorization string) *http.Response {
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response
}

func checkAnswers(t *testing.T, url string, setting func(string) string) {
	bearer := "Bearer " + setting("TOKEN")
	place := url + "/" + setting("ORGANIZATION") + "/" + setting("WORKSPACE")
	for _, one := range []struct {
		what, url, authorization string
		status                   int
		challenge                string
	}{
		{"its workspace", place + "/records:create", bearer, 200, ""},
		{"no token", place + "/records:create", "", 401, `Bearer`},
		{"another token", place + "/records:create", bearer + "A", 401, `error="invalid_token"`},
		{"another permission", place + "/table:modify", bearer, 403, `scope="table:modify"`},
		{"another organization", url + "/other/" + setting("WORKSPACE") + "/records:create", bearer, 403,
			`error="insufficient_scope"`},
		{"another workspace", url + "/" + setting("ORGANIZATION") + "/wksother/records:create", bearer, 403,
			`error="insufficient_scope"`},
	} {
		response := send(t, "GET", one.url, one.authorization)
		challenge := response.Header.Get("WWW-Authenticate")
		if response.StatusCode != one.status || !strings.Contains(challenge, one.challenge) {
			t.Errorf("%s: %d %s", one.what, response.StatusCode, challenge)
		}
	}
}

// TestRunningServer needs the settings of a running server.
func TestRunningServer(t *testing.T) {
	if os.Getenv("LATCHKEY_TEST_ISSUER") == "" {
		t.Skip("without a running server")
	}
	setting := func(name string) string { return os.Getenv("LATCHKEY_TEST_" + name) }
	bearer := "Bearer " + setting("TOKEN")
	own := "/" + setting("ORGANIZATION") + "/" + setting("WORKSPACE")
	apis := map[latchkey.Mode]*httptest.Server{}
	for _, mode := range []latchkey.Mode{latchkey.ModeLocal, latchkey.ModeIntrospect} {
		apis[mode] = dataAPI(t, mode, setting)
		checkAnswers(t, apis[mode].URL, setting)
	}

	uninstalled := send(t, "DELETE", setting("INSTALL"), "Bearer "+setting("OPERATOR_TOKEN"))
	if uninstalled.StatusCode/100 != 2 {
		t.Fatal("uninstall:", uninstalled.StatusCode)
	}
	began := time.Now()
	for mode, api := range apis {
		for send(t, "GET", api.URL+own+"/records:create", bearer).StatusCode != 401 {
			if time.Since(began) > 2*time.Second {
				t.Fatal("the token of the uninstalled app was accepted for 2 seconds:", mode)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func TestUnavailable(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	settings := map[string]string{
		"ISSUER": gone.URL, "TOKEN_AUDIENCE": "api", "RESOURCE_SERVER_ID": "rsv", "RESOURCE_SERVER_SECRET": "secret",
	}
	api := dataAPI(t, latchkey.ModeLocal, func(name string) string { return settings[name] })
	response := send(t, "GET", api.URL+"/org/wks/records:create", "Bearer lkks_any")
	if response.StatusCode != 503 || response.Header.Get("Retry-After") != "1" {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
}

func TestOptions(t *testing.T) {
	_, err := latchkey.NewVerifier(t.Context(), latchkey.Options{Issuer: "auth.example", Audience: "api"})
	if err == nil || !strings.Contains(err.Error(), "Issuer, Server, ClientID, ClientSecret") {
		t.Error(err)
	}
}
