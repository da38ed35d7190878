-- The receipt of a stop: which data APIs have read what a change has ended (decision 0125).

-- Processes of data APIs that read the revocation feed. `position`: the last entry that the reader has passed.
create table feed_readers (
  resource_server text not null references resource_servers (client_id) on delete cascade,
  reader text not null,
  position bigint not null,
  library text,
  first_poll_at timestamptz not null default now(),
  last_poll_at timestamptz not null default now(),
  -- It polls at least once a minute.
  is_regular boolean not null default false,
  -- When a job noticed that it does not poll any more, and whether that was reported.
  noticed_at timestamptz,
  is_silent boolean not null default false,
  primary key (resource_server, reader)
);
create index feed_readers_last_poll on feed_readers (last_poll_at);
create index feed_readers_regular on feed_readers (last_poll_at) where is_regular and noticed_at is null;
create index feed_readers_noticed on feed_readers (noticed_at) where noticed_at is not null and not is_silent;
create index feed_readers_silent on feed_readers (resource_server, last_poll_at) where is_silent;
alter table resource_servers add column polled_at timestamptz, add column introspected_at timestamptz;

-- One for each transaction that ends something. Its answers are stored, so that neither a pruned feed nor a reader that is
-- forgotten changes them. organization_ids: null for all.
create table stops (
  id text primary key,
  at timestamptz not null default clock_timestamp(),
  position bigint not null,
  organization_ids text[]
);
create index stops_at on stops (at);
create index stops_position on stops (position);
-- `at`: when the last reader of the resource server so far has passed the stop.
create table stop_answers (
  stop_id text not null references stops on delete cascade,
  resource_server text not null references resource_servers (client_id) on delete cascade,
  at timestamptz not null,
  is_complete boolean not null,
  primary key (stop_id, resource_server)
);
create index stop_answers_server on stop_answers (resource_server, is_complete);

-- The transaction ends something. Triggers call it; `finish_stop` writes the stop at the end, when all entries are known.
create function mark_stop() returns void language plpgsql as $$
begin
  if coalesce(current_setting('latchkey.stop', true), '') = '' then
    perform set_config('latchkey.stop', 'stp' || replace(gen_random_uuid()::text, '-', ''), true);
  end if;
end
$$;
create function ended() returns trigger language plpgsql as $$
begin
  perform mark_stop();
  return null;
end
$$;

-- The first entry of the transaction. Writers hold the lock of the feed, so all later ones are of the transaction too.
create function entry_written() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('latchkey.first_entry', true), '') = '' then
    perform set_config('latchkey.first_entry', new.id::text, true);
  end if;
  if (new.type in ('member', 'workspace_member', 'workspace', 'organization', 'token', 'install_member')
      and new.state ->> 'active' = 'false')
    or (new.type = 'connection' and (new.state ->> 'epoch')::integer > 0) then
    perform mark_stop();
  end if;
  return null;
end
$$;
create trigger entry_written after insert on revocations for each row execute function entry_written();

-- What an entry does not tell: it has the state of now, not that of before.
create function is_narrower(now_are text[], before text[]) returns boolean language sql immutable as $$
  select now_are is not null and (before is null or not now_are @> before)
$$;
create function ends_sooner(now_at timestamptz, now_idle integer, before_at timestamptz, before_idle integer) returns boolean
language sql immutable as $$
  select coalesce(now_at < coalesce(before_at, 'infinity'), false) or coalesce(now_idle < coalesce(before_idle, 2147483647), false)
$$;
create trigger grants_stop after update of ended_at on grants for each row
  when (old.ended_at is null and new.ended_at is not null
    and coalesce(new.ended_reason, '') not in ('superseded', 'moved')) execute function ended();
create trigger installs_stop
  after update of ended_at, suspended_at, permissions, workspace_ids, expires_at, idle_seconds on installs for each row
  when (old.ended_at is null and (new.ended_at is not null or (old.suspended_at is null and new.suspended_at is not null)
    or is_narrower(new.permissions, old.permissions) or is_narrower(new.workspace_ids, old.workspace_ids)
    or ends_sooner(new.expires_at, new.idle_seconds, old.expires_at, old.idle_seconds))) execute function ended();
create trigger apps_stop after update of disabled_at, families_epoch, permissions on apps for each row
  when ((old.disabled_at is null and new.disabled_at is not null) or new.families_epoch > old.families_epoch
    or is_narrower(new.permissions, old.permissions)) execute function ended();
create trigger apps_deleted_stop after delete on apps for each row execute function ended();
create trigger users_stop after update of disabled_at, credentials_epoch on users for each row
  when ((old.disabled_at is null and new.disabled_at is not null) or new.credentials_epoch > old.credentials_epoch)
  execute function ended();
create trigger users_deleted_stop after delete on users for each row execute function ended();
create trigger key_sets_stop after update of permissions, workspace_ids on key_sets for each row
  when (is_narrower(new.permissions, old.permissions) or is_narrower(new.workspace_ids, old.workspace_ids))
  execute function ended();
create trigger key_sets_deleted_stop after delete on key_sets for each row execute function ended();
create trigger key_set_secrets_stop after update of expires_at on key_set_secrets for each row
  when (new.expires_at is not null and new.expires_at is distinct from old.expires_at) execute function ended();
-- Rules that refuse: a stop needs an entry, and `rules_changed` writes one for what they concern.
create function policy_ended() returns trigger language plpgsql as $$
begin
  if (new.device_flow = 'refuse' and (tg_op = 'INSERT' or old.device_flow <> 'refuse'))
    or (new.public_apps = 'refuse' and (tg_op = 'INSERT' or old.public_apps <> 'refuse'))
    or (new.ai_clients = 'refuse' and (tg_op = 'INSERT' or old.ai_clients <> 'refuse')) then
    perform mark_stop();
  end if;
  return null;
