-- How often data APIs checked a permission of an app, by the day in UTC. 'read' is reading on the current interface.
create table permission_days (
  organization_id text not null references organizations (id) on delete cascade,
  client_id text not null,
  day date not null,
  permission text not null,
  count bigint not null check (count > 0),
  primary key (organization_id, client_id, permission, day)
);

create index permission_days_client on permission_days (client_id, permission, day);
create index permission_days_day on permission_days (day);

-- The days on which a data API asked this server for tokens or changes, and whether it has reported use.
create table resource_server_days (
  client_id text not null references resource_servers (client_id) on delete cascade,
  day date not null,
  reported boolean not null,
  primary key (client_id, day)
);

create index resource_server_days_day on resource_server_days (day);

-- Reports that are not counted again.
create table usage_keys (
  client_id text not null,
  key text not null,
  at timestamptz not null default now(),
  primary key (client_id, key)
);

create index usage_keys_at on usage_keys (at);
