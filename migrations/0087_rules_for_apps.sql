-- Rules of an organization for kinds of apps, and installs that members make for themselves.
alter table organization_policies
  add column self_install text not null default 'never' check (self_install in ('never', 'reviewed_read_only')),
  add column device_flow text not null default 'allow' check (device_flow in ('allow', 'ask', 'refuse')),
  add column public_apps text not null default 'allow' check (public_apps in ('allow', 'ask', 'refuse')),
  add column ai_clients text not null default 'allow' check (ai_clients in ('allow', 'ask', 'refuse')),
  -- When device_flow got its value.
  add column device_flow_since timestamptz not null default now();
-- The members in its audience have made the install, each for themselves; no admin has approved it.
alter table installs add column self boolean not null default false;
-- The grant came by the device flow. Of the grants so far, only those have neither a redirect URI, an end nor a predecessor.
alter table grants add column by_device boolean not null default false;
update grants set by_device = true
 where redirect_uri = '' and expires_at is null and moved_generation is null and ended_at is null;

-- The strictest rule for an app. A planner inlines it: it has no subquery.
create function rule_for(policy organization_policies, app apps, by_device boolean) returns text language sql immutable as $$
  select case
    when 'refuse' in (case when by_device then policy.device_flow end,
      case when app.client_type = 'public' then policy.public_apps end,
      case when starts_with(app.client_id, 'https://') then policy.ai_clients end) then 'refuse'
    when 'ask' in (case when by_device then policy.device_flow end,
      case when app.client_type = 'public' then policy.public_apps end,
      case when starts_with(app.client_id, 'https://') then policy.ai_clients end) then 'ask'
    else 'allow'
  end
$$;

-- May the member install the app for themselves, if it only reads?
create function may_self_install(policy organization_policies, app apps, person text) returns boolean
language sql stable as $$
  select coalesce(policy.self_install = 'reviewed_read_only' and policy.connect <> 'ask', false)
    and app.reviewed_at is not null and app.disabled_at is null
    and not exists (select from denied_people where user_id = person
      and client_id = app.client_id and organization_id = policy.organization_id)
$$;

-- Announces the present state of an install to resource servers.
create function announce_install(install installs) returns void language plpgsql as $$
begin
  perform lock_revocations();
  perform announce_to(array[i.organization_id], null, 'install', i.id, null, jsonb_build_object(
      'active', i.suspended_at is null and i.ended_at is null and rule_for(p, a, false) <> 'refuse',
      'permissions', i.permissions, 'workspace_ids', i.workspace_ids))
    from (select install.*) i join apps a on a.client_id = i.client_id
    left join organization_policies p on p.organization_id = i.organization_id;
end
$$;

create or replace function install_changed() returns trigger language plpgsql as $$
begin
  perform announce_install(new);
  return null;
end
$$;

-- A rule that refuses needs no entry of a type of its own, which the libraries of today would not know: each install that
-- it concerns is inactive in the feed, and so is each grant by the device flow. Nothing can slip through while the rule
-- changes. A grant and an install lock their organization (for key share, by their foreign keys) until they are committed,
-- so they wait for this lock, or are committed before it and found here. What is committed later is read together with the
-- new rule by every request that could issue a token for it.
create function rules_changed() returns trigger language plpgsql as $$
begin
  perform from organizations where id = new.organization_id for update;
  perform lock_revocations();
  perform announce_install(i) from installs i join apps a on a.client_id = i.client_id
   where i.organization_id = new.organization_id and i.ended_at is null
     and (rule_for(old, a, false) = 'refuse') <> (rule_for(new, a, false) = 'refuse');
  if (new.device_flow = 'refuse') <> coalesce(old.device_flow = 'refuse', false) then
    insert into revocations (type, subject_id, state, organization_ids, until)
    select 'grant', g.id::text, jsonb_build_object('active', new.device_flow <> 'refuse'), array[new.organization_id],
        clock_timestamp() + make_interval(secs => longest.seconds) + interval '10 minutes'
      from grants g cross join longest_token_lifetime longest
     where g.organization_id = new.organization_id and g.by_device and g.ended_at is null;
  end if;
  return null;
end
$$;
create constraint trigger rules_changed
  after insert or update of device_flow, public_apps, ai_clients on organization_policies
  deferrable initially deferred for each row execute function rules_changed();

-- An app that becomes public, or is no longer public, falls under another rule.
create function app_type_changed() returns trigger language plpgsql as $$
begin
  perform lock_revocations();
  perform announce_install(i) from installs i
    join organization_policies p on p.organization_id = i.organization_id and p.public_apps = 'refuse'
   where i.client_id = new.client_id and i.ended_at is null;
  return null;
end
$$;
create constraint trigger app_type_changed after update of client_type on apps
  deferrable initially deferred for each row
  when (old.client_type is distinct from new.client_type) execute function app_type_changed();
