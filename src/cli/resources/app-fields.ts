// What the command line knows of each setting of an app: its option, its line in what is shown, and whether a new
// successor gets it.
import { type AppSettings, appKinds } from '../../core/clients/app-settings.ts'
import { securityProfiles } from '../../core/clients/security-profile.ts'
import { signingAlgorithms } from '../../core/clients/signing-algorithm.ts'
import { workloadName } from '../../core/clients/workloads.ts'
import type { SnakeKeys } from '../../core/language/case.ts'
import type { AppJson, CreatedAppJson } from '../../http/operator/apps/schemas.ts'
import { type Column, columnsOf, listed } from '../output.ts'
import {
  choice,
  jsonFile,
  number,
  repeated,
  repeatedOrNone,
  type Setting,
  text,
  textOrNone,
  words,
  wordsOrAll,
  workloads,
  yesOrNo,
} from '../setting.ts'

type FieldName = keyof SnakeKeys<AppSettings>

const seconds = 'lifetime of its access tokens; 60 to that of the interface'

/** What `create` and `update` may set. Only `create` has `interface`, and `disabled` has actions of its own. */
export const settings = {
  name: text('name <text>', 'the name that people see'),
  client_type: choice('type', ['confidential', 'public'], 'public: the app cannot keep a secret'),
  redirect_uris: repeated('redirect-uri <uri>', 'target of codes; repeat for more, in order'),
  permissions: words('permissions <a,b>', 'the maximum that the app may request'),
  optional_permissions: wordsOrAll(
    'optional-permissions <a,b|all>',
    'those that it can do without; it requires the others (default: all)',
  ),
  permission_reasons: jsonFile(
    'permission-reasons-file <path>',
    'why it needs them: JSON, {"permission": "sentence"}',
  ),
  description: text('description <text>', 'one sentence for the consent page'),
  logo_uri: text('logo-uri <uri>', 'https; for your own pages'),
  uploaded_logo: textOrNone(
    'uploaded-logo <digest|none>',
    'a logo that was uploaded; none removes it',
  ),
  homepage_uri: text('homepage-uri <uri>', 'https'),
  policy_uri: text('policy-uri <uri>', 'its privacy policy; https'),
  tos_uri: text('tos-uri <uri>', 'its terms of service; https'),
  location: text('location <uri>', 'where it runs or is opened; https, or http on loopback'),
  kind: choice('kind', appKinds, 'inside: in a frame of the platform; hybrid: inside and outside'),
  publisher: text('publisher <text>', 'who offers the app, as people see it'),
  listed: yesOrNo('listed', 'show it in the directory of every organization (default: no)'),
  setup_uri: textOrNone(
    'setup-uri <uri|none>',
    'where an admin returns after installing it by a link (current, confidential)',
  ),
  jwks: jsonFile('jwks-file <path>', 'public keys for private_key_jwt (current, confidential)'),
  jwks_uri: textOrNone(
    'jwks-uri <uri|none>',
    'where it publishes its public keys, instead of --jwks-file',
  ),
  workloads,
  openid: yesOrNo('openid', 'allow OpenID Connect (current; default: no)'),
  id_token_signed_response_alg: choice(
    'openid-alg',
    signingAlgorithms,
    'signature algorithm of its ID tokens (current; default: ES256)',
  ),
  pkce_required: yesOrNo(
    'require-pkce',
    'require PKCE; no only for a confidential OpenID app (current; default: yes)',
  ),
  require_pushed_authorization_requests: yesOrNo(
    'require-par',
    'require pushed authorization requests (current; default: no)',
  ),
  security_profile: choice(
    'security-profile',
    securityProfiles,
    'fapi2: FAPI 2.0 Security Profile (current, confidential; default: none)',
  ),
  device_flow: yesOrNo('device-flow', 'allow devices without a browser (current; default: no)'),
  identity_assertions: yesOrNo(
    'identity-assertions',
    "accept assertions of an organization's identity provider (current, confidential; default: no)",
  ),
  dpop_bound_access_tokens: yesOrNo(
    'require-dpop',
    'require a DPoP proof with each token request (current; default: no)',
  ),
  reviewed: yesOrNo(
    'reviewed',
    'you have checked its name and links (default: no; resets when they change)',
  ),
  post_logout_redirect_uris: repeated(
    'post-logout-redirect-uri <uri>',
    'allowed target of a sign-out that the app requests; repeat for more',
  ),
  retry_window_seconds: number(
    'retry-window <seconds>',
    'a consumed refresh token returns its successor again; 0 to 60',
  ),
  access_token_seconds: {
    ...number('access-token-seconds <seconds|default>', seconds),
    read: (input) =>
      input.text('access-token-seconds') === 'default'
        ? null
        : input.number('access-token-seconds'),
  },
  owners: repeatedOrNone(
    'owner <user-id>',
    'a user who maintains the app under /developer; repeat for more, "" for none',
  ),
  may_act: repeatedOrNone(
    'may-act <client-id>',
    'an app that may act with its tokens (current); repeat for more, "" for none',
  ),
} satisfies Record<Exclude<FieldName, 'interface' | 'disabled'>, Setting>

/** What a new successor gets from its legacy app. */
export const copiedSettings = (app: AppJson) => {
  const { name, client_type, redirect_uris, description, kind, publisher, location, owners } = app
  const { logo_uri, homepage_uri, policy_uri, tos_uri, retry_window_seconds } = app
  return {
    ...{ name, client_type, redirect_uris, description, kind, publisher, location, owners },
    ...{ logo_uri, homepage_uri, policy_uri, tos_uri, retry_window_seconds },
  }
}

export const shortColumns = columnsOf<AppJson>(
  'client_id',
  'name',
  'interface',
  ['client_type', 'type'],
  'disabled',
)

export const allColumns: Column<AppJson>[] = [
  ...shortColumns,
  ...columnsOf<AppJson>(
    ['redirect_uris', 'redirect URIs'],
    'permissions',
    ['optional_permissions', 'can do without'],
    'description',
    ['homepage_uri', 'homepage'],
    'location',
    'kind',
    'publisher',
    'listed',
    ['setup_uri', 'setup URI'],
    ['jwks_uri', 'keys at'],
  ),
  ['workloads', (app) => listed(app.workloads.map(workloadName))],
  ...columnsOf<AppJson>(
    ['openid', 'OpenID'],
    ['id_token_signed_response_alg', 'ID tokens signed with'],
    ['pkce_required', 'PKCE required'],
    ['require_pushed_authorization_requests', 'pushed requests required'],
    'security_profile',
    'device_flow',
    'identity_assertions',
    ['dpop_bound_access_tokens', 'DPoP required'],
    'reviewed',
    ['post_logout_redirect_uris', 'post-logout URIs'],
  ),
  ['retry window', (app) => `${app.retry_window_seconds} s`],
  ['access tokens valid', ({ access_token_seconds: s }) => (s === null ? 'default' : `${s} s`)],
  ...columnsOf<AppJson>('owners', ['may_act', 'apps that may act'], ['created_at', 'registered']),
]

/** All columns, with the secret of a new confidential app. */
export const createdColumns = ({ client_secret: secret }: CreatedAppJson): Column<AppJson>[] =>
  secret ? [...allColumns, ['client secret', () => secret]] : allColumns
