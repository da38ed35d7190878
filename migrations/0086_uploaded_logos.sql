-- A logo that was uploaded here: the digest of its image. An app has this or `logo_uri`.
alter table apps add column uploaded_logo text;

-- After logo_requested, by its name, which has removed the logo of another address.
create function logo_uploaded() returns trigger language plpgsql as $$
begin
  if new.uploaded_logo is distinct from (case when tg_op = 'UPDATE' then old.uploaded_logo end) then
    new.logo_digest := new.uploaded_logo;
    new.logo_fault := null;
    update logos set released_at = null where digest = new.uploaded_logo;
  end if;
  return new;
end $$;
create trigger logo_uploaded before insert or update of uploaded_logo on apps
  for each row execute function logo_uploaded();

drop trigger logo_released on apps;
create trigger logo_released after delete or update of logo_uri, logo_digest, uploaded_logo on apps
  for each row when (old.logo_digest is not null) execute function logo_released();

-- The image of a change that waits stays.
create index app_changes_logo on app_changes ((after ->> 'uploadedLogo')) where decided_at is null;

-- The operator's words for the maker of a refused document.
alter table app_reviews add column note text;
