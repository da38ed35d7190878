-- New passkeys, key sets and installs that a person has not read of yet.
-- session_id: the session in which it was done; that one need not be told.
create table security_notices (
  id bigint generated always as identity primary key,
  user_id text not null references users on delete cascade,
  type text not null,
  actor_id text,
  session_id text,
  address text,
  organization_id text,
  client_id text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index security_notices_user on security_notices (user_id, id);
create index security_notices_expires_at on security_notices (expires_at);
