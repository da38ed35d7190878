import type { App } from '../../../core/clients/app.ts'
import type { AppSettings } from '../../../core/clients/app-settings.ts'
import type { RegisteredApp } from '../../../core/clients/apps.ts'
import { type Columns, column, computed, json, selected, since } from '../connection/columns.ts'

const requested: Columns<App> = {
  clientId: column,
  name: column,
  interface: column,
  clientType: column,
  redirectUris: column,
  permissions: column,
  openid: column,
  idTokenSignedResponseAlg: column,
  pkceRequired: column,
  requirePushedAuthorizationRequests: column,
  securityProfile: column,
  deviceFlow: column,
  identityAssertions: column,
  dpopBoundAccessTokens: column,
  reviewed: since('reviewed_at'),
  description: column,
  logoUri: column,
  logoDigest: column,
  homepageUri: column,
  policyUri: column,
  tosUri: column,
  location: column,
  kind: column,
  publisher: column,
  listed: column,
  setupUri: column,
  jwks: json,
  jwksUri: column,
  workloads: json,
  retryWindowSeconds: column,
  accessTokenSeconds: column,
  familiesEpoch: column,
  disabled: since('disabled_at'),
}

/** A row of `apps` as registered. */
export const registeredColumns: Columns<RegisteredApp> = {
  ...requested,
  postLogoutRedirectUris: column,
  mayAct: column,
  owners: computed(
    'array(select user_id from app_owners where client_id = apps.client_id order by position)',
  ),
  reviewedAt: column,
  createdAt: column,
  updatedAt: column,
}

const {
  clientId: _id,
  familiesEpoch: _epoch,
  logoDigest: _digest,
  ...requestedSettings
} = requested

/** The settings of an app in its own row. */
export const settingColumns: Columns<Omit<AppSettings, 'owners'>> = {
  ...requestedSettings,
  postLogoutRedirectUris: registeredColumns.postLogoutRedirectUris,
  mayAct: registeredColumns.mayAct,
}

/** An app `a` with `appJoins`. */
export const appJson = 'to_json(app)'

/** An app `a` as one column of a query that joins it with other tables: `select ${appColumn} from apps a ${appJoins}`. */
export const appColumn = `${appJson} as app`
export const appJoins = `cross join lateral (select ${selected(requested, 'a')}) app`

export interface AppRow {
  app: App
}
