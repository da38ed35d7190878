-- How people come in besides a password: the platform's own OpenID provider, and passkeys.

-- Who a person is at a provider; one identity of each provider at most, so that an e-mail address that
-- wanders from one person to another at the provider never opens the first one's account.
-- email_verified false: the user's address is only what somebody said, so nobody else is linked by it.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  email_verified boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- credential_id is the authenticator's own (base64url); id is what our pages call it.
create table passkeys (
  id text primary key,
  user_id text not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);
