import type { App } from '../../../core/clients/app.ts'
import type { OpenidScope } from '../../../core/clients/openid.ts'
import type { Grant, GrantStanding } from '../../../core/grants/grant.ts'
import type { LoadedGrant, LoadedInstall } from '../../../core/grants/store.ts'
import type { Unsettled } from '../../../core/grants/unsettled-rules.ts'
import type { Method } from '../../../core/people/sign-in-method.ts'

interface InstallColumns {
  install_id: string | null
  install_permissions: string[]
  install_workspace_ids: string[] | null
  install_suspended: boolean
}

/** The additional data of an OpenID grant, as stored. */
interface OpenidColumn {
  scopes: OpenidScope[]
  nonce: string | null
  authenticated_at: number | null
  methods: Method[]
}

/** A grant with the present state of its install and user; `grant_id` null: not found. */
export interface GrantRow extends InstallColumns {
  grant_id: string | null
  user_id: string
  organization_id: string
  app_epoch: number
  user_epoch: number
  credentials_epoch: number
  connection_epoch: number
  grant_permissions: string[]
  grant_workspace_ids: string[] | null
  redirect_uri: string
  code_challenge: string | null
  dpop_jkt: string | null
  resources: string[] | null
  auth_time: number | null
  acr: string | null
  grant_openid: OpenidColumn | null
  lifetime: number | null
  ended: boolean
  moved: boolean | null
  unsettled: Unsettled | null
  install_ended: boolean
  user_disabled: boolean
  is_member: boolean
  present_workspace_ids: string[]
}

/** An install and the workspaces of its organization; `install_id` null: not found. */
export interface InstallRow extends InstallColumns {
  present_workspace_ids: string[]
}

const ofInstall = `i.id as install_id, i.permissions as install_permissions,
  i.workspace_ids as install_workspace_ids, i.suspended_at is not null as install_suspended`

// A code (generation 0) is valid for a minute, even if its redemption was answered with 503.
const unsettledColumn = `case
    when g.unsettled ->> 'generation' <> '0' or (g.unsettled ->> 'until')::timestamptz > now()
    then g.unsettled end as unsettled`

const isDisconnected = 'g.connection_epoch <> coalesce(ce.epoch, 0)'
const isEnded = `(g.ended_at is not null or ${isDisconnected})`

/** Why a grant `g` has ended, with `grantJoins`; null: it is live, or another table has the reason. */
export const endedReason = `coalesce(g.ended_reason, case when ${isDisconnected} then 'disconnected' end)`

/** The columns of a grant `g`, with `grantJoins`. */
export const grantColumns = `
  g.id as grant_id, g.user_id, g.organization_id, g.app_epoch, g.user_epoch, g.permissions as grant_permissions,
  g.workspace_ids as grant_workspace_ids, g.redirect_uri, g.code_challenge, g.dpop_jkt, g.openid as grant_openid,
  g.resources, g.auth_time, g.acr,
  extract(epoch from g.expires_at - g.created_at)::integer as lifetime,
  g.connection_epoch, ${isEnded} as ended, g.ended_reason = 'moved' as moved, ${unsettledColumn}, ${ofInstall},
  i.ended_at is not null as install_ended,
  u.disabled_at is not null as user_disabled, u.credentials_epoch,
  m.user_id is not null as is_member,
  w.present_workspace_ids`

// Starts from the user's workspaces and finds each by its id, whatever the statistics say: the organization may have far
// more than average, and "is not distinct from" uses no index.
export const grantJoins = `
left join installs i on i.id = g.install_id
left join users u on u.id = g.user_id
left join members m on m.organization_id = g.organization_id and m.user_id = g.user_id
left join connection_epochs ce
  on ce.user_id = g.user_id and ce.client_id = g.client_id and ce.organization_id = g.organization_id
left join lateral (
  select coalesce(array_agg(w.id order by w.id), '{}') as present_workspace_ids
    from workspace_members wm cross join lateral (
      select id from workspaces
       where id = wm.workspace_id and organization_id is not distinct from g.organization_id offset 0
    ) w
   where wm.user_id = g.user_id
) w on true`

/** The columns of an install `i`, with `installJoins`. */
export const installColumns = `${ofInstall}, w.present_workspace_ids`

export const installJoins = `
left join lateral (
  select coalesce(array_agg(id order by id), '{}') as present_workspace_ids
    from workspaces where organization_id = i.organization_id
) w on true`

/** The additional data of an OpenID request; null for other requests. */
export const openidColumn = ({ openidScopes, signIn }: Grant): OpenidColumn | null =>
  signIn && {
    scopes: openidScopes,
    nonce: signIn.nonce,
    authenticated_at: signIn.authenticatedAt,
    methods: signIn.methods,
  }

const signInOf = ({ nonce, authenticated_at, methods }: OpenidColumn) => ({
  nonce,
  authenticatedAt: authenticated_at,
  methods,
})

/** @param app the app of the grant */
export const grantOf = (
  row: GrantRow,
  app: Pick<App, 'clientId' | 'familiesEpoch'>,
): LoadedGrant | null => {
  if (row.grant_id === null || row.install_id === null) return null
  const grant: Grant = {
    id: row.grant_id,
    userId: row.user_id,
    clientId: app.clientId,
    organizationId: row.organization_id,
    installId: row.install_id,
    appEpoch: row.app_epoch,
    userEpoch: row.user_epoch,
    ...(row.connection_epoch > 0 && { connectionEpoch: row.connection_epoch }),
    permissions: row.grant_permissions,
    ...(row.resources && { resources: row.resources }),
    ...(row.acr !== null && {
      authentication: { authenticatedAt: row.auth_time, contextClass: row.acr },
    }),
    workspaceIds: row.grant_workspace_ids,
    openidScopes: row.grant_openid?.scopes ?? [],
    signIn: row.grant_openid && signInOf(row.grant_openid),
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    dpopJkt: row.dpop_jkt,
    lifetime: row.lifetime,
  }
  const standing: GrantStanding = {
    ended: row.ended,
    appEpoch: app.familiesEpoch,
    userEpoch: row.credentials_epoch,
    installEnded: row.install_ended,
    installSuspended: row.install_suspended,
    userDisabled: row.user_disabled,
    isMember: row.is_member,
  }
  return {
    grant,
    standing,
    migrated: row.moved === true,
    unsettled: row.unsettled,
    installPermissions: row.install_permissions,
    installWorkspaceIds: row.install_workspace_ids,
    presentWorkspaceIds: row.present_workspace_ids,
  }
}

export const installOf = (row: InstallRow): LoadedInstall | null =>
  row.install_id === null
    ? null
    : {
        installId: row.install_id,
        suspended: row.install_suspended,
        installPermissions: row.install_permissions,
        installWorkspaceIds: row.install_workspace_ids,
        presentWorkspaceIds: row.present_workspace_ids,
      }
