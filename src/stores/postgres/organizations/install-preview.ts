import type { InstallPreviewStore } from '../../../core/organizations/install-preview.ts'
import type { Database } from '../connection/database.ts'
import { isLiveGrant } from './app-people.ts'
import { isLiveInstall, keptOutReason } from './live.ts'

// `$3`: the permissions of the approval. `$4`: its workspaces; null: all. `$5`: its audience, if `$6`; else the present one.
const losesPermission = (granted: string) => `exists (
  select from unnest(${granted}) p
   where p = any(i.permissions) and p = any(a.permissions) and not p = any($3::text[]))`

const losesWorkspace = (where: string) => `($4::text[] is not null and exists (
  select from workspaces w
   where w.organization_id = i.organization_id and not w.id = any($4::text[])
     and coalesce(w.id = any(i.workspace_ids), true) and ${where}))`

const ofGrant = `coalesce(w.id = any(g.workspace_ids), true) and exists (
  select from workspace_members wm where wm.workspace_id = w.id and wm.user_id = g.user_id)`

const query = `
select missing_permissions(a.client_id, $3::text[]) as missing,
  coalesce(affected.people, 0) as people, coalesce(affected.families, 0) as families,
  case when i.last_used_at > now() - interval '30 days'
    and (${losesPermission('i.permissions')} or ${losesWorkspace('true')}) then 1 else 0 end as jobs
from apps a
join organizations o on o.id = $1
left join installs i on i.organization_id = o.id and i.client_id = a.client_id
  and ${isLiveInstall('i')}
left join lateral (
  select count(distinct g.user_id)::integer as people, count(*)::integer as families
  from grants g join users u on u.id = g.user_id and u.disabled_at is null
  where g.install_id = i.id and ${isLiveGrant}
    and ${keptOutReason('i', 'g.user_id')} is null
    and (${losesPermission('g.permissions')} or ${losesWorkspace(ofGrant)}
      or ($6 and inside_by($5::jsonb, g.user_id) is null))
) affected on true
where a.client_id = $2`

export const createInstallPreviewStore = (database: Database): InstallPreviewStore => ({
  find: ({ organizationId, clientId }, { permissions, workspaceIds, audience }) =>
    database.row(
      query,
      [
        ...[organizationId, clientId, permissions, workspaceIds],
        ...[audience ? JSON.stringify(audience) : null, audience !== undefined],
      ],
      'install_preview',
    ),
})
