-- The end of an install or a consent: a time, or so many seconds without use. null: it has none. On large tables, make
-- the indexes beforehand, under their names and with "create index concurrently": building them here holds up writes.
alter table installs add column expires_at timestamptz, add column idle_seconds integer;
alter table consents add column expires_at timestamptz, add column idle_seconds integer;
create index if not exists installs_expiry on installs (expires_at)
  where expires_at is not null and ended_at is null;
create index if not exists installs_idle on installs (id)
  where idle_seconds is not null and ended_at is null;
create index if not exists consents_expiry on consents (expires_at) where expires_at is not null;
create index if not exists consents_idle on consents (user_id, organization_id, client_id)
  where idle_seconds is not null;

-- Which apps the members of an organization may connect, and the usual end of what they connect. No row: all apps, no end.
create table organization_policies (
  organization_id text primary key references organizations on delete cascade,
  connect text not null check (connect in ('all', 'installed', 'ask')),
  default_expires_days integer,
  default_idle_days integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Requests that no admin answers. `expired`: after 30 days; `used_up`: an approval whose connection has ended.
alter table install_requests add column reminded_at timestamptz;
alter table install_requests drop constraint install_requests_decision_check;
alter table install_requests add constraint install_requests_decision_check
  check (decision in ('approved', 'refused', 'withdrawn', 'expired', 'used_up')) not valid;
-- For the sweeper alone: the condition on the decision keeps the planner from using it for one organization.
create index if not exists install_requests_waiting on install_requests (created_at, id)
  where decided_at is null and decision is null;
