-- A user who was made before this migration may have signed in, and each later one has not. A server of the previous version
-- leaves it at that: its sign-ins are seen by their sessions, passkeys and identities.
alter table users add column has_signed_in boolean not null default true;
alter table users alter column has_signed_in set default false;
