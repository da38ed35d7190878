-- Receivers of the audit trail. Each has a cursor: the last event that its receiver accepted, in the order of
-- `audit_events_told`, and the batch that is being sent, up to its last event.
create table audit_streams (
  id text primary key,
  url text not null,
  format text not null check (format in ('latchkey', 'ocsf')),
  organization_id text references organizations (id) on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  transaction xid8 not null,
  event_id bigint not null default 0,
  -- Events up to this one are older than the stream.
  begins_after bigint not null default 0,
  message_id text,
  batch_transaction xid8,
  batch_event_id bigint,
  batch_events integer,
  test_id text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  claims bigint not null default 0,
  claimed_until timestamptz not null default '-infinity',
  last_success_at timestamptz,
  last_error text
);

create index audit_streams_created on audit_streams (created_at, id);
create index audit_streams_organization on audit_streams (organization_id, created_at, id);
