import type { App } from '../../../core/clients/app.ts'
import type { AppSettings } from '../../../core/clients/app-settings.ts'
import type { RegisteredApp } from '../../../core/clients/apps.ts'
import {
  type Columns,
  column,
  computed,
  json,
  plain,
  selected,
  since,
} from '../connection/columns.ts'
import type { List } from '../connection/lists.ts'

/** Settings that requests of the app need. */
const requestedSettings: Columns<
  Omit<App, 'clientId' | 'logoDigest' | 'admitted' | 'familiesEpoch'>
> = {
  ...plain('name', 'interface', 'clientType', 'redirectUris', 'permissions'),
  optionalPermissions: column,
  permissionReasons: json,
  ...plain('openid', 'idTokenSignedResponseAlg', 'pkceRequired'),
  ...plain('requirePushedAuthorizationRequests', 'securityProfile', 'deviceFlow'),
  ...plain('identityAssertions', 'dpopBoundAccessTokens'),
  reviewed: since('reviewed_at'),
  ...plain('description', 'logoUri', 'homepageUri', 'policyUri', 'tosUri'),
  ...plain('location', 'kind', 'publisher', 'listed', 'setupUri'),
  jwks: json,
  jwksUri: column,
  workloads: json,
  ...plain('retryWindowSeconds', 'accessTokenSeconds'),
  disabled: since('disabled_at'),
}
const requested: Columns<App> = {
  ...requestedSettings,
  ...plain('clientId', 'logoDigest', 'admitted', 'familiesEpoch'),
}
const otherSettings = plain('postLogoutRedirectUris', 'mayAct', 'uploadedLogo')

export const registeredColumns: Columns<RegisteredApp> = {
  ...requested,
  ...otherSettings,
  owners: computed(
    'array(select user_id from app_owners where client_id = apps.client_id order by position)',
  ),
  ...plain('reviewedAt', 'createdAt', 'updatedAt'),
}

export const apps = {
  ...{ table: 'apps', key: 'client_id', columns: selected(registeredColumns) },
  orders: { name: 'lower(name)' },
  filters: {
    name: 'position(lower(?) in lower(name)) > 0',
    interface: 'interface = ?',
    reviewed: '(reviewed_at is not null) = ?::boolean',
    disabled: '(disabled_at is not null) = ?::boolean',
  },
  finds: 'app',
} satisfies List

/** The settings of an app in its own row. */
export const settingColumns: Columns<Omit<AppSettings, 'owners'>> = {
  ...requestedSettings,
  ...otherSettings,
}

/** An app `a` with `appJoins`. */
export const appJson = 'to_json(app)'

/** An app `a` as one column of a query that joins it with other tables: `select ${appColumn} from apps a ${appJoins}`. */
export const appColumn = `${appJson} as app`
export const appJoins = `cross join lateral (select ${selected(requested, 'a')}) app`

export interface AppRow {
  app: App
}
