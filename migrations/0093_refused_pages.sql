-- Refusals that people met at pages, so that the request id on such a page explains itself for some days.
create table refused_pages (
  request_id text primary key,
  at timestamptz not null default now(),
  organization_id text,
  client_id text,
  user_id text,
  address text,
  detail jsonb not null
);
create index refused_pages_at on refused_pages (at);
