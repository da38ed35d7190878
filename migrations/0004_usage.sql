-- How much each app was used in each organization: tokens issued by grant type, requests refused by reason.
-- One row a day (UTC); counts are added up by every instance. An app that is deleted keeps its past.
create table usage_days (
  organization_id text not null references organizations on delete cascade,
  day date not null,
  client_id text not null,
  outcome text not null check (outcome in ('issued', 'refused')),
  reason text not null,
  count bigint not null check (count > 0),
  primary key (organization_id, day, client_id, outcome, reason)
);
create index usage_days_day on usage_days (day);

-- The trail of an organization by date, and of a person as the one who acted or was acted upon.
create index audit_events_organization_at on audit_events (organization_id, at);
create index audit_events_actor on audit_events (actor_id, id desc) where actor_id is not null;
create index audit_events_user on audit_events (user_id, id desc) where user_id is not null;
