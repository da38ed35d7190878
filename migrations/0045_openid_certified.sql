-- OpenID apps: the signature algorithm of their ID tokens, and PKCE, from which a confidential one may be exempt.
alter table apps
  add column id_token_signed_response_alg text not null default 'ES256',
  add column pkce_required boolean not null default true;

-- Keys for RS256, made when the first app needs one. They have a table of their own, because the previous version signs
-- access tokens with any key in `signing_keys`.
create table rsa_signing_keys (
  kid text primary key,
  alg text not null,
  public_jwk jsonb not null,
  sealed_private_key bytea not null,
  status text not null check (status in ('next', 'active', 'retired')),
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  retired_at timestamptz
);
create unique index rsa_signing_keys_one_active on rsa_signing_keys (status) where status = 'active';
create unique index rsa_signing_keys_one_next on rsa_signing_keys (status) where status = 'next';

-- The last change of what apps can read about a user; null: not since before this migration.
alter table users add column profile_updated_at timestamptz;
alter table users alter column profile_updated_at set default now();
create function profile_changed() returns trigger language plpgsql as $$
begin
  new.profile_updated_at := now();
  return new;
end
$$;
create trigger users_profile_changed before update on users for each row
  when (old.name is distinct from new.name or old.email is distinct from new.email
    or old.verified_email is distinct from new.verified_email)
  execute function profile_changed();
