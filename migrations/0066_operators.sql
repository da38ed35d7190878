-- Users who may use the operator's console, and what they may do there.
create table operators (
  user_id text primary key references users on delete cascade,
  permissions text[] not null,
  created_at timestamptz not null default now()
);
create index operators_created on operators (created_at, user_id);
