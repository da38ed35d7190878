-- Values that imports have applied, each once. `subject` is the digest of what has the value, `ref` names the state that it
-- had right after. The rows outlive what they are about: what has ended is not revived.
create table applied_imports (
  subject bytea not null,
  digest bytea not null,
  kind text not null,
  ref text not null,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (subject, digest)
);
create index applied_grants on applied_imports (applied_at) where kind = 'grant';

-- A hash of another server. The digest beside it matches no secret, so the previous version refuses the secret.
alter table app_secrets add column foreign_hash text;

-- `taken_over_from`: the source that its line named, else empty; null: the grant was made here. On a large table, run the next
-- statement beforehand and make the two indexes under their names with "create index concurrently": building them here holds
-- up writes.
alter table grants add column if not exists taken_over_from text, add column if not exists issued_at timestamptz,
  add column if not exists ends_at timestamptz;
create index if not exists grants_never_used_here on grants (created_at, id) where not used and taken_over_from is null;
create index if not exists grants_taken_over on grants (used, ended_at) where taken_over_from is not null;

-- Public keys of earlier servers.
create table verification_keys (
  kid text primary key,
  jwk jsonb not null,
  until timestamptz not null,
  created_at timestamptz not null default now()
);
create index verification_keys_until on verification_keys (until);
