-- `admit`: documents of the host become apps at their first request, within the ceiling. Columns of an `admit` rule stand in
-- other rules too; `defaults` are what apps from documents of the host get when they come in.
alter table client_hosts drop constraint client_hosts_policy_check;
alter table client_hosts
  add constraint client_hosts_policy_check check (policy in ('review', 'refuse', 'admit')) not valid,
  add column path_prefix text,
  -- How many apps from documents the host may have.
  add column app_limit integer not null default 100,
  -- Permissions of the current interface.
  add column ceiling text[],
  add column defaults jsonb not null default
    '{"optionalPermissions": null, "accessTokenSeconds": null, "retryWindowSeconds": null, "expiresDays": null}',
  add constraint client_hosts_ceiling check (policy <> 'admit' or ceiling is not null) not valid;

-- Came in by the rule of its host, so that the ceiling bounds it.
alter table apps add column admitted boolean not null default false;
create index apps_admitted on apps (split_part(client_id, '/', 3)) where admitted;

create index client_documents_host on client_documents (split_part(client_id, '/', 3));
