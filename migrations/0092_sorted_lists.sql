-- Lists sorted by name. Equal ones are in the order of their keys. And filters that few rows pass.
create index organizations_named on organizations (lower(name), id);
create index apps_named on apps (lower(name), client_id);
create index users_named on users (lower(name), id);
create index users_disabled on users (created_at, id) where disabled_at is not null;
create index apps_disabled on apps (created_at, client_id) where disabled_at is not null;
create index apps_reviewed on apps (created_at, client_id) where reviewed_at is not null;
create index apps_of_interface on apps (interface, created_at, client_id);
create index installs_suspended on installs (organization_id)
  where suspended_at is not null and ended_at is null;
create index workspaces_named on workspaces (organization_id, lower(name), id);
create index key_sets_named on key_sets (organization_id, lower(name), id);
