-- Why the last attempt to fetch a logo brought none; null: it brought one, or there was none.
alter table apps add column logo_fault text;
alter table organizations add column logo_fault text;

create or replace function logo_requested() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.logo_uri is distinct from old.logo_uri then
    new.logo_digest := null;
    new.logo_etag := null;
    new.logo_fault := null;
    new.logo_attempts := 0;
    new.logo_due_at := case when new.logo_uri is not null then now() end;
  end if;
  return new;
end $$;

-- SVG is no longer drawn. Where the address says that the logo is one, the stored image goes at once; any other is read
-- again without its tag, which finds the rest.
update apps set logo_digest = null, logo_etag = null, logo_attempts = 0, logo_due_at = null, logo_fault = 'svg'
 where logo_uri ~* '^[^?#]*\.svgz?([?#]|$)';
update organizations set logo_digest = null, logo_etag = null, logo_attempts = 0, logo_due_at = null, logo_fault = 'svg'
 where logo_uri ~* '^[^?#]*\.svgz?([?#]|$)';
update apps set logo_etag = null, logo_attempts = 0, logo_due_at = now() + random() * interval '1 hour'
 where logo_uri is not null and logo_fault is null;
update organizations set logo_etag = null, logo_attempts = 0, logo_due_at = now() + random() * interval '1 hour'
 where logo_uri is not null and logo_fault is null;
