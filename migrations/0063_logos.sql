-- Logos as this server serves them: fetched once, encoded again, and named by their digest.
create table logos (
  digest text primary key,
  image bytea not null,
  -- The last app or organization with this logo may have got another one. The sweeper removes what no row needs.
  released_at timestamptz
);
create index logos_released on logos (released_at) where released_at is not null;

-- due: when to fetch `logo_uri`; also the end of a claim by an instance that fetches it now. null: nothing to do.
alter table apps add column logo_digest text, add column logo_due_at timestamptz,
  add column logo_attempts smallint not null default 0;
alter table organizations add column logo_uri text, add column accent text, add column logo_digest text,
  add column logo_due_at timestamptz, add column logo_attempts smallint not null default 0;

create function logo_requested() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.logo_uri is distinct from old.logo_uri then
    new.logo_digest := null;
    new.logo_attempts := 0;
    new.logo_due_at := case when new.logo_uri is not null then now() end;
  end if;
  return new;
end $$;
create trigger logo_requested before insert or update of logo_uri on apps
  for each row execute function logo_requested();
create trigger logo_requested before insert or update of logo_uri on organizations
  for each row execute function logo_requested();

create function logo_released() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.logo_digest is distinct from old.logo_digest then
    update logos set released_at = now() where digest = old.logo_digest;
  end if;
  return null;
end $$;
create trigger logo_released after delete or update of logo_uri, logo_digest on apps
  for each row when (old.logo_digest is not null) execute function logo_released();
create trigger logo_released after delete or update of logo_uri, logo_digest on organizations
  for each row when (old.logo_digest is not null) execute function logo_released();

create index apps_logo_due on apps (logo_due_at) where logo_due_at is not null;
create index apps_logo on apps (logo_digest) where logo_digest is not null;
create index organizations_logo_due on organizations (logo_due_at) where logo_due_at is not null;
create index organizations_logo on organizations (logo_digest) where logo_digest is not null;

update apps set logo_due_at = now() where logo_uri is not null;
