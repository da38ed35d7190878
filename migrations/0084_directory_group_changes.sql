-- As in 0081: `changed_at` of a group moves with its name and its members, active or not.
create trigger directory_groups_renamed before update of name on directory_groups
  for each row when (old.name is distinct from new.name) execute function mark_renamed_workspace();

create function mark_directory_groups(ids text[]) returns void language sql as $$
  update directory_groups set changed_at = clock_timestamp() where id in (
    select id from directory_groups where id = any(ids) order by id for no key update skip locked);
$$;
create function mark_groups_of_members() returns trigger language plpgsql as $$
begin
  perform mark_directory_groups((select array_agg(distinct group_id) from changed));
  return null;
end
$$;
create trigger directory_group_members_added after insert on directory_group_members
  referencing new table as changed for each statement execute function mark_groups_of_members();
create trigger directory_group_members_removed after delete on directory_group_members
  referencing old table as changed for each statement execute function mark_groups_of_members();

create function mark_kept_directory_groups() returns trigger language plpgsql as $$
begin
  perform mark_directory_groups(old.kept_groups);
  return null;
end
$$;
create trigger scim_users_groups_removed after delete on scim_users
  for each row when (old.kept_groups <> '{}') execute function mark_kept_directory_groups();
