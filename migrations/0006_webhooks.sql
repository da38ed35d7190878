-- Webhooks: who is told what has happened, and the outbox of what there is to tell.

-- client_id null = the operator's: events of everything; events null = all types, now and later.
-- disabled_reason: operator; gone (the endpoint answered 410); failing (nothing arrived until it was given up).
create table webhooks (
  id text primary key,
  url text not null,
  client_id text references apps on delete cascade,
  events text[],
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing')),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhooks_client on webhooks (client_id);

create table webhook_secrets (
  id text primary key,
  webhook_id text not null references webhooks on delete cascade,
  sealed bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index webhook_secrets_webhook on webhook_secrets (webhook_id);
create index webhook_secrets_expiry on webhook_secrets (expires_at) where expires_at is not null;

-- One message to one webhook; id is the same for every webhook and every attempt. Waiting while there is a
-- next_attempt_at, which a worker pushes ahead while it tries. webhook_id is no foreign key: the change that
-- is told of must neither wait for a webhook that is being deleted nor fail with it.
create table webhook_deliveries (
  webhook_id text not null,
  id text not null,
  type text not null,
  organization_id text,
  data jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz default now(),
  delivered_at timestamptz,
  primary key (webhook_id, id),
  check (next_attempt_at is null or delivered_at is null)
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
  where next_attempt_at is not null;
create index webhook_deliveries_recent on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_age on webhook_deliveries (created_at);
