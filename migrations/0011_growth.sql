-- What a table that has grown needs. On a large one, make an index of these beforehand, under its name and with
-- "create index concurrently": building it here holds up writes.

-- Everything that refers to an organization goes with it, and is found for its pages.
create index if not exists installs_organization on installs (organization_id, client_id);
create index if not exists consents_organization on consents (organization_id);
create index if not exists grants_organization on grants (organization_id);

-- The operator's lists, page by page.
create index if not exists users_created on users (created_at, id);
create index if not exists organizations_created on organizations (created_at, id);
create index if not exists apps_created on apps (created_at, client_id);
create index if not exists audit_events_type on audit_events (type, id desc);

-- used: somebody has come back with it. last_used_at changes again and again and must be in no index, so that noting
-- it touches none (a heap-only update, for which the pages keep some room).
alter table grants add column used boolean not null default false;
update grants set used = true where last_used_at is not null;
drop index grants_unused;
create index grants_never_used on grants (created_at, id) where not used;
alter table grants set (fillfactor = 85);

-- Which web origins the pages of public apps come from (WHATWG URL §4.7): asked by every preflight.
create function web_origins(uris text[]) returns text[]
language plpgsql immutable strict parallel safe as $$
begin
  return array(select substring(uri from '^[a-z][a-z0-9+.-]*://[^/?#]*') from unnest(uris) as uri);
end
$$;
create index apps_public_origins on apps using gin (web_origins(redirect_uris))
  where interface = 'current' and client_type = 'public' and disabled_at is null;
