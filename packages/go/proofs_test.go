package latchkey_test

import (
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	latchkey "github.com/latchkey-auth/latchkey/packages/go"
)

// provenVector returns a vector whose token is accepted with its proof.
func provenVector(t *testing.T) *vector {
	text, err := os.ReadFile("../vectors/proofs.json")
	if err != nil {
		t.Skip("the vectors are in the repository only")
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, one := range vectors {
		members, _ := one.Credential.(map[string]any)
		if members["proof"] != nil && one.Expect["ok"] == true && one.Earlier == nil && one.Request.Requires == nil {
			return &one
		}
	}
	t.Fatal("no vector has an accepted proof")
	return nil
}

func TestOneProofManyRequests(t *testing.T) {
	one := provenVector(t)
	v, err := latchkey.NewVerifier(t.Context(), latchkey.Options{
		Issuer: one.Issuer, Audience: one.Audience, ClientID: "rsv_vectors",
		ClientSecret: "the secret of the resource server in all vectors",
		Transport:    newScript(one),
		Timeout:      30 * time.Second,
		Now:          func() time.Time { return time.Unix(int64(*one.Now), 0) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var accepted, replayed atomic.Int32
	var requests sync.WaitGroup
	for range 50 {
		requests.Add(1)
		go func() {
			defer requests.Done()
			_, err := verify(t.Context(), v, &one.step)
			refusal, _ := err.(*latchkey.Error)
			switch {
			case err == nil:
				accepted.Add(1)
			case refusal != nil && refusal.Reason == "proof_replayed":
				replayed.Add(1)
			}
		}()
	}
	requests.Wait()
	if accepted.Load() != 1 || replayed.Load() != 49 {
		t.Errorf("%d accepted, %d replayed", accepted.Load(), replayed.Load())
	}
}
