-- From the legacy interface to the current one.

-- Which current app carries on for a legacy one, and what each of its permissions is worth there.
create table app_twins (
  legacy_client_id text primary key references apps on delete cascade,
  client_id text not null unique references apps on delete cascade,
  worth jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The legacy app whose grant has become this one, and the generation of the refresh token that was exchanged for it.
alter table grants add column moved_from text, add column moved_generation integer;