end
$$;
create trigger policies_stop after insert or update on organization_policies for each row execute function policy_ended();

-- A consent or an install with less, or with an earlier end. Resource servers read an entry that changes nothing for them,
-- so that they pass the stop; existing tokens keep what they have until they expire.
create function consent_narrowed() returns trigger language plpgsql as $$
begin
  perform mark_stop();
  perform announce_to(array[new.organization_id], null, 'connection', new.organization_id, new.user_id, jsonb_build_object(
    'active', true, 'client_id', new.client_id, 'epoch', coalesce((select epoch from connection_epochs
      where user_id = new.user_id and client_id = new.client_id and organization_id = new.organization_id), 0)));
  return null;
end
$$;
-- A new consent gets its usual end in a second statement, which is not an earlier one.
create constraint trigger consent_narrowed after update of permissions, workspace_ids, expires_at, idle_seconds on consents
  deferrable initially deferred for each row
  when (old.install_id = new.install_id and (is_narrower(new.permissions, old.permissions)
    or is_narrower(new.workspace_ids, old.workspace_ids)
    or (old.updated_at < now() and ends_sooner(new.expires_at, new.idle_seconds, old.expires_at, old.idle_seconds))))
  execute function consent_narrowed();
create function install_ends_sooner() returns trigger language plpgsql as $$
begin
  perform announce_install(new);
  return null;
end
$$;
create constraint trigger install_ends_sooner after update of expires_at, idle_seconds on installs
  deferrable initially deferred for each row
  when (old.ended_at is null and new.ended_at is null
    and ends_sooner(new.expires_at, new.idle_seconds, old.expires_at, old.idle_seconds)) execute function install_ends_sooner();

-- Writes the stop of the transaction, if it has ended something, and its id into the events and messages of it. The last
-- statement before the commit, after `set constraints all immediate`.
create function finish_stop(out stop text, out request_id text) language plpgsql as $$
declare
  first_entry bigint := nullif(current_setting('latchkey.first_entry', true), '')::bigint;
begin
  if first_entry is null then return; end if;
  stop := nullif(current_setting('latchkey.stop', true), '');
  if stop is null then return; end if;
  insert into stops (id, position, organization_ids)
  select stop, max(id), case when bool_and(organization_ids is not null) then coalesce((
      select array_agg(distinct one) from revocations r cross join unnest(r.organization_ids) one where r.id >= first_entry), '{}') end
    from revocations where id >= first_entry;
  update audit_events e set detail = detail || jsonb_build_object('stop_id', stop) where transaction = pg_current_xact_id();
  update webhook_deliveries set data = data || jsonb_build_object('stop_id', stop)
   where created_at = now() and xmin = pg_current_xact_id()::xid;
  select e.request_id into request_id from audit_events e where transaction = pg_current_xact_id() and e.request_id is not null limit 1;
end
$$;

-- Readers that a resource server has to have passed a stop with: those that polled within the longest lifetime of a token
-- before it. `since`: the earliest last poll of those that have not passed it; null: all have.
create function stop_readers(server text, stop stops, out present bigint, out since timestamptz) language sql stable as $$
  select count(*), min(last_poll_at) filter (where position < stop.position)
    from feed_readers, longest_token_lifetime longest
   where resource_server = server and first_poll_at <= stop.at
     and last_poll_at >= stop.at - make_interval(secs => longest.seconds)
$$;

-- A reader has asked with a cursor. Writes nothing when it did so within the last second, and has passed no stop since.
create function reader_polled(server text, name text, place bigint, agent text) returns void language plpgsql as $$
declare
  before feed_readers;
begin
  select * into before from feed_readers where resource_server = server and reader = name;
  if before.position > 0 and place >= before.position and before.last_poll_at > now() - interval '1 second'
    and not exists (select from stops where position > before.position and position <= place) then return; end if;
  insert into feed_readers as known (resource_server, reader, position, library) values (server, name, place, agent)
  on conflict (resource_server, reader) do update set position = excluded.position, library = excluded.library,
    last_poll_at = now(), is_regular = known.last_poll_at > now() - interval '1 minute', noticed_at = null, is_silent = false;
  if before.reader is null then
    update resource_servers set polled_at = now() where client_id = server and polled_at is null;
    delete from feed_readers where resource_server = server and reader in (
      select reader from feed_readers where resource_server = server order by last_poll_at desc, reader offset 1000);
  elsif place > before.position then
    insert into stop_answers (stop_id, resource_server, at, is_complete)
    select s.id, server, clock_timestamp(), (stop_readers(server, s)).since is null
      from stops s join resource_servers r on r.client_id = server
     where s.position > before.position and s.position <= place and s.at >= before.first_poll_at
       and (r.organization_ids is null or s.organization_ids is null or r.organization_ids && s.organization_ids)
     order by s.position
    on conflict (stop_id, resource_server) do update set at = excluded.at, is_complete = excluded.is_complete
      where not stop_answers.is_complete;
  end if;
end
$$;

-- A reader is closed. What only it had not passed is reached, if another one is left that has.
create function reader_closed(server text, name text) returns void language sql as $$
  delete from feed_readers where resource_server = server and reader = name;
  update stop_answers a set is_complete = true from stops s cross join lateral stop_readers(server, s) others
   where a.resource_server = server and not a.is_complete and s.id = a.stop_id and others.present > 0 and others.since is null
$$;
