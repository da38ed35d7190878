package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

func main() {
	verifier, err := latchkey.NewVerifier(context.Background(), latchkey.Options{
		Issuer:       os.Getenv("ISSUER"),
		Audience:     os.Getenv("AUDIENCE"),
		ClientID:     os.Getenv("RS_ID"),
		ClientSecret: os.Getenv("RS_SECRET"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer verifier.Close()
	guard := &latchkey.Guard{Verifier: verifier, Requires: func(r *http.Request) latchkey.Requirement {
		return latchkey.Requirement{
			Interface:    latchkey.Current,
			Permissions:  []string{"records:create"},
			Organization: latchkey.OwnOrganization, // the rows are looked up in this organization only
			Workspace:    latchkey.ID(r.PathValue("workspace")),
		}
	}}
	create := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "created by", latchkey.AccessFrom(r.Context()).ClientID)
	}
	http.Handle("POST /workspaces/{workspace}/records", guard.Handler(http.HandlerFunc(create)))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8081"), nil))
}
