-- Changes of apps that their owners have asked for. Approved and refused ones stay for a while, so that the owners see the
-- decision; the audit trail has them all.
create table app_changes (
  id text primary key,
  client_id text not null references apps on delete cascade,
  -- The settings that change, by their names in the server: their values at the request, and the wanted ones.
  before jsonb not null,
  after jsonb not null,
  reason text,
  requested_by text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decision text check (decision in ('approve', 'refuse')),
  note text,
  check ((decided_at is null) = (decision is null))
);
create unique index app_changes_open on app_changes (client_id) where decided_at is null;
create index app_changes_waiting on app_changes (created_at, id) where decided_at is null;
create index app_changes_app on app_changes (client_id, created_at desc, id desc);
create index app_changes_decided on app_changes (decided_at) where decided_at is not null;
