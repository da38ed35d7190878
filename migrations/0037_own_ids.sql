-- The platform may choose ids, so an id may be used again after its deletion. Tokens of before must stay dead, and those of
-- after must be valid: resource servers have the deletion in their feed for as long as a token of before may live.

-- A user of a deleted id continues its epoch; so no token of before is one of theirs.
create function continue_user() returns trigger language plpgsql as $$
begin
  new.credentials_epoch := coalesce((
    select (state->>'epoch')::integer + 1 from revocations
     where type = 'user' and subject_id = new.id and until > now()
     order by id desc limit 1), new.credentials_epoch);
  return new;
end
$$;
create trigger continue_user before insert on users for each row execute function continue_user();

-- At the commit, the deletion is visible even if the insert had to wait for it.
create function user_created() returns trigger language plpgsql as $$
declare
  gone integer := (select (state->>'epoch')::integer from revocations
    where type = 'user' and subject_id = new.id and until > now() order by id desc limit 1);
begin
  if gone is null then return null; end if;
  if new.credentials_epoch <= gone then
    -- The trigger on updates announces it.
    update users set credentials_epoch = gone + 1 where id = new.id;
  else
    perform announce('user', new.id, null, jsonb_build_object(
      'active', new.disabled_at is null, 'epoch', new.credentials_epoch));
  end if;
  return null;
end
$$;
create constraint trigger user_created after insert on users
  deferrable initially deferred for each row execute function user_created();

-- Installs that are deleted with their organization are announced one by one, because the organization may come back.
-- Every token of an app names its install; key sets are announced as before.
create function install_deleted() returns trigger language plpgsql as $$
begin
  if old.ended_at is null and exists (select 1 from apps where client_id = old.client_id) then
    perform announce('install', old.id, null,
      '{"active": false, "permissions": [], "workspace_ids": []}');
  end if;
  return null;
end
$$;
create constraint trigger install_deleted after delete on installs
  deferrable initially deferred for each row execute function install_deleted();

create function organization_created() returns trigger language plpgsql as $$
begin
  if exists (select 1 from revocations
    where type = 'organization' and subject_id = new.id and until > now()) then
    perform announce('organization', new.id, null, '{"active": true}');
  end if;
  return null;
end
$$;
create constraint trigger organization_created after insert on organizations
  deferrable initially deferred for each row execute function organization_created();

-- Only tokens issued since then reach a workspace that has come back.
create function workspace_created() returns trigger language plpgsql as $$
begin
  if exists (select 1 from revocations
    where type = 'workspace' and subject_id = new.id and until > now()) then
    perform announce('workspace', new.id, null, jsonb_build_object(
      'active', true, 'since', floor(extract(epoch from clock_timestamp()))::bigint));
  end if;
  return null;
end
$$;
create constraint trigger workspace_created after insert on workspaces
  deferrable initially deferred for each row execute function workspace_created();

-- As before; and a connection whose row went with its user or organization continues its epoch.
create or replace function set_connection_epoch() returns trigger language plpgsql as $$
declare
  gone integer;
begin
  new.connection_epoch := (
    select epoch from connection_epochs
     where user_id = new.user_id and client_id = new.client_id and organization_id = new.organization_id);
  if new.connection_epoch is not null then return new; end if;
  gone := (select max((state->>'epoch')::integer) from revocations
    where type = 'connection' and subject_id = new.organization_id and user_id = new.user_id
      and state->>'client_id' = new.client_id and until > now());
  if gone is null then
    new.connection_epoch := 0;
  else
    -- Stored, so that the next end of the connection is a higher epoch.
    insert into connection_epochs as known (user_id, client_id, organization_id, epoch)
    values (new.user_id, new.client_id, new.organization_id, gone)
    on conflict (user_id, client_id, organization_id)
      do update set epoch = greatest(known.epoch, excluded.epoch)
    returning epoch into new.connection_epoch;
  end if;
  return new;
end
$$;
