-- The permissions that an app can do without; null: all of them. Reasons are sentences by permission, as in `permissions.sentence`.
alter table apps add column optional_permissions text[],
  add column permission_reasons jsonb not null default '{}';

-- The permissions that an app requires and an install lacks, in the app's order.
create function missing_permissions(app text, granted text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(one order by at), '{}')
    from apps, unnest(permissions) with ordinality as p (one, at)
   where client_id = app and not one = any(optional_permissions) and not one = any(granted)
$$;
