-- When the name or the members of a group have changed last (RFC 7643 §3.1 `lastModified`); null: not since it was made.
alter table workspaces add column changed_at timestamptz;
alter table organizations add column admins_changed_at timestamptz;

create function mark_renamed_workspace() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;
create trigger workspaces_renamed before update of name on workspaces
  for each row when (old.name is distinct from new.name) execute function mark_renamed_workspace();

-- Waits for no lock, so that it deadlocks with nobody: whoever has the lock changes the same group.
create function mark_workspaces(ids text[]) returns void language sql as $$
  update workspaces set changed_at = clock_timestamp() where id in (
    select id from workspaces where id = any(ids) order by id for no key update skip locked);
$$;
create function mark_admins(organization text) returns void language sql as $$
  update organizations set admins_changed_at = clock_timestamp() where id in (
    select id from organizations where id = organization for no key update skip locked);
$$;

create function mark_workspaces_of_members() returns trigger language plpgsql as $$
begin
  perform mark_workspaces((select array_agg(distinct workspace_id) from changed));
  return null;
end
$$;
create trigger workspace_members_added after insert on workspace_members
  referencing new table as changed for each statement execute function mark_workspaces_of_members();
create trigger workspace_members_removed after delete on workspace_members
  referencing old table as changed for each statement execute function mark_workspaces_of_members();

create function mark_admins_of_member() returns trigger language plpgsql as $$
begin
  perform mark_admins(coalesce(new.organization_id, old.organization_id));
  return null;
end
$$;
create trigger members_admin_added after insert on members
  for each row when (new.role = 'admin') execute function mark_admins_of_member();
create trigger members_admin_removed after delete on members
  for each row when (old.role = 'admin') execute function mark_admins_of_member();
create trigger members_admin_changed after update of role on members
  for each row when (old.role is distinct from new.role) execute function mark_admins_of_member();

-- Users who are not active are members of the groups that they keep.
create trigger scim_users_role_changed after update of kept_role on scim_users
  for each row when (old.kept_role is distinct from new.kept_role) execute function mark_admins_of_member();
create function mark_kept_groups() returns trigger language plpgsql as $$
begin
  perform mark_workspaces(old.kept_workspaces);
  if old.kept_role = 'admin' then
    perform mark_admins(old.organization_id);
  end if;
  return null;
end
$$;
create trigger scim_users_removed after delete on scim_users
  for each row when (old.kept_role = 'admin' or old.kept_workspaces <> '{}') execute function mark_kept_groups();
