import { type Column, listed, moment, shown, yesNo } from './output.ts'

/** An app as the Operator API returns it. */
export interface AppJson {
  client_id: string
  name: string
  interface: string
  client_type: string
  redirect_uris: string[]
  permissions: string[]
  description: string | null
  homepage_uri: string | null
  retry_window_seconds: number
  openid: boolean
  device_flow: boolean
  dpop_bound_access_tokens: boolean
  reviewed: boolean
  post_logout_redirect_uris: string[]
  disabled: boolean
  created_at: string
}

/** Columns of a list of apps. */
export const shortColumns: Column<AppJson>[] = [
  ['client id', (app) => app.client_id],
  ['name', (app) => app.name],
  ['interface', (app) => app.interface],
  ['type', (app) => app.client_type],
  ['disabled', (app) => yesNo(app.disabled)],
]

/** Fields of a single app. */
export const allColumns: Column<AppJson>[] = [
  ...shortColumns,
  ['redirect URIs', (app) => listed(app.redirect_uris)],
  ['permissions', (app) => listed(app.permissions)],
  ['description', (app) => shown(app.description)],
  ['homepage', (app) => shown(app.homepage_uri)],
  ['OpenID', (app) => yesNo(app.openid)],
  ['device flow', (app) => yesNo(app.device_flow)],
  ['DPoP required', (app) => yesNo(app.dpop_bound_access_tokens)],
  ['reviewed', (app) => yesNo(app.reviewed)],
  ['post-logout URIs', (app) => listed(app.post_logout_redirect_uris)],
  ['retry window', (app) => `${app.retry_window_seconds} s`],
  ['registered', (app) => moment(app.created_at)],
]
