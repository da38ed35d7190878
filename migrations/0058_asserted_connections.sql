-- Apps that the identity provider of an organization has connected to a user, beyond the life of one access token.
create table asserted_connections (
  user_id text not null references users on delete cascade,
  client_id text not null references apps on delete cascade,
  organization_id text not null references identity_providers on delete cascade,
  install_id text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, client_id, organization_id)
);
create index asserted_connections_client on asserted_connections (client_id);
create index asserted_connections_organization on asserted_connections (organization_id);
