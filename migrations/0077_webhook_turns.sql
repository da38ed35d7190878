-- Organizations take turns at a webhook. In an installation with very many deliveries, make this index beforehand, under
-- its name and with "create index concurrently": building it here holds up writes.
create index if not exists webhook_deliveries_turns on webhook_deliveries (
  webhook_id, (coalesce(organization_id, data ->> 'client_id', '')), next_attempt_at)
  where next_attempt_at is not null;
