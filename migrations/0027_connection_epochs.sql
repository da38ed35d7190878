-- How often a person has ended what an app may do for them in an organization. A grant of an earlier epoch is dead, so
-- any number of grants ends with one row. On a table of grants that has grown, make the two indexes on it beforehand,
-- under their names and with "create index concurrently": building them here holds up writes.
create table connection_epochs (
  user_id text not null references users on delete cascade,
  client_id text not null references apps on delete cascade,
  organization_id text not null references organizations on delete cascade,
  epoch integer not null,
  primary key (user_id, client_id, organization_id)
);
create index connection_epochs_client on connection_epochs (client_id);
create index connection_epochs_organization on connection_epochs (organization_id);

-- Grants from before have epoch 0, new ones that of their connection. The trigger sets it for every writer, also for
-- the version before.
alter table grants add column connection_epoch integer default 0;
alter table grants alter column connection_epoch drop default;

create function set_connection_epoch() returns trigger language plpgsql as $$
begin
  new.connection_epoch := coalesce((
    select epoch from connection_epochs
     where user_id = new.user_id and client_id = new.client_id and organization_id = new.organization_id), 0);
  return new;
end
$$;
create trigger set_connection_epoch before insert on grants
  for each row when (new.connection_epoch is null) execute function set_connection_epoch();

-- The grants of a connection in their order: how many there are is asked with each new one.
create index if not exists grants_of_connection on grants
  (user_id, install_id, (expires_at is null), created_at, id) where ended_at is null;
-- Grants that newer ones have replaced are removed sooner than others.
create index if not exists grants_superseded on grants (ended_at) where ended_reason = 'superseded';

-- Resource servers learn of it in one entry, whatever the number of grants.
create function connection_ended() returns trigger language plpgsql as $$
begin
  perform announce('connection', new.organization_id, new.user_id, jsonb_build_object(
    'active', true, 'client_id', new.client_id, 'epoch', new.epoch));
  return null;
end
$$;
create constraint trigger connection_ended after insert or update of epoch on connection_epochs
  deferrable initially deferred for each row execute function connection_ended();
