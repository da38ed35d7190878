-- Who may: people, organizations, apps, installs, grants, key sets.
-- Expiring records at the end serve installations that run without Redis.

-- credentials_epoch moves with the password: every earlier session and grant is dead.
create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text,
  credentials_epoch integer not null default 0,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table members (
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

create table workspaces (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  created_at timestamptz not null default now()
);
create index workspaces_organization on workspaces (organization_id);

create table workspace_members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id)
);
create index workspace_members_workspace on workspace_members (workspace_id);

-- families_epoch moves when an app is disabled or changes its type: every earlier grant is dead.
create table apps (
  client_id text primary key,
  name text not null,
  interface text not null check (interface in ('legacy', 'current')),
  client_type text not null check (client_type in ('confidential', 'public')),
  redirect_uris text[] not null,
  permissions text[] not null,
  description text,
  logo_uri text,
  homepage_uri text,
  jwks jsonb,
  retry_window_seconds integer not null default 0 check (retry_window_seconds between 0 and 60),
  families_epoch integer not null default 0,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table app_secrets (
  id text primary key,
  client_id text not null references apps on delete cascade,
  digest bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index app_secrets_client on app_secrets (client_id);
create index app_secrets_expiry on app_secrets (expires_at) where expires_at is not null;

-- workspace_ids null = all workspaces, now and later. An uninstall sets ended_at; a reinstall is a new row.
create table installs (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  client_id text not null references apps on delete cascade,
  permissions text[] not null,
  workspace_ids text[],
  installed_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  suspended_at timestamptz,
  ended_at timestamptz
);
create unique index installs_live on installs (organization_id, client_id) where ended_at is null;
create index installs_client on installs (client_id);

create table install_requests (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  client_id text not null references apps on delete cascade,
  user_id text not null references users on delete cascade,
  permissions text[] not null,
  reason text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  decision text check (decision in ('approved', 'refused'))
);
create unique index install_requests_open on install_requests (organization_id, client_id, user_id)
  where decided_at is null;
create index install_requests_client on install_requests (client_id);
create index install_requests_user on install_requests (user_id);

-- What a person said yes to; offered is what the page showed, permissions what was left ticked.
create table consents (
  user_id text not null references users on delete cascade,
  organization_id text not null references organizations on delete cascade,
  client_id text not null references apps on delete cascade,
  install_id text not null references installs on delete cascade,
  offered text[] not null,
  permissions text[] not null,
  workspace_ids text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, organization_id, client_id)
);
create index consents_install on consents (install_id);
create index consents_client on consents (client_id);

-- One row per authorization (a grant family); the family's live generation is elsewhere.
create table grants (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  client_id text not null references apps on delete cascade,
  organization_id text not null references organizations on delete cascade,
  install_id text not null references installs on delete cascade,
  app_epoch integer not null,
  user_epoch integer not null,
  permissions text[] not null,
  workspace_ids text[],
  redirect_uri text not null,
  code_challenge text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  ended_at timestamptz,
  ended_reason text
);
create index grants_user on grants (user_id, client_id);
create index grants_install on grants (install_id);
create index grants_client on grants (client_id);
create index grants_unused on grants (created_at) where last_used_at is null;

create table key_sets (
  id text primary key,
  client_id text not null unique,
  organization_id text not null references organizations on delete cascade,
  interface text not null check (interface in ('legacy', 'current')),
  name text not null,
  description text,
  permissions text[] not null,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index key_sets_organization on key_sets (organization_id);

-- sealed: the secret's bytes under the master key, kept only where HS256 needs them.
create table key_set_secrets (
  id text primary key,
  key_set_id text not null references key_sets on delete cascade,
  digest bytea not null,
  sealed bytea,
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index key_set_secrets_key_set on key_set_secrets (key_set_id);
create unique index key_set_secrets_digest on key_set_secrets (digest);
create index key_set_secrets_expiry on key_set_secrets (expires_at) where expires_at is not null;

create table resource_servers (
  client_id text primary key,
  name text not null,
  digest bytea not null,
  hint text not null,
  created_at timestamptz not null default now()
);

create table operator_tokens (
  id text primary key,
  name text not null,
  digest bytea not null unique,
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index operator_tokens_expiry on operator_tokens (expires_at) where expires_at is not null;

create table signing_keys (
  kid text primary key,
  alg text not null,
  public_jwk jsonb not null,
  sealed_private_key bytea not null,
  status text not null check (status in ('next', 'active', 'retired')),
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  retired_at timestamptz
);
create unique index signing_keys_one_active on signing_keys (status) where status = 'active';
create unique index signing_keys_one_next on signing_keys (status) where status = 'next';

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type text not null,
  actor_kind text not null check (actor_kind in ('user', 'client', 'operator', 'system', 'anonymous')),
  actor_id text,
  organization_id text,
  client_id text,
  user_id text,
  address text,
  request_id text,
  detail jsonb not null default '{}'
);
create index audit_events_organization on audit_events (organization_id, id desc);
create index audit_events_client on audit_events (client_id, id desc);
create index audit_events_request on audit_events (request_id);

-- Without Redis: the same families, records and counters.

create table families (
  id uuid primary key,
  generation integer not null,
  nonce text not null default '',
  advanced_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz
);
create index families_expiry on families (expires_at) where expires_at is not null;

create table records (
  collection text not null,
  key text not null,
  state text not null,
  value text not null,
  expires_at timestamptz not null,
  primary key (collection, key)
);
create index records_expiry on records (expires_at);

create table counters (
  key text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index counters_expiry on counters (expires_at);

-- The compare-and-advance of a family; outcomes are those of the Redis script, clock is the
-- database's own time in ms. RFC 9700 §4.14.2: use of any spent generation ends the family.
-- A call that arrives after its deadline (its caller has given up) does nothing.
create function advance_family(
  family uuid, presented integer, request_nonce text, window_ms integer, deadline_ms bigint,
  spend boolean
) returns table (outcome text, reached integer, clock_ms bigint)
language plpgsql as $$
declare
  f families%rowtype;
  clock bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  select * into f from families where id = family for update;
  clock := floor(extract(epoch from clock_timestamp()) * 1000);
  if clock > deadline_ms then
    return query select 'late', 0, clock;
  elsif f.id is null or f.expires_at <= clock_timestamp() then
    return query select 'absent', 0, clock;
  elsif presented = f.generation then
    if spend then
      update families set generation = f.generation + 1, nonce = request_nonce,
        advanced_at = clock_timestamp(), expires_at = null where id = family;
    end if;
    return query select case when spend then 'advanced' else 'live' end,
      f.generation + spend::integer, clock;
  elsif presented = f.generation - 1 and spend and f.nonce = request_nonce then
    return query select 'advanced', f.generation, clock;
  elsif presented = f.generation - 1 and presented > 0 and window_ms > 0
    and f.advanced_at + make_interval(secs => window_ms / 1000.0) > clock_timestamp() then
    return query select case when spend then 'repeated' else 'live' end, f.generation, clock;
  else
    delete from families where id = family;
    return query select 'replayed', f.generation, clock;
  end if;
end
$$;
