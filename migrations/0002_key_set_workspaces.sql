-- What an organization's admins decide on their own pages.

-- The most that a key set's tokens may reach; null = all workspaces, now and later.
alter table key_sets add column workspace_ids text[];

-- declined_permissions: what the app asks for, an admin has seen and did not approve.
alter table installs
  add column declined_permissions text[] not null default '{}',
  add column last_used_at timestamptz;

create index install_requests_organization on install_requests (organization_id, client_id);
