package latchkey

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

const (
	usageEvery   = 15 * time.Second
	mostOfReport = 2000
	// What exceeds the memory is not counted.
	mostCounts = 20_000
	mostUnsent = 20
)

type usageKey struct{ client, organization, permission string }

type usageCount struct {
	ClientID       string `json:"client_id"`
	OrganizationID string `json:"organization_id"`
	Permission     string `json:"permission"`
	Count          int64  `json:"count"`
}

// usageReport is counted once by the server, whatever its body.
type usageReport struct {
	key    string
	From   time.Time    `json:"from"`
	To     time.Time    `json:"to"`
	Counts []usageCount `json:"counts"`
}

// usage counts the permissions that this data API granted, by app and organization, and reports them to the server.
type usage struct {
	server *server
	mutex  sync.Mutex
	counts map[usageKey]int64
	since  time.Time
	unsent []usageReport
	// The day of the last report. Without any use there is one a day, because that is measured too.
	reportedOn string
}

func (u *usage) count(access *Access, permission string) {
	if u == nil || (access.Kind != KindUser && access.Kind != KindInstall) {
		return
	}
	key := usageKey{access.ClientID, access.OrganizationID, permission}
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if count, isKnown := u.counts[key]; isKnown || len(u.counts) < mostCounts {
		u.counts[key] = count + 1
	}
}

func (u *usage) take(isEnd bool) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	to := u.server.options.Now().UTC()
	today := to.Format(time.DateOnly)
	if (len(u.counts) == 0 && (isEnd || u.reportedOn == today)) || len(u.unsent) >= mostUnsent {
		return
	}
	from := u.since
	if oldest := to.Add(-24 * time.Hour); from.Before(oldest) {
		from = oldest
	}
	next := usageReport{rand.Text(), from, to, []usageCount{}}
	for key, count := range u.counts {
		if len(next.Counts) == mostOfReport {
			u.unsent = append(u.unsent, next)
			next = usageReport{rand.Text(), from, to, []usageCount{}}
		}
		next.Counts = append(next.Counts, usageCount{key.client, key.organization, key.permission, count})
	}
	u.unsent = append(u.unsent, next)
	u.counts, u.since, u.reportedOn = map[usageKey]int64{}, to, today
}

// send leaves what the server did not answer for the next time, under the same key.
func (u *usage) send(ctx context.Context, isEnd bool) {
	u.take(isEnd)
	for len(u.unsent) > 0 && u.server.report(ctx, u.unsent[0]) {
		u.unsent = u.unsent[1:]
	}
}

// run reports until the context ends, and then the rest.
func (u *usage) run(ctx context.Context) {
	for isEnd := false; !isEnd; {
		pause(ctx, usageEvery)
		isEnd = ctx.Err() != nil
		rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), u.server.options.Timeout)
		u.send(rest, isEnd)
		cancel()
	}
}

// report returns false when the server is away, so that it is worth another attempt.
func (s *server) report(ctx context.Context, report usageReport) bool {
	body, _ := json.Marshal(report)
	request, err := s.request(ctx, "POST", "/api/oauth/usage", string(body))
	if err != nil {
		return true
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", report.key)
	response, err := s.client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests
}
