-- Sign-ins and new connections by day, which the first page of the operator's console counts. On a large audit trail,
-- make this index beforehand, under its name and with "create index concurrently": building it here holds up writes.
create index if not exists audit_events_counted on audit_events (at, type)
  where type in ('session.signed_in', 'consent.granted');
