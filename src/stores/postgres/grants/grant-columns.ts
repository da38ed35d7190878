import type { OpenidScope, SignIn } from '../../../core/clients/openid.ts'
import type { Grant, GrantStanding } from '../../../core/grants/grant.ts'
import type { Expiring } from '../../../core/grants/refresh-token.ts'
import type { LoadedGrant, LoadedInstall } from '../../../core/grants/store.ts'
import type { Authentication, Method } from '../../../core/people/sign-in-method.ts'
import { type Columns, column, computed, named, nested, of, plain } from '../connection/columns.ts'
import { isLiveInstall, keptOut } from '../organizations/live.ts'

/** The additional data of an OpenID grant, as stored. */
interface OpenidColumn {
  scopes: OpenidScope[]
  nonce: string | null
  authenticated_at: number | null
  methods: Method[]
}

// A code (generation 0) is valid for a minute, even if its redemption was answered with 503.
const unsettled = computed(`case
    when g.unsettled ->> 'generation' <> '0' or (g.unsettled ->> 'until')::timestamptz > now()
    then g.unsettled end`)

const isDisconnected = 'g.connection_epoch <> coalesce(ce.epoch, 0)'
const leastOf = (aliases: readonly string[], name: string) =>
  `least(${aliases.map((alias) => `${alias}.${name}`).join(', ')})`

/** The earliest end of these installs and consents, in seconds since 1970; null: there is none. */
export const notAfter = (...aliases: string[]) =>
  computed(`floor(extract(epoch from ${leastOf(aliases, 'expires_at')}))::bigint`)

/** The earliest ends of these installs and consents. */
export const expiring = (...aliases: string[]): Columns<Expiring> => ({
  endsIn: computed(`floor(extract(epoch from ${leastOf(aliases, 'expires_at')} - now()))::bigint`),
  idleSeconds: computed(leastOf(aliases, 'idle_seconds')),
})

/**
 * Why an install gives nothing at present, as in `InstallPause`; null: it does, or there is none.
 * @param install, app, policy their aliases; the policy is that of the organization
 * @param byDevice an expression: the grant came by the device flow
 */
export const paused = (install: string, app: string, policy: string, byDevice = 'false') =>
  computed(`case
    when ${install}.suspended_at is not null then 'install_suspended'
    when rule_for(${policy}, ${app}, ${byDevice}) = 'refuse' then 'policy'
    end`)

const isOver = 'coalesce(least(gc.expires_at, g.ends_at) <= now(), false)'
const isEnded = `(g.ended_at is not null or ${isDisconnected} or ${isOver})`

/** Why a grant `g` has ended, with `grantJoins`; null: it is live, or another table has the reason. */
export const endedReason = `coalesce(g.ended_reason, case when ${isDisconnected} or ${isOver} then 'disconnected' end)`

const signInColumns: Columns<SignIn> = {
  nonce: computed(`g.openid -> 'nonce'`),
  authenticatedAt: computed(`g.openid -> 'authenticated_at'`),
  methods: computed(`g.openid -> 'methods'`),
}

const authenticationColumns: Columns<Authentication> = {
  authenticatedAt: named('auth_time'),
  contextClass: named('acr'),
}

const columnsOfGrant: Columns<Grant> = {
  ...plain('id', 'userId', 'clientId', 'organizationId', 'installId', 'appEpoch', 'userEpoch'),
  ...plain('connectionEpoch', 'permissions', 'resources'),
  authentication: nested(authenticationColumns, 'g', 'acr'),
  workspaceIds: column,
  openidScopes: computed(`coalesce(g.openid -> 'scopes', '[]')`),
  signIn: nested(signInColumns, 'g', 'openid'),
  ...plain('redirectUri', 'byDevice', 'codeChallenge', 'dpopJkt'),
  lifetime: computed('extract(epoch from g.expires_at - g.created_at)::integer'),
}

const standingColumns = (app: string): Columns<GrantStanding> => ({
  ended: computed(isEnded),
  appEpoch: of(app, 'families_epoch'),
  userEpoch: of('u', 'credentials_epoch'),
  installEnded: computed(`not (${isLiveInstall('i')})`),
  paused: paused('i', app, 'gp', 'g.by_device'),
  userDisabled: computed('u.disabled_at is not null'),
  isMember: computed('m.user_id is not null'),
  keptOut: keptOut('i', 'g.user_id'),
})

/** A grant `g` with the present state of its install and user, with `grantJoins`. @param app alias of its app */
export const grantColumns = (app = 'a'): Columns<LoadedGrant> => ({
  grant: nested(columnsOfGrant, 'g'),
  standing: nested(standingColumns(app), 'g'),
  migrated: computed(`coalesce(g.ended_reason = 'moved', false)`),
  ...expiring('i', 'gc', 'ge'),
  takenOverFrom: column,
  unsettled,
  installPermissions: of('i', 'permissions'),
  installWorkspaceIds: of('i', 'workspace_ids'),
  presentWorkspaceIds: of('w'),
  notAfter: notAfter('i', 'gc', 'ge'),
})

// Starts from the user's workspaces and finds each by its id, whatever the statistics say: the organization may have far
// more than average, and "is not distinct from" uses no index.
export const grantJoins = `
left join installs i on i.id = g.install_id
left join organization_policies gp on gp.organization_id = g.organization_id
left join users u on u.id = g.user_id
left join members m on m.organization_id = g.organization_id and m.user_id = g.user_id
left join connection_epochs ce
  on ce.user_id = g.user_id and ce.client_id = g.client_id and ce.organization_id = g.organization_id
left join consents gc
  on gc.user_id = g.user_id and gc.organization_id = g.organization_id and gc.client_id = g.client_id
 and gc.install_id = g.install_id
cross join lateral (select g.ends_at as expires_at, null::integer as idle_seconds) ge
left join lateral (
  select coalesce(array_agg(w.id order by w.id), '{}') as present_workspace_ids
    from workspace_members wm cross join lateral (
      select id from workspaces
       where id = wm.workspace_id and organization_id is not distinct from g.organization_id offset 0
    ) w
   where wm.user_id = g.user_id
) w on true`

/**
 * An install, and the workspaces of its organization, with `installJoins`.
 * @param install, app, policy their aliases
 * @param person an expression: the user for whom the app acts; null: it acts for itself
 */
export const installColumns = (
  { install, app, policy }: Record<'install' | 'app' | 'policy', string>,
  person: string,
): Columns<LoadedInstall> => ({
  installId: named('id'),
  self: column,
  paused: paused(install, app, policy),
  installPermissions: named('permissions'),
  installWorkspaceIds: named('workspace_ids'),
  presentWorkspaceIds: of('w'),
  notAfter: notAfter(install),
  keptOut: keptOut(install, person),
})

export const installJoins = `
left join organization_policies ip on ip.organization_id = i.organization_id
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
