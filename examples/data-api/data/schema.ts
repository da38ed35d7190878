import type { Queryable } from './database.ts'

// A schema of its own, so that the database can be shared. Each row names its organization, so no
// statement depends on another one for isolation.
const statements = `
create schema if not exists data_api;

create table if not exists data_api.organizations (
  id text primary key,
  name text not null
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

-- Without a workspace it is a database of the legacy interface.
create table if not exists data_api.tables (
  id text primary key,
  position bigint generated always as identity,
  organization_id text not null references data_api.organizations,
  workspace_id text,
  name text not null,
  description text,
  color text,
  fields jsonb not null,
  unique (organization_id, id),
  foreign key (organization_id, workspace_id)
    references data_api.workspaces (organization_id, id)
);
create index if not exists tables_by_place
  on data_api.tables (organization_id, workspace_id, position);

-- Cells are values by field id; a field that is not there is not set.
create table if not exists data_api.rows (
  id text primary key,
  position bigint generated always as identity,
  organization_id text not null,
  table_id text not null,
  cells jsonb not null,
  foreign key (organization_id, table_id) references data_api.tables (organization_id, id)
);
create index if not exists rows_by_table on data_api.rows (organization_id, table_id, position);
`

const lock = 7_305_377

/** Creates missing tables. Concurrent callers wait until this transaction has ended. */
export const createSchema = async (tx: Queryable): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock($1)', [lock])
  await tx.query(statements)
}
