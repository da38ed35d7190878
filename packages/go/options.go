package latchkey

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Mode is how a verifier verifies the tokens that the server has signed.
type Mode string

const (
	// ModeLocal verifies signatures in this process.
	ModeLocal Mode = "local"
	// ModeIntrospect asks the server about every token, and reuses an answer for ActiveFor, unless the revocation feed
	// reports a change before.
	ModeIntrospect Mode = "introspect"
)

// Options of NewVerifier. Zero values stand for the defaults.
type Options struct {
	// Issuer is `iss` of the tokens and the address of the authorization server.
	Issuer string
	// Audience is `aud` of the tokens: the server's TOKEN_AUDIENCE.
	Audience string
	// ClientID and ClientSecret of the resource server, from the operator.
	ClientID, ClientSecret string
	// Server is the base address for requests of this library, when the issuer's address is not reachable from here.
	Server string
	// Mode is how issued tokens are verified; default: ModeLocal.
	Mode Mode
	// ClockTolerance is the tolerated clock difference, up to 60 s; default 30 s.
	ClockTolerance time.Duration
	// MaxRevocationAge is the time without news of revocations after which tokens are refused, at least 2 s; default:
	// never.
	MaxRevocationAge time.Duration
	// ActiveFor and InactiveFor are how long an introspection answer is reused: default 5 s and 1 s, at most 60 s.
	ActiveFor, InactiveFor time.Duration
	// Timeout within which the server must answer, also for a verification that waits for the first state; default 2 s.
	Timeout time.Duration
	// KeysInterval is the minimum between two reads of the signing keys for an unknown key; default 5 s.
	KeysInterval time.Duration
	// CacheSize is the number of cached tokens of each kind; default 10,000.
	CacheSize int
	// MaxTokenLength in characters; default 16,384.
	MaxTokenLength int
	// MaxProofs is how many proofs a process remembers. Beyond that, it refuses further ones; default 500,000.
	MaxProofs int
	// RememberProof is called for each proof with the time for which it could be replayed; it returns true for a new
	// one. By default each process remembers its own proofs. Several processes need a shared memory.
	RememberProof func(ctx context.Context, id string, life time.Duration) (bool, error)
	// NoUsage stops the reports to the server of how often which app was granted which permission, in which organization.
	NoUsage bool
	// Transport sends all requests; default: http.DefaultTransport.
	Transport http.RoundTripper
	// Logger gets one warning for each new problem that Status lists; default: slog.Default().
	Logger *slog.Logger
	// OnProblem is called for each failed request to the server, for metrics; one call at a time for the keys and one for
	// the feed.
	OnProblem func(problem *Error)
	// Now is the clock; default: time.Now.
	Now func() time.Time
}

func orElse[V comparable](value *V, otherwise V) {
	var zero V
	if *value == zero {
		*value = otherwise
	}
}

func isAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}

// complete adds the defaults and returns an error that names every faulty option.
func (o *Options) complete() error {
	orElse(&o.Server, o.Issuer)
	o.Server = strings.TrimRight(o.Server, "/")
	orElse(&o.Mode, ModeLocal)
	orElse(&o.ClockTolerance, 30*time.Second)
	orElse(&o.ActiveFor, 5*time.Second)
	orElse(&o.InactiveFor, time.Second)
	orElse(&o.Timeout, 2*time.Second)
	orElse(&o.KeysInterval, 5*time.Second)
	orElse(&o.CacheSize, 10_000)
	orElse(&o.MaxTokenLength, 16_384)
	orElse(&o.MaxProofs, 500_000)
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	second := time.Second
	checks := []struct {
		name   string
		isGood bool
	}{
		{"Issuer", isAddress(o.Issuer)},
		{"Server", isAddress(o.Server)},
		{"Audience", o.Audience != ""},
		{"ClientID", o.ClientID != ""},
		{"ClientSecret", o.ClientSecret != ""},
		{"Mode", o.Mode == ModeLocal || o.Mode == ModeIntrospect},
		{"ClockTolerance", o.ClockTolerance >= 0 && o.ClockTolerance <= 60*second},
		{"MaxRevocationAge", o.MaxRevocationAge == 0 || o.MaxRevocationAge >= 2*second},
		{"ActiveFor", o.ActiveFor >= 0 && o.ActiveFor <= 60*second},
		{"InactiveFor", o.InactiveFor >= 0 && o.InactiveFor <= 60*second},
		{"Timeout", o.Timeout >= 10*time.Millisecond && o.Timeout <= 60*second},
		{"KeysInterval", o.KeysInterval >= 10*time.Millisecond && o.KeysInterval <= time.Hour},
		{"CacheSize", o.CacheSize >= 1 && o.CacheSize <= 10_000_000},
		{"MaxTokenLength", o.MaxTokenLength >= 1 && o.MaxTokenLength <= 1_000_000},
		{"MaxProofs", o.MaxProofs >= 1 && o.MaxProofs <= 10_000_000},
	}
	var faults []string
	for _, one := range checks {
		if !one.isGood {
			faults = append(faults, one.name)
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("latchkey: options at fault: %s", strings.Join(faults, ", "))
	}
	return nil
}

// at is the time in seconds since 1970.
func (o *Options) at() float64 { return float64(o.Now().UnixNano()) / 1e9 }
