-- Users who maintain an app: they see it under /developer and replace its secret.
create table app_owners (
  client_id text not null references apps on delete cascade,
  user_id text not null references users on delete cascade,
  position smallint not null,
  primary key (client_id, user_id)
);
create index app_owners_user on app_owners (user_id, client_id);
