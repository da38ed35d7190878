-- Organizations take turns, and types of events do. In an installation with very many mails, make the indexes
-- beforehand, under their names and with "create index concurrently": building them here holds up writes.
create index if not exists mails_turns on mails (
  (case when category in ('account', 'security') then category else 'other' end),
  (coalesce(case when type <> 'app.asks_for_more' then organization_id end, client_id, type)),
  next_attempt_at) where next_attempt_at is not null;
create index if not exists mails_organization on mails (organization_id, created_at);
create index if not exists mail_events_type on mail_events (type, created_at);
