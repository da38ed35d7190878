-- A schema of its own, so that the database can be shared. Each row names its organization, so no
-- statement depends on another one for isolation.
create extension if not exists pg_trgm;
create schema if not exists data_api;

create table if not exists data_api.organizations (
  id text primary key,
  name text not null,
  -- Of the names and texts of its tables; their indexes have it too, so it stays.
  collation_name text not null default 'und-x-icu'
);

create table if not exists data_api.members (
  organization_id text not null references data_api.organizations,
  user_id text not null,
  name text not null,
  email text not null,
  role text not null,
  primary key (organization_id, user_id)
);

create table if not exists data_api.workspaces (
  id text primary key,
  organization_id text not null references data_api.organizations,
  name text not null,
  unique (organization_id, id)
);

create table if not exists data_api.workspace_members (
  organization_id text not null,
  workspace_id text not null,
  user_id text not null,
  primary key (workspace_id, user_id),
  foreign key (organization_id, workspace_id)
    references data_api.workspaces (organization_id, id),
  foreign key (organization_id, user_id) references data_api.members on delete cascade
);

create table if not exists data_api.teams (
  id text primary key,
  organization_id text not null references data_api.organizations,
  name text not null,
  unique (organization_id, id)
);

create table if not exists data_api.team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  primary key (team_id, user_id),
  foreign key (organization_id, team_id)
    references data_api.teams (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references data_api.members on delete cascade
);

-- Without a workspace it is a database of the legacy interface, or a table of the organization.
create table if not exists data_api.tables (
  id text primary key,
  position bigint generated always as identity,
  interface text not null check (interface in ('legacy', 'current')),
  organization_id text not null references data_api.organizations,
  workspace_id text,
  name text not null,
  description text,
  color text,
  fields jsonb not null,
  filters jsonb not null default '[]',
  document_app boolean not null default false,
  check (interface = 'current' or workspace_id is null),
  unique (organization_id, id),
  foreign key (organization_id, workspace_id)
    references data_api.workspaces (organization_id, id)
);
create index if not exists tables_by_place
  on data_api.tables (organization_id, workspace_id, position);
-- Finds the table of a row, whose id begins like that of its table.
create index if not exists tables_by_beginning on data_api.tables (left(id, 15));

-- Saved views of a table; with a user it is private.
create table if not exists data_api.views (
  id text primary key,
  organization_id text not null,
  table_id text not null,
  user_id text,
  name text not null,
  filter jsonb,
  sort jsonb,
  foreign key (organization_id, table_id)
    references data_api.tables (organization_id, id) on delete cascade
);
create index if not exists views_by_table on data_api.views (organization_id, table_id, name);

-- Templates of the documents app; the path ends with the name.
create table if not exists data_api.templates (
  id text primary key,
  organization_id text not null,
  table_id text not null,
  path text[] not null check (cardinality(path) > 0),
  unique (organization_id, table_id, path),
  foreign key (organization_id, table_id)
    references data_api.tables (organization_id, id) on delete cascade
);

-- The document of a row that was made from a template.
create table if not exists data_api.contents (
  organization_id text not null,
  table_id text not null,
  row_id text not null,
  template_id text not null references data_api.templates on delete cascade,
  content text not null,
  primary key (table_id, row_id, template_id)
);
create index if not exists contents_by_template
  on data_api.contents (template_id, row_id);

create sequence if not exists data_api.row_position;

-- One partition for each table, made with it, and indexes for each of its fields. Cells are values
-- by field id; a field that is not there is not set. A removed row is in the trash.
create table if not exists data_api.rows (
  id text collate "C" not null,
  position bigint not null default nextval('data_api.row_position'),
  organization_id text not null,
  table_id text not null,
  cells jsonb not null,
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (table_id, id)
) partition by list (table_id);
