import type { ClientType } from '../../../core/clients/app.ts'
import type { AppStore, RegisteredApp } from '../../../core/clients/apps.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'
import { appSecretTable, insertSecret } from '../credentials/secrets.ts'

interface AppRow {
  client_id: string
  name: string
  interface: Interface
  client_type: ClientType
  redirect_uris: string[]
  permissions: string[]
  openid: boolean
  device_flow: boolean
  dpop_bound_access_tokens: boolean
  post_logout_redirect_uris: string[]
  reviewed_at: Date | null
  description: string | null
  logo_uri: string | null
  homepage_uri: string | null
  jwks: { keys: object[] } | null
  retry_window_seconds: number
  families_epoch: number
  disabled: boolean
  created_at: Date
  updated_at: Date
}

const columns = `client_id, name, interface, client_type, redirect_uris, permissions, openid, device_flow,
  dpop_bound_access_tokens, reviewed_at, post_logout_redirect_uris, description, logo_uri, homepage_uri, jwks, retry_window_seconds, families_epoch,
  disabled_at is not null as disabled, created_at, updated_at`

const toApp = (row: AppRow): RegisteredApp => ({
  clientId: row.client_id,
  name: row.name,
  interface: row.interface,
  clientType: row.client_type,
  redirectUris: row.redirect_uris,
  permissions: row.permissions,
  openid: row.openid,
  deviceFlow: row.device_flow,
  dpopBoundAccessTokens: row.dpop_bound_access_tokens,
  postLogoutRedirectUris: row.post_logout_redirect_uris,
  reviewed: row.reviewed_at !== null,
  reviewedAt: row.reviewed_at,
  description: row.description,
  logoUri: row.logo_uri,
  homepageUri: row.homepage_uri,
  jwks: row.jwks,
  retryWindowSeconds: row.retry_window_seconds,
  familiesEpoch: row.families_epoch,
  disabled: row.disabled,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const createAppStore = (database: Database): AppStore => ({
  insert: (app, secret, events) =>
    database.transaction(async (tx) => {
      const { rows } = await tx.query<AppRow>(
        `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions,
           description, logo_uri, homepage_uri, jwks, retry_window_seconds, openid,
           post_logout_redirect_uris, device_flow, dpop_bound_access_tokens, reviewed_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
           case when $16 then now() end)
         returning ${columns}`,
        [
          app.clientId,
          app.name,
          app.interface,
          app.clientType,
          app.redirectUris,
          app.permissions,
          app.description,
          app.logoUri,
          app.homepageUri,
          app.jwks && JSON.stringify(app.jwks),
          app.retryWindowSeconds,
          app.openid,
          app.postLogoutRedirectUris,
          app.deviceFlow,
          app.dpopBoundAccessTokens,
          app.reviewed,
        ],
      )
      if (secret) await insertSecret(tx, appSecretTable, app.clientId, secret)
      await insertAuditEvents(tx, events)
      return toApp(rows[0]!)
    }),

  byId: async (clientId) => {
    const { rows } = await database.query<AppRow>(
      `select ${columns} from apps where client_id = $1`,
      [clientId],
    )
    return rows[0] ? toApp(rows[0]) : null
  },

  list: async (page) => {
    const { rows } = await database.query<AppRow & { place: string }>(
      `select ${columns}, ${placeColumn('client_id')} from apps
       where ${afterPlace('client_id')} ${orderAndLimit('client_id')}`,
      pageValues(page),
    )
    return toPage(rows, page, toApp)
  },

  change: (clientId, decide) =>
    database.transaction(async (tx) => {
      const locked = await tx.query<AppRow>(
        `select ${columns} from apps where client_id = $1 for no key update`,
        [clientId],
      )
      if (!locked.rows[0]) return null
      const current = toApp(locked.rows[0])
      const { values, events } = decide(current)
      if (events.length === 0) return current
      const { app, dropSecrets } = values
      const { rows } = await tx.query<AppRow>(
        `update apps set name = $2, client_type = $3, redirect_uris = $4, permissions = $5,
           description = $6, logo_uri = $7, homepage_uri = $8, jwks = $9, retry_window_seconds = $10,
           families_epoch = $11, disabled_at = case when $12 then coalesce(disabled_at, now()) end,
           openid = $13, post_logout_redirect_uris = $14, device_flow = $15,
           dpop_bound_access_tokens = $16,
           reviewed_at = case when $17 then coalesce(reviewed_at, now()) end, updated_at = now()
         where client_id = $1
         returning ${columns}`,
        [
          clientId,
          app.name,
          app.clientType,
          app.redirectUris,
          app.permissions,
          app.description,
          app.logoUri,
          app.homepageUri,
          app.jwks && JSON.stringify(app.jwks),
          app.retryWindowSeconds,
          app.familiesEpoch,
          app.disabled,
          app.openid,
          app.postLogoutRedirectUris,
          app.deviceFlow,
          app.dpopBoundAccessTokens,
          app.reviewed,
        ],
      )
      if (dropSecrets) await tx.query('delete from app_secrets where client_id = $1', [clientId])
      await insertAuditEvents(tx, events)
      return toApp(rows[0]!)
    }),

  remove: (clientId, events) =>
    database.transaction(async (tx) => {
      const { count } = await tx.query('delete from apps where client_id = $1', [clientId])
      if (count > 0) await insertAuditEvents(tx, events)
      return count > 0
    }),
})
