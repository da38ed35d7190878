-- Organizations in which owners of apps try their apps. One of an owner at a time. A deleted owner leaves the organization to
-- the operator.
create table sandboxes (
  organization_id text primary key references organizations on delete cascade,
  owner_id text references users on delete set null,
  created_at timestamptz not null default now()
);
create unique index sandboxes_owner on sandboxes (owner_id);
-- Usage of one app in all organizations. On a large table, make this index beforehand, under its name and with
-- "create index concurrently": building it here holds up writes.
create index if not exists usage_days_client on usage_days (client_id, day);
