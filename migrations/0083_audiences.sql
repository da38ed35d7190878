-- Whom an install is for: {"workspaces": [], "groups": [], "users": []}, lists of ids; null: everyone.
alter table installs add column audience jsonb;

-- Groups of a directory that are nothing else. Inactive users keep theirs in `scim_users`.
create table directory_groups (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  changed_at timestamptz
);
create index directory_groups_organization on directory_groups (organization_id, created_at, id);
create table directory_group_members (
  user_id text not null references users on delete cascade,
  group_id text not null references directory_groups on delete cascade,
  primary key (user_id, group_id)
);
create index directory_group_members_group on directory_group_members (group_id);
alter table scim_users add column kept_groups text[] not null default '{}';
alter table scim_tokens drop constraint scim_tokens_group_kind_check;
alter table scim_tokens add constraint scim_tokens_group_kind_check
  check (group_kind in ('workspaces', 'roles', 'groups')) not valid;

-- People whom an organization keeps from an app, members or not, whatever is installed.
create table denied_people (
  user_id text not null references users on delete cascade,
  client_id text not null references apps on delete cascade,
  organization_id text not null references organizations on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, client_id, organization_id)
);
create index denied_people_client on denied_people (client_id);
create index denied_people_organization on denied_people (organization_id);

-- By which part of the audience the person is inside; null: by none.
create function inside_by(audience jsonb, person text) returns text language sql stable as $$
  select case
    when audience is null then 'everyone'
    when audience -> 'users' ? person then 'user'
    when audience -> 'groups' <> '[]' and exists (select from directory_group_members
      where user_id = person and audience -> 'groups' ? group_id) then 'group'
    when audience -> 'workspaces' <> '[]' and exists (select from workspace_members
      where user_id = person and audience -> 'workspaces' ? workspace_id) then 'workspace'
  end
$$;

-- Why the person may not use the app there; null: they may.
create function kept_out(install installs, person text) returns text language sql stable as $$
  select case
    when exists (select from denied_people where user_id = person
      and client_id = install.client_id and organization_id = install.organization_id) then 'denied'
    when inside_by(install.audience, person) is null then 'not_in_audience'
  end
$$;

-- Announces how these people stand to an install, if resource servers do not know it. Also for people without a token: one
-- may be issued to them at this moment. The caller has the lock.
create function announce_people(install installs, people text[]) returns void language sql as $$
  insert into revocations (type, subject_id, user_id, state, organization_ids, until)
  select 'install_member', install.id, person, jsonb_build_object('active', is_inside),
      array[install.organization_id], clock_timestamp() + make_interval(secs => longest.seconds) + interval '10 minutes'
    from (select person, kept_out(install, person) is null as is_inside from unnest(people) person) present
    left join lateral (select (state ->> 'active')::boolean as was_inside from revocations
      where type = 'install_member' and subject_id = install.id and user_id = person and until > now()
      order by id desc limit 1) known on true
    cross join longest_token_lifetime longest
   where is_inside <> coalesce(was_inside, true)
   order by person
$$;

-- What decides is read after the lock: so of two changes at once, the later one sees the other.
create function lock_revocations() returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'))
$$;

create function audience_changed() returns trigger language plpgsql as $$
declare
  has_lost_place boolean;
begin
  perform lock_revocations();
  -- The members of a deleted place are not known any more.
  has_lost_place := exists (select from jsonb_array_elements_text(old.audience -> 'workspaces') place
      where not exists (select from workspaces where id = place))
    or exists (select from jsonb_array_elements_text(old.audience -> 'groups') place
      where not exists (select from directory_groups where id = place));
  perform announce_people(i, array(
      select user_id from members where organization_id = i.organization_id
         and (has_lost_place or (inside_by(old.audience, user_id) is null) <> (inside_by(i.audience, user_id) is null))))
    from installs i where i.id = new.id and ended_at is null;
  return null;
end
$$;
create constraint trigger audience_changed after update of audience on installs
  deferrable initially deferred for each row
  when (old.audience is distinct from new.audience) execute function audience_changed();

create function denied_people_changed() returns trigger language plpgsql as $$
begin
  perform lock_revocations();
  perform announce_people(i, array[coalesce(new.user_id, old.user_id)]) from installs i
    where organization_id = coalesce(new.organization_id, old.organization_id)
      and client_id = coalesce(new.client_id, old.client_id) and ended_at is null;
  return null;
end
$$;
create constraint trigger denied_people_changed after insert or delete on denied_people
  deferrable initially deferred for each row execute function denied_people_changed();

create index installs_audience on installs using gin (audience) where audience is not null and ended_at is null;

create function place_member_changed() returns trigger language plpgsql as $$
declare
  member jsonb := to_jsonb(coalesce(new, old));
begin
  perform lock_revocations();
  perform announce_people(i, array[member ->> 'user_id']) from installs i
    where audience @> jsonb_build_object(tg_argv[0], jsonb_build_array(member -> tg_argv[1]))
      and audience is not null and ended_at is null;
  return null;
end
$$;
create constraint trigger audience_workspace_changed after insert or delete on workspace_members
  deferrable initially deferred for each row execute function place_member_changed('workspaces', 'workspace_id');
create constraint trigger audience_group_changed after insert or delete on directory_group_members
  deferrable initially deferred for each row execute function place_member_changed('groups', 'group_id');

-- What is deleted drops out of the audiences.
create function drop_from_audiences() returns trigger language plpgsql as $$
begin
  update installs set audience = jsonb_set(audience, array[tg_argv[0]], (audience -> tg_argv[0]) - old.id)
   where audience is not null and ended_at is null
     and audience @> jsonb_build_object(tg_argv[0], jsonb_build_array(old.id));
  return null;
end
$$;
create trigger workspaces_drop_from_audiences after delete on workspaces
  for each row execute function drop_from_audiences('workspaces');
create trigger groups_drop_from_audiences after delete on directory_groups
  for each row execute function drop_from_audiences('groups');
create trigger users_drop_from_audiences after delete on users
  for each row execute function drop_from_audiences('users');
