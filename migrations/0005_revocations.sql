-- What resource servers must hear about: every change after which a token may do less (or more again).
-- Triggers write it, so that no path past the services, not even a statement by hand, is missed.

-- Access tokens that were revoked one by one (RFC 7009).
create table revoked_tokens (
  jti text primary key,
  expires_at timestamptz not null
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- A token without exp of a current key set was seen: its owner should know.
alter table key_set_secrets add column endless_token_seen_at timestamptz;

-- What a subject is now. An entry dies at "until", when no token can be left that was issued before it.
-- tag: tells an entry from another one that had the same id before a backup was restored.
create table revocations (
  id bigint generated always as identity primary key,
  tag uuid not null default gen_random_uuid(),
  type text not null,
  subject_id text not null,
  user_id text,
  state jsonb not null,
  until timestamptz not null
);
create index revocations_until on revocations (until);
create index revocations_subject on revocations (type, subject_id, user_id);

-- One writer at a time, and only at commit (all callers are deferred triggers): entries become visible in the
-- order of their ids, so a reader that has seen one has seen all before it.
-- Two hours is the longest life of an access token; the rest is for clocks.
create function announce(kind text, subject text, person text, now_is jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'));
  insert into revocations (type, subject_id, user_id, state, until)
  values (kind, subject, person, now_is, clock_timestamp() + interval '2 hours 10 minutes');
end
$$;

create function grant_ended() returns trigger language plpgsql as $$
begin
  perform announce('grant', new.id::text, null, '{"active": false}');
  return null;
end
$$;
create constraint trigger grant_ended after update of ended_at on grants
  deferrable initially deferred for each row
  when (old.ended_at is null and new.ended_at is not null) execute function grant_ended();

create function install_changed() returns trigger language plpgsql as $$
begin
  perform announce('install', new.id, null, jsonb_build_object(
    'active', new.suspended_at is null and new.ended_at is null,
    'permissions', new.permissions, 'workspace_ids', new.workspace_ids));
  return null;
end
$$;
create constraint trigger install_changed
  after update of permissions, workspace_ids, suspended_at, ended_at on installs
  deferrable initially deferred for each row
  when ((old.permissions, old.workspace_ids, old.suspended_at, old.ended_at)
    is distinct from (new.permissions, new.workspace_ids, new.suspended_at, new.ended_at))
  execute function install_changed();

create function app_changed() returns trigger language plpgsql as $$
begin
  perform announce('app', coalesce(new.client_id, old.client_id), null, jsonb_build_object(
    'active', new.client_id is not null and new.disabled_at is null,
    'permissions', coalesce(new.permissions, '{}'),
    'epoch', coalesce(new.families_epoch, old.families_epoch)));
  return null;
end
$$;
create constraint trigger app_changed
  after update of permissions, disabled_at, families_epoch on apps
  deferrable initially deferred for each row
  when ((old.permissions, old.disabled_at, old.families_epoch)
    is distinct from (new.permissions, new.disabled_at, new.families_epoch))
  execute function app_changed();
create constraint trigger app_deleted after delete on apps
  deferrable initially deferred for each row execute function app_changed();

create function user_changed() returns trigger language plpgsql as $$
begin
  perform announce('user', coalesce(new.id, old.id), null, jsonb_build_object(
    'active', new.id is not null and new.disabled_at is null,
    'epoch', coalesce(new.credentials_epoch, old.credentials_epoch)));
  return null;
end
$$;
create constraint trigger user_changed after update of disabled_at, credentials_epoch on users
  deferrable initially deferred for each row
  when ((old.disabled_at, old.credentials_epoch) is distinct from (new.disabled_at, new.credentials_epoch))
  execute function user_changed();
create constraint trigger user_deleted after delete on users
  deferrable initially deferred for each row execute function user_changed();

-- Somebody who comes (back): told only where the going was told.
create function has_gone(kind text, subject text, person text) returns boolean language sql stable as $$
  select exists (select 1 from revocations
    where type = kind and subject_id = subject and user_id = person and until > now())
$$;

create function member_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if has_gone('member', new.organization_id, new.user_id) then
      perform announce('member', new.organization_id, new.user_id, '{"active": true}');
    end if;
  -- What went with the organization or with the user is told once, as that.
  elsif exists (select 1 from organizations where id = old.organization_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce('member', old.organization_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;
create constraint trigger member_changed after insert or delete on members
  deferrable initially deferred for each row execute function member_changed();

create function workspace_member_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if has_gone('workspace_member', new.workspace_id, new.user_id) then
      perform announce('workspace_member', new.workspace_id, new.user_id, '{"active": true}');
    end if;
  elsif exists (select 1 from workspaces where id = old.workspace_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce('workspace_member', old.workspace_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;
create constraint trigger workspace_member_changed after insert or delete on workspace_members
  deferrable initially deferred for each row execute function workspace_member_changed();

create function workspace_deleted() returns trigger language plpgsql as $$
begin
  if exists (select 1 from organizations where id = old.organization_id) then
    perform announce('workspace', old.id, null, '{"active": false}');
  end if;
  return null;
end
$$;
create constraint trigger workspace_deleted after delete on workspaces
  deferrable initially deferred for each row execute function workspace_deleted();

create function organization_deleted() returns trigger language plpgsql as $$
begin
  perform announce('organization', old.id, null, '{"active": false}');
  return null;
end
$$;
create constraint trigger organization_deleted after delete on organizations
  deferrable initially deferred for each row execute function organization_deleted();

create function token_revoked() returns trigger language plpgsql as $$
begin
  perform announce('token', new.jti, null, '{"active": false}');
  return null;
end
$$;
create constraint trigger token_revoked after insert on revoked_tokens
  deferrable initially deferred for each row execute function token_revoked();

create function key_set_changed() returns trigger language plpgsql as $$
begin
  perform announce('key_set', old.client_id, null, jsonb_build_object('active', new.id is not null));
  return null;
end
$$;
create constraint trigger key_set_changed after update of permissions, workspace_ids on key_sets
  deferrable initially deferred for each row
  when ((old.permissions, old.workspace_ids) is distinct from (new.permissions, new.workspace_ids))
  execute function key_set_changed();
create constraint trigger key_set_deleted after delete on key_sets
  deferrable initially deferred for each row execute function key_set_changed();

create function key_set_secret_retired() returns trigger language plpgsql as $$
begin
  perform announce('key_set', client_id, null, '{"active": true}')
    from key_sets where id = new.key_set_id;
  return null;
end
$$;
create constraint trigger key_set_secret_retired after update of expires_at on key_set_secrets
  deferrable initially deferred for each row
  when (old.expires_at is distinct from new.expires_at) execute function key_set_secret_retired();
