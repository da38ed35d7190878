-- SCIM: tokens of identity providers, each for one organization, and what a provider says about its users and groups.
create table scim_tokens (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  group_kind text not null check (group_kind in ('workspaces', 'roles')),
  digest bytea not null,
  digest_key_id text,
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index scim_tokens_digest on scim_tokens (digest);
create index scim_tokens_organization on scim_tokens (organization_id, id);

-- A user as the provider of an organization describes them. The row stays while the user is not active there; then it
-- keeps the role and the workspaces for the return.
create table scim_users (
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  user_name text not null,
  external_id text,
  attributes jsonb not null,
  kept_role text check (kept_role in ('admin', 'member')),
  kept_workspaces text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create unique index scim_users_name on scim_users (organization_id, lower(user_name));
create index scim_users_external_id on scim_users (organization_id, external_id);
create index scim_users_user on scim_users (user_id);

-- Workspaces that SCIM has made or changed.
create table scim_groups (
  workspace_id text primary key references workspaces on delete cascade,
  external_id text,
  is_own boolean not null
);

-- The organization whose provider made the account. Only that one may change its name and address.
alter table users add column provisioned_by text;
