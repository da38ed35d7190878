-- Without a scope, a document asks for whatever the ceiling of its host allows. Unknown until the document is read again.
alter table client_documents add column has_scope boolean not null default false;
update client_documents set etag = null
 where etag is not null and exists (select from apps where apps.client_id = client_documents.client_id and admitted);

-- What an admitted app requires and does not get: its document asks for it, and it is beyond the ceiling of the host. Only
-- hosts that say what apps can do without make apps require anything.
create function cut_permissions(app text) returns text[] language sql stable as $$
  select coalesce(array_agg(one order by one), '{}')
    from client_documents d
    join apps a on a.client_id = d.client_id and a.admitted and a.optional_permissions is not null
    join client_hosts h on h.host = split_part(d.client_id, '/', 3),
      unnest(d.scopes) one
   where d.client_id = app and d.has_scope
     and jsonb_typeof(h.defaults -> 'optionalPermissions') = 'array'
     and not h.defaults -> 'optionalPermissions' ? one
     and not one = any(h.ceiling) and not one = any(a.permissions)
     and (one = any('{records:create,records:update,records:delete,workspace_members:read,teams:read,
         documents:read,table:create,table:modify,rootTable:create}')
       or exists (select from permissions p where p.interface = 'current' and p.name = one))
$$;

-- The permissions that an app requires and an install lacks, in the app's order, and those that it cannot get.
create or replace function missing_permissions(app text, granted text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(one order by at), '{}') || cut_permissions(app)
    from apps, unnest(permissions) with ordinality as p (one, at)
   where client_id = app and not one = any(optional_permissions) and not one = any(granted)
$$;
