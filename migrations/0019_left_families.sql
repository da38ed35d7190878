-- Families whose grants went with their user, app or organization: nothing else knows of them any more, and they may be
-- in another store. The clean-up ends them.
create table left_families (id uuid primary key);

create function keep_left_families() returns trigger language plpgsql as $$
begin
  insert into left_families select id from gone on conflict do nothing;
  return null;
end
$$;
-- Only where something else took them along: whoever removes grants themselves has ended their families before.
create trigger grants_left after delete on grants
  referencing old table as gone
  for each statement when (pg_trigger_depth() > 0) execute function keep_left_families();
