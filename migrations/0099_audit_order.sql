-- The transaction of an event. Readers of the trail are told events in this order once all earlier transactions have ended,
-- so that they miss none. Earlier events have none, and are in the order of their ids. On a large audit trail, make the
-- indexes beforehand, under their names and with "create index concurrently": building them here holds up writes. For
-- this the column comes first: its statement takes no time.
alter table audit_events add column if not exists transaction xid8 not null default '0';
alter table audit_events alter column transaction set default pg_current_xact_id();
create index if not exists audit_events_told on audit_events (transaction, id);
create index if not exists audit_events_told_of on audit_events (organization_id, transaction, id);
