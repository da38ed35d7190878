-- The apps that may exchange an app's access tokens for narrower ones of their own (RFC 8693).
alter table apps add column may_act text[] not null default '{}';

-- Which app acted with the authorizations of which other one: a row per install, user and acting install.
-- user_id null: with tokens of the app itself.
create table delegations (
  install_id text not null references installs on delete cascade,
  user_id text references users on delete cascade,
  actor_install_id text not null references installs on delete cascade,
  since timestamptz not null default now(),
  -- UTC
  last_day date not null
);
create unique index delegations_parties on delegations (install_id, coalesce(user_id, ''), actor_install_id);
create index delegations_user on delegations (user_id);
create index delegations_actor on delegations (actor_install_id);
create index delegations_last_day on delegations (last_day);
