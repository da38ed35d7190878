-- Where an app has its privacy policy and its terms of service.
alter table apps add column policy_uri text, add column tos_uri text;

-- Documents were read before these columns existed: each is read whole again when it is due.
update client_documents set etag = null where etag is not null;
-- An earlier version could stop between an app and the state of its document. Such a document is due now.
insert into client_documents (client_id, scopes, due_at)
select client_id, permissions, now() from apps
 where client_id like 'https://%' and interface = 'current'
on conflict do nothing;

-- A logo is read again when it is no longer fresh. The tag is of the image that is stored.
alter table apps add column logo_etag text;
alter table organizations add column logo_etag text;

create or replace function logo_requested() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.logo_uri is distinct from old.logo_uri then
    new.logo_digest := null;
    new.logo_etag := null;
    new.logo_attempts := 0;
    new.logo_due_at := case when new.logo_uri is not null then now() end;
  end if;
  return new;
end $$;

-- Logos that were fetched once, or refused for good, are read again within a day.
update apps set logo_attempts = 0, logo_due_at = now() + random() * interval '1 day'
 where logo_uri is not null and logo_due_at is null;
update organizations set logo_attempts = 0, logo_due_at = now() + random() * interval '1 day'
 where logo_uri is not null and logo_due_at is null;
