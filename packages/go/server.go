package latchkey

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const mostBytes = 8 << 20

// The version of this module.
const version = "0.1.0"

// The last request of a process.
const longestLeave = time.Second

// statusError: the server answered with a status other than 200.
type statusError int

func (s statusError) Error() string {
	return fmt.Sprintf("the authorization server answered with status %d", int(s))
}

type answerError string

func (a answerError) Error() string { return string(a) }

// server sends the requests to the authorization server. Each returns an *Error when it fails.
type server struct {
	options *Options
	client  *http.Client
	clock   *clockCheck
	// reader names this process.
	reader string
}

func newServer(o *Options, clock *clockCheck) *server {
	// Redirects are not followed, because the credentials are for one address only.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &server{o, &http.Client{Transport: o.Transport, CheckRedirect: stay}, clock, rand.Text()}
}

func (s *server) keys(ctx context.Context) (object, error) {
	return s.ask(ctx, "GET", "/.well-known/jwks.json", "", s.options.Timeout)
}

// metadata returns the server's description of itself (RFC 8414).
func (s *server) metadata(ctx context.Context) (object, error) {
	return s.ask(ctx, "GET", "/.well-known/oauth-authorization-server", "", s.options.Timeout)
}

func (s *server) introspect(ctx context.Context, token string) (object, error) {
	form := url.Values{"token": {token}}.Encode()
	return s.ask(ctx, "POST", "/api/oauth/introspect", form, s.options.Timeout)
}

// revocations returns the changes since the cursor, or all relevant ones without a cursor. The server may hold the
// request for `wait` seconds until something changes.
func (s *server) revocations(ctx context.Context, cursor string, wait int) (object, error) {
	query := url.Values{"wait": {strconv.Itoa(wait)}, "reader": {s.reader}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	limit := s.options.Timeout + time.Duration(wait)*time.Second
	return s.ask(ctx, "GET", "/api/oauth/revocations?"+query.Encode(), "", limit)
}

// leave tells the server that this process reads no more revocations.
func (s *server) leave() {
	query := url.Values{"reader": {s.reader}, "closing": {"true"}}
	limit := min(longestLeave, s.options.Timeout)
	_, _ = s.ask(context.Background(), "GET", "/api/oauth/revocations?"+query.Encode(), "", limit)
}

func (s *server) request(ctx context.Context, method, path, body string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.options.Server+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if !strings.HasPrefix(path, "/.well-known/") {
		// RFC 6749 §2.3.1: id and secret are form-urlencoded inside Basic.
		request.Header.Set("User-Agent", "latchkey-verify-go/"+version)
		request.SetBasicAuth(url.QueryEscape(s.options.ClientID), url.QueryEscape(s.options.ClientSecret))
	}
	return request, nil
}

func (s *server) ask(ctx context.Context, method, path, form string, limit time.Duration) (object, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := s.request(ctx, method, path, form)
	if err != nil {
		return nil, unavailable("unreachable", err)
	}
	if method == "POST" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	sentAt := s.options.Now()
	response, err := s.client.Do(request)
	if err != nil {
		return nil, unavailable("unreachable", err)
	}
	defer response.Body.Close()
	s.clock.compare(sentAt, s.options.Now(), response.Header.Get("Date"))
	return readAnswer(response)
}

func readAnswer(response *http.Response) (object, error) {
	text, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	switch {
	case err != nil:
		return nil, unavailable("unreachable", err)
	case len(text) > mostBytes:
		return nil, unavailable("bad_answer", answerError("the answer is too long"))
	case response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden:
		return nil, unavailable("refused", statusError(response.StatusCode))
	case response.StatusCode != http.StatusOK:
		return nil, unavailable("bad_answer", statusError(response.StatusCode))
	}
	body := parseObject(bytes.TrimPrefix(text, []byte("\ufeff")), false)
	if body == nil {
		return nil, unavailable("bad_answer", answerError("not a JSON object"))
	}
	return body, nil
}
