-- The audiences, permissions and organizations of a resource server. null: the default audience, all permissions, all
-- organizations. The version before ignores these limits.
alter table resource_servers add column resource text[];
alter table resource_servers add column permissions text[];
alter table resource_servers add column organization_ids text[];
create index resource_servers_resource on resource_servers using gin (resource);

-- Whom an entry of the feed concerns. null: unknown, so all resource servers read it.
alter table revocations add column organization_ids text[];
alter table revocations add column audiences text[];

-- Where a revoked access token was valid. null: revoked by the version before.
alter table revoked_tokens add column organization_id text;
alter table revoked_tokens add column audiences text[];

create function announce_to(organizations text[], audience text[], kind text, subject text, person text, now_is jsonb)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'));
  insert into revocations (type, subject_id, user_id, state, organization_ids, audiences, until)
  select kind, subject, person, now_is, organizations, audience,
    clock_timestamp() + make_interval(secs => longest.seconds) + interval '10 minutes'
    from longest_token_lifetime longest;
end
$$;

create or replace function announce(kind text, subject text, person text, now_is jsonb) returns void
language sql as $$
  select announce_to(null, null, kind, subject, person, now_is)
$$;

-- The organizations whose tokens an app or a user can have. More than a thousand are all: null.
create function organizations_of_app(client text) returns text[] language sql stable as $$
  select case when count(*) <= 1000 then coalesce(array_agg(organization_id), '{}') end
    from (select distinct organization_id from installs where client_id = client limit 1001) known
$$;
create function organizations_of_user(person text) returns text[] language sql stable as $$
  select case when count(*) <= 1000 then coalesce(array_agg(organization_id), '{}') end
    from (select organization_id from members where user_id = person
          union select organization_id from grants where user_id = person limit 1001) known
$$;

-- With an app or a user, the rows that name its organizations are deleted, and its entry is written afterwards. They are
-- kept until then, for this transaction. Beyond 100,000 characters nothing is kept, and all resource servers read the entry.
create function remember_organizations() returns trigger language plpgsql as $$
declare
  kept text := coalesce(nullif(current_setting('latchkey.organizations', true), ''), '{}');
  subject text := to_jsonb(old) ->> tg_argv[0];
  known text[] := case tg_argv[0] when 'client_id' then organizations_of_app(subject) else organizations_of_user(subject) end;
begin
  if length(kept) < 100000 then
    perform set_config('latchkey.organizations',
      (kept::jsonb || jsonb_build_object(tg_argv[0] || subject, known))::text, true);
  end if;
  return old;
end
$$;
create function remembered_organizations(subject text) returns text[] language sql stable as $$
  select case jsonb_typeof(kept -> subject) when 'array'
    then array(select jsonb_array_elements_text(kept -> subject)) end
    from (select coalesce(nullif(current_setting('latchkey.organizations', true), ''), '{}')::jsonb as kept) setting
$$;
create trigger app_organizations before delete on apps
  for each row execute function remember_organizations('client_id');
create trigger user_organizations before delete on users
  for each row execute function remember_organizations('id');

create or replace function grant_ended() returns trigger language plpgsql as $$
begin
  perform announce_to(array[new.organization_id], null, 'grant', new.id::text, null, '{"active": false}');
  return null;
end
$$;

create or replace function install_changed() returns trigger language plpgsql as $$
begin
  perform announce_to(array[new.organization_id], null, 'install', new.id, null, jsonb_build_object(
    'active', new.suspended_at is null and new.ended_at is null,
    'permissions', new.permissions, 'workspace_ids', new.workspace_ids));
  return null;
end
$$;

create or replace function app_changed() returns trigger language plpgsql as $$
begin
  perform announce_to(
    case tg_op when 'DELETE' then remembered_organizations('client_id' || old.client_id)
      else organizations_of_app(new.client_id) end,
    null, 'app', coalesce(new.client_id, old.client_id), null, jsonb_build_object(
    'active', new.client_id is not null and new.disabled_at is null,
    'permissions', coalesce(new.permissions, '{}'),
    'epoch', coalesce(new.families_epoch, old.families_epoch)));
  return null;
end
$$;

create or replace function user_changed() returns trigger language plpgsql as $$
begin
  perform announce_to(
    case tg_op when 'DELETE' then remembered_organizations('id' || old.id) else organizations_of_user(new.id) end,
    null, 'user', coalesce(new.id, old.id), null, jsonb_build_object(
    'active', new.id is not null and new.disabled_at is null,
    'epoch', coalesce(new.credentials_epoch, old.credentials_epoch)));
  return null;
end
$$;

create or replace function member_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if has_gone('member', new.organization_id, new.user_id) then
      perform announce_to(array[new.organization_id], null, 'member', new.organization_id, new.user_id, '{"active": true}');
    end if;
  -- A deleted organization or user has an entry of its own.
  elsif exists (select 1 from organizations where id = old.organization_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce_to(array[old.organization_id], null, 'member', old.organization_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;

create or replace function workspace_member_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if has_gone('workspace_member', new.workspace_id, new.user_id) then
      perform announce_to(array(select organization_id from workspaces where id = new.workspace_id), null,
        'workspace_member', new.workspace_id, new.user_id, '{"active": true}');
    end if;
  elsif exists (select 1 from workspaces where id = old.workspace_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce_to(array(select organization_id from workspaces where id = old.workspace_id), null,
      'workspace_member', old.workspace_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;

create or replace function workspace_deleted() returns trigger language plpgsql as $$
begin
  if exists (select 1 from organizations where id = old.organization_id) then
    perform announce_to(array[old.organization_id], null, 'workspace', old.id, null, '{"active": false}');
  end if;
  return null;
end
$$;

create or replace function organization_deleted() returns trigger language plpgsql as $$
begin
  perform announce_to(array[old.id], null, 'organization', old.id, null, '{"active": false}');
  return null;
end
$$;

create or replace function token_revoked() returns trigger language plpgsql as $$
begin
  perform announce_to(case when new.organization_id is not null then array[new.organization_id] end, new.audiences,
    'token', new.jti, null, '{"active": false}');
  return null;
end
$$;

create or replace function key_set_changed() returns trigger language plpgsql as $$
begin
  perform announce_to(array[old.organization_id], null, 'key_set', old.client_id, null,
    jsonb_build_object('active', new.id is not null));
  return null;
end
$$;

create or replace function key_set_secret_retired() returns trigger language plpgsql as $$
begin
  perform announce_to(array[organization_id], null, 'key_set', client_id, null, '{"active": true}')
    from key_sets where id = new.key_set_id;
  return null;
end
$$;

create or replace function connection_ended() returns trigger language plpgsql as $$
begin
  perform announce_to(array[new.organization_id], null, 'connection', new.organization_id, new.user_id, jsonb_build_object(
    'active', true, 'client_id', new.client_id, 'epoch', new.epoch));
  return null;
end
$$;
