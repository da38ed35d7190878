-- The workspaces of an access token that was narrowed to more of them than fit into it; the token has the id.
create table token_reaches (
  id text primary key,
  workspace_ids text[] not null,
  expires_at timestamptz not null
);
create index token_reaches_expiry on token_reaches (expires_at);
