-- Sessions of people, by person. Until now they were records that only their token could find.
-- lineage_hash stays when the token is renewed, so that a sign-out with an earlier token ends the session too.
-- passkey_ids: the passkeys that were shown for it. authenticated_at: milliseconds since 1970; 0: unknown.
create table sessions (
  id text primary key,
  lineage_hash text not null unique,
  token_hash text not null,
  user_id text not null references users on delete cascade,
  credentials_epoch integer not null,
  sessions_epoch integer not null,
  methods text[] not null,
  passkey_ids text[] not null,
  authenticated_at bigint not null,
  address text,
  browser text,
  system text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_expires_at on sessions (expires_at);
