-- The platform's own permissions, and the operator's words for built-in ones. sentence: a text, or texts by language.
create table permissions (
  interface text not null check (interface in ('legacy', 'current')),
  name text not null,
  sentence jsonb not null,
  heading text not null check (heading in ('read', 'write', 'people', 'structure', 'other')),
  mark text check (mark in ('personal_data', 'data_loss', 'whole_organization')),
  read_permission boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (interface, name)
);
create unique index permissions_for_reading on permissions (interface) where read_permission;

-- One row. Every process keeps a copy of the catalogue and reads it again when the version has changed. Changes lock
-- the row, so they run one after the other.
create table permission_catalogue (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 0
);
insert into permission_catalogue default values;

-- What uses a permission of the platform, for its retirement. The indexes contain no row that has built-in permissions
-- only. On a large table, make an index beforehand, under its name and with "create index concurrently".
create index if not exists apps_own_permissions on apps using gin (permissions)
  where not permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[];
create index if not exists installs_own_permissions on installs using gin (permissions)
  where ended_at is null and not permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[];
create index if not exists key_sets_own_permissions on key_sets using gin (permissions)
  where not permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[];
