import type { App } from '../../../core/clients/app.ts'

export interface AppRow {
  client_id: string
  app_name: string
  interface: App['interface']
  client_type: App['clientType']
  redirect_uris: string[]
  app_permissions: string[]
  openid: boolean
  device_flow: boolean
  dpop_bound_access_tokens: boolean
  reviewed: boolean
  description: string | null
  logo_uri: string | null
  homepage_uri: string | null
  jwks: App['jwks']
  retry_window_seconds: number
  families_epoch: number
  app_disabled: boolean
}

/** The columns of an app `a` in a query that joins it with other tables. */
export const appColumns = `
  a.client_id, a.name as app_name, a.interface, a.client_type, a.redirect_uris,
  a.permissions as app_permissions, a.openid, a.device_flow, a.dpop_bound_access_tokens,
  a.reviewed_at is not null as reviewed, a.description, a.logo_uri, a.homepage_uri, a.jwks, a.retry_window_seconds, a.families_epoch, a.disabled_at is not null as app_disabled`

export const appOf = (row: AppRow): App => ({
  clientId: row.client_id,
  name: row.app_name,
  interface: row.interface,
  clientType: row.client_type,
  redirectUris: row.redirect_uris,
  permissions: row.app_permissions,
  openid: row.openid,
  deviceFlow: row.device_flow,
  dpopBoundAccessTokens: row.dpop_bound_access_tokens,
  reviewed: row.reviewed,
  description: row.description,
  logoUri: row.logo_uri,
  homepageUri: row.homepage_uri,
  jwks: row.jwks,
  retryWindowSeconds: row.retry_window_seconds,
  familiesEpoch: row.families_epoch,
  disabled: row.app_disabled,
})
