import type { App, SecretDigest } from '../../domain/app.ts'
import type { Grant, GrantStanding } from '../../domain/grant.ts'
import type { GrantStore, LoadedGrant, LoadedInstall } from '../../services/grants.ts'
import { type AppRow, appColumns, appOf } from './app-columns.ts'
import type { Database } from './database.ts'

interface ClientRow extends AppRow {
  secret_ids: string[]
  secret_digests: Buffer[]
}

interface InstallColumns {
  install_id: string | null
  install_permissions: string[]
  install_workspace_ids: string[] | null
  install_suspended: boolean
}

interface GrantRow extends ClientRow, InstallColumns {
  grant_id: string | null
  user_id: string
  organization_id: string
  app_epoch: number
  user_epoch: number
  credentials_epoch: number
  grant_permissions: string[]
  grant_workspace_ids: string[] | null
  redirect_uri: string
  code_challenge: string | null
  ended: boolean
  install_ended: boolean
  user_disabled: boolean
  is_member: boolean
  present_workspace_ids: string[]
}

interface InstallRow extends ClientRow, InstallColumns {
  present_workspace_ids: string[]
}

// Who the client is, and everything needed to tell whether it says the truth.
const clientColumns = `${appColumns}, s.secret_ids, s.secret_digests`

const activeSecrets = `
  cross join lateral (
    select coalesce(array_agg(id), '{}') as secret_ids,
           coalesce(array_agg(digest), '{}') as secret_digests
      from app_secrets
     where client_id = a.client_id and (expires_at is null or expires_at > now())
  ) s`

const grantQuery = `
select ${clientColumns},
  g.id as grant_id, g.user_id, g.organization_id, g.app_epoch, g.user_epoch, g.permissions as grant_permissions,
  g.workspace_ids as grant_workspace_ids, g.redirect_uri, g.code_challenge,
  g.ended_at is not null as ended,
  i.id as install_id, i.permissions as install_permissions,
  i.workspace_ids as install_workspace_ids, i.suspended_at is not null as install_suspended,
  i.ended_at is not null as install_ended,
  u.disabled_at is not null as user_disabled, u.credentials_epoch,
  m.user_id is not null as is_member,
  w.present_workspace_ids
from apps a ${activeSecrets}
left join grants g on g.id = $2::uuid and g.client_id = a.client_id
left join installs i on i.id = g.install_id
left join users u on u.id = g.user_id
left join members m on m.organization_id = g.organization_id and m.user_id = g.user_id
left join lateral (
  select coalesce(array_agg(w.id order by w.id), '{}') as present_workspace_ids
    from workspace_members wm join workspaces w on w.id = wm.workspace_id
   where wm.user_id = g.user_id and w.organization_id = g.organization_id
) w on true
where a.client_id = $1`

const installQuery = `
select ${clientColumns},
  i.id as install_id, i.permissions as install_permissions,
  i.workspace_ids as install_workspace_ids, i.suspended_at is not null as install_suspended,
  w.present_workspace_ids
from apps a ${activeSecrets}
left join installs i
  on i.client_id = a.client_id and i.organization_id = $2 and i.ended_at is null
left join lateral (
  select coalesce(array_agg(id order by id), '{}') as present_workspace_ids
    from workspaces where organization_id = i.organization_id
) w on true
where a.client_id = $1`

const clientOf = (row: ClientRow): { app: App; secrets: SecretDigest[] } => ({
  app: appOf(row),
  secrets: row.secret_ids.map((id, at) => ({ id, digest: row.secret_digests[at] as Buffer })),
})

const grantOf = (row: GrantRow): LoadedGrant | null => {
  if (row.grant_id === null || row.install_id === null) return null
  const grant: Grant = {
    id: row.grant_id,
    userId: row.user_id,
    clientId: row.client_id,
    organizationId: row.organization_id,
    installId: row.install_id,
    appEpoch: row.app_epoch,
    userEpoch: row.user_epoch,
    permissions: row.grant_permissions,
    workspaceIds: row.grant_workspace_ids,
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
  }
  const standing: GrantStanding = {
    ended: row.ended,
    appEpoch: row.families_epoch,
    userEpoch: row.credentials_epoch,
    installEnded: row.install_ended,
    installSuspended: row.install_suspended,
    userDisabled: row.user_disabled,
    isMember: row.is_member,
  }
  return {
    grant,
    standing,
    installPermissions: row.install_permissions,
    installWorkspaceIds: row.install_workspace_ids,
    presentWorkspaceIds: row.present_workspace_ids,
  }
}

const installOf = (row: InstallRow): LoadedInstall | null =>
  row.install_id === null
    ? null
    : {
        installId: row.install_id,
        suspended: row.install_suspended,
        installPermissions: row.install_permissions,
        installWorkspaceIds: row.install_workspace_ids,
        presentWorkspaceIds: row.present_workspace_ids,
      }

export const createGrantStore = (database: Database): GrantStore => ({
  loadGrant: async (clientId, familyId) => {
    const { rows } = await database.query<GrantRow>(grantQuery, [clientId, familyId], 'load_grant')
    const row = rows[0]
    return row ? { ...clientOf(row), grant: grantOf(row) } : null
  },
  loadInstall: async (clientId, organizationId) => {
    const { rows } = await database.query<InstallRow>(
      installQuery,
      [clientId, organizationId],
      'load_install',
    )
    const row = rows[0]
    return row ? { ...clientOf(row), install: installOf(row) } : null
  },
  insert: async (grant) => {
    const { count } = await database.query(
      `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch,
         user_epoch, permissions, workspace_ids, redirect_uri, code_challenge)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (id) do nothing`,
      [
        grant.id,
        grant.userId,
        grant.clientId,
        grant.organizationId,
        grant.installId,
        grant.appEpoch,
        grant.userEpoch,
        grant.permissions,
        grant.workspaceIds,
        grant.redirectUri,
        grant.codeChallenge,
      ],
    )
    return count === 1
  },
  end: async (grantId, reason) => {
    await database.query(
      'update grants set ended_at = now(), ended_reason = $2 where id = $1 and ended_at is null',
      [grantId, reason],
    )
  },
  touch: async ({ grants, secrets, installs }) => {
    if (grants.length > 0) {
      await database.query('update grants set last_used_at = now() where id = any($1::uuid[])', [
        grants,
      ])
    }
    if (secrets.length > 0) {
      await database.query('update app_secrets set last_used_at = now() where id = any($1)', [
        secrets,
      ])
    }
    if (installs.length > 0) {
      await database.query('update installs set last_used_at = now() where id = any($1)', [
        installs,
      ])
    }
  },
})
