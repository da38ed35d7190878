-- Apps that describe themselves by a Client ID Metadata Document. The client id of such an app is the document's URL.
create table client_documents (
  client_id text primary key references apps on delete cascade,
  -- The scopes of the document that the operator has accepted.
  scopes text[] not null,
  etag text,
  read_at timestamptz not null default now(),
  -- The next time to read it; also the end of a claim by an instance that reads it now.
  due_at timestamptz not null,
  failing_since timestamptz
);
create index client_documents_due on client_documents (due_at);

-- Hosts of documents that the operator has a rule for. Documents of other hosts are refused unread.
create table client_hosts (
  host text primary key,
  policy text not null check (policy in ('review', 'refuse')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index client_hosts_created on client_hosts (created_at, host);

-- Documents that wait for the operator, and those that the operator has refused. One for each URL.
create table app_reviews (
  id text primary key,
  client_id text not null,
  host text not null,
  document jsonb not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decision text check (decision in ('approve', 'refuse'))
);
create unique index app_reviews_client on app_reviews (client_id);
create index app_reviews_waiting on app_reviews (created_at, id) where decided_at is null;
create index app_reviews_waiting_of_host on app_reviews (host) where decided_at is null;
create index app_reviews_decided on app_reviews (decided_at) where decided_at is not null;
