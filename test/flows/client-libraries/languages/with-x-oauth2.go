// golang.org/x/oauth2, which finds out by itself where a server wants the credentials.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var (
	ctx    = context.Background()
	issuer = os.Getenv("ISSUER")
	input  = bufio.NewScanner(os.Stdin)
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func random() string {
	bytes := make([]byte, 32)
	_, err := rand.Read(bytes)
	check(err)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// Sends the person there, and returns the code with which they come back to the app.
func visit(address, state string) string {
	fmt.Println("visit", address)
	input.Scan()
	back, err := url.Parse(input.Text())
	check(err)
	if back.Query().Get("state") != state {
		check(errors.New("the state of another request"))
	}
	return back.Query().Get("code")
}

func config(authorize, token string) *oauth2.Config {
	return &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Endpoint:     oauth2.Endpoint{AuthURL: issuer + authorize, TokenURL: issuer + token},
	}
}

func told(token *oauth2.Token) map[string]any {
	return map[string]any{
		"access_token":    token.AccessToken,
		"refresh_token":   token.RefreshToken,
		"token_type":      token.TokenType,
		"scope":           token.Extra("scope"),
		"organization_id": token.Extra("organization_id"),
		"expires_in":      token.Extra("expires_in"),
	}
}

func refresh(config *oauth2.Config, token *oauth2.Token) (*oauth2.Token, error) {
	return config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
}

// A refresh, and what is said to the same refresh token once more.
func refreshed(config *oauth2.Config, first *oauth2.Token) map[string]any {
	next, err := refresh(config, first)
	check(err)
	_, err = refresh(config, first)
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		check(errors.New("a spent refresh token was not refused"))
	}
	var refusal struct{ Error string }
	check(json.Unmarshal(refused.Body, &refusal))
	return map[string]any{"first": told(first), "next": told(next), "refusal": refusal.Error}
}

func code() any {
	config := config("/authorize", "/api/oauth/token")
	verifier, state := random(), random()
	hash := sha256.Sum256([]byte(verifier))
	address := config.AuthCodeURL(
		state,
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"),
	)
	proof := oauth2.SetAuthURLParam("code_verifier", verifier)
	first, err := config.Exchange(ctx, visit(address, state), proof)
	check(err)
	return refreshed(config, first)
}

func legacy() any {
	config := config("/oauth/authorize", "/api/oauth/access_token")
	if os.Getenv("METHOD") == "client_secret_post" {
		config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	state := random()
	first, err := config.Exchange(ctx, visit(config.AuthCodeURL(state), state))
	check(err)
	return refreshed(config, first)
}

func moved() any {
	config := config("", "")
	config.Endpoint.TokenURL = os.Getenv("TOKEN_ENDPOINT")
	return refreshed(config, &oauth2.Token{RefreshToken: os.Getenv("REFRESH_TOKEN")})
}

func itself() any {
	config := clientcredentials.Config{
		ClientID:       os.Getenv("CLIENT_ID"),
		ClientSecret:   os.Getenv("CLIENT_SECRET"),
		TokenURL:       issuer + "/api/oauth/token",
		EndpointParams: url.Values{"organization_id": {os.Getenv("ORGANIZATION_ID")}},
	}
	token, err := config.Token(ctx)
	check(err)
	return told(token)
}

func main() {
	flows := map[string]func() any{"code": code, "legacy": legacy, "moved": moved, "itself": itself}
	result, err := json.Marshal(flows[os.Args[1]]())
	check(err)
	fmt.Println("tell", string(result))
}
