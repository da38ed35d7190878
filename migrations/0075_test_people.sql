-- Users with whom the owner of a sandbox tries apps. They belong to this organization only, own nothing, and end with it.
create table test_people (
  user_id text primary key references users on delete cascade,
  organization_id text not null references sandboxes on delete cascade,
  created_at timestamptz not null default now()
);
create index test_people_organization on test_people (organization_id, created_at);

create function test_person_gone() returns trigger language plpgsql as $$
begin
  delete from users where id = old.user_id;
  return null;
end $$;
create trigger test_person_gone after delete on test_people
  for each row execute function test_person_gone();

-- Whatever code adds the row: a test person gets no role outside the sandbox.
create function refuse_test_person() returns trigger language plpgsql as $$
begin
  if exists (select from test_people p where p.user_id = new.user_id
      and p.organization_id is distinct from to_jsonb(new) ->> 'organization_id') then
    raise foreign_key_violation using message = 'a test person belongs to a sandbox only';
  end if;
  return new;
end $$;
create trigger refuse_test_person before insert or update of organization_id, user_id on members
  for each row execute function refuse_test_person();
create trigger refuse_test_person before insert or update of user_id on app_owners
  for each row execute function refuse_test_person();
create trigger refuse_test_person before insert or update of user_id on operators
  for each row execute function refuse_test_person();
