// Each setting of an app: its option, its line in what is shown, and whether a new successor gets it.
import { type AppSettings, appKinds } from '../../core/clients/app-settings.ts'
import { securityProfiles } from '../../core/clients/security-profile.ts'
import { signingAlgorithms } from '../../core/clients/signing-algorithm.ts'
import { workloadName } from '../../core/clients/workloads.ts'
import type { SnakeKeys } from '../../core/language/case.ts'
import type { AppJson, CreatedAppJson } from '../../http/operator/apps/schemas.ts'
import { type Column, listed, moment, shown, yesNo } from '../output.ts'
import {
  choice,
  jsonFile,
  number,
  repeated,
  repeatedOrNone,
  type Setting,
  type Settings,
  text,
  textOrNone,
  words,
  workloads,
  yesOrNo,
} from '../setting.ts'

type FieldName = keyof SnakeKeys<AppSettings>

interface Field {
  /** Missing: `create` and `update` have no option for it. */
  setting?: Setting
  /** Missing: not shown, or one of the columns of a list. */
  heading?: string
  /** What is shown, if it is not just the value. */
  shown?(app: AppJson): string
  /** A new successor of a legacy app gets the same value. */
  copied?: true
}

const accessTokenSeconds: Setting = {
  ...number(
    'access-token-seconds',
    'seconds|default',
    'lifetime of its access tokens; 60 to that of the interface',
  ),
  read: (input) =>
    input.text('access-token-seconds') === 'default' ? null : input.number('access-token-seconds'),
}

const fields: Record<FieldName, Field> = {
  name: { setting: text('name', 'text', 'the name that people see'), copied: true },
  interface: {},
  client_type: {
    setting: choice('type', ['confidential', 'public'], 'public: the app cannot keep a secret'),
    copied: true,
  },
  redirect_uris: {
    setting: repeated('redirect-uri', 'uri', 'target of codes; repeat for more, in order'),
    heading: 'redirect URIs',
    copied: true,
  },
  permissions: {
    setting: words('permissions', 'a,b', 'the maximum that the app may request'),
    heading: 'permissions',
  },
  description: {
    setting: text('description', 'text', 'one sentence for the consent page'),
    heading: 'description',
    copied: true,
  },
  logo_uri: { setting: text('logo-uri', 'uri', 'https; for your own pages'), copied: true },
  homepage_uri: {
    setting: text('homepage-uri', 'uri', 'https'),
    heading: 'homepage',
    copied: true,
  },
  policy_uri: { setting: text('policy-uri', 'uri', 'its privacy policy; https'), copied: true },
  tos_uri: { setting: text('tos-uri', 'uri', 'its terms of service; https'), copied: true },
  location: {
    setting: text('location', 'uri', 'where it runs or is opened; https, or http on loopback'),
    heading: 'location',
    copied: true,
  },
  kind: {
    setting: choice(
      'kind',
      appKinds,
      'inside: in a frame of the platform; hybrid: inside and outside',
    ),
    heading: 'kind',
    copied: true,
  },
  publisher: {
    setting: text('publisher', 'text', 'who offers the app, as people see it'),
    heading: 'publisher',
    copied: true,
  },
  listed: {
    setting: yesOrNo('listed', 'show it in the directory of every organization (default: no)'),
    heading: 'listed',
  },
  setup_uri: {
    setting: textOrNone(
      'setup-uri',
      'uri|none',
      'where an admin returns after installing it by a link (current, confidential)',
    ),
    heading: 'setup URI',
  },
  jwks: {
    setting: jsonFile(
      'jwks-file',
      'path',
      'public keys for private_key_jwt (current, confidential)',
    ),
  },
  jwks_uri: {
    setting: textOrNone(
      'jwks-uri',
      'uri|none',
      'where it publishes its public keys, instead of --jwks-file',
    ),
    heading: 'keys at',
  },
  workloads: {
    setting: workloads,
    heading: 'workloads',
    shown: (app) => listed(app.workloads.map(workloadName)),
  },
  openid: {
    setting: yesOrNo('openid', 'allow OpenID Connect (current; default: no)'),
    heading: 'OpenID',
  },
  id_token_signed_response_alg: {
    setting: choice(
      'openid-alg',
      signingAlgorithms,
      'signature algorithm of its ID tokens (current; default: ES256)',
    ),
    heading: 'ID tokens signed with',
  },
  pkce_required: {
    setting: yesOrNo(
      'require-pkce',
      'require PKCE; no only for a confidential OpenID app (current; default: yes)',
    ),
    heading: 'PKCE required',
  },
  require_pushed_authorization_requests: {
    setting: yesOrNo('require-par', 'require pushed authorization requests (current; default: no)'),
    heading: 'pushed requests required',
  },
  security_profile: {
    setting: choice(
      'security-profile',
      securityProfiles,
      'fapi2: FAPI 2.0 Security Profile (current, confidential; default: none)',
    ),
    heading: 'security profile',
  },
  device_flow: {
    setting: yesOrNo('device-flow', 'allow devices without a browser (current; default: no)'),
    heading: 'device flow',
  },
  identity_assertions: {
    setting: yesOrNo(
      'identity-assertions',
      "accept assertions of an organization's identity provider (current, confidential; default: no)",
    ),
    heading: 'identity assertions',
  },
  dpop_bound_access_tokens: {
    setting: yesOrNo(
      'require-dpop',
      'require a DPoP proof with each token request (current; default: no)',
    ),
    heading: 'DPoP required',
  },
  reviewed: {
    setting: yesOrNo(
      'reviewed',
      'you have checked its name and links (default: no; resets when they change)',
    ),
    heading: 'reviewed',
  },
  post_logout_redirect_uris: {
    setting: repeated(
      'post-logout-redirect-uri',
      'uri',
      'allowed target of a sign-out that the app requests; repeat for more',
    ),
    heading: 'post-logout URIs',
  },
  retry_window_seconds: {
    setting: number(
      'retry-window',
      'seconds',
      'a consumed refresh token returns its successor again; 0 to 60',
    ),
    heading: 'retry window',
    shown: (app) => `${app.retry_window_seconds} s`,
    copied: true,
  },
  access_token_seconds: {
    setting: accessTokenSeconds,
    heading: 'access tokens valid',
    shown: ({ access_token_seconds: given }) => (given === null ? 'default' : `${given} s`),
  },
  owners: {
    setting: repeatedOrNone(
      'owner',
      'user-id',
      'a user who maintains the app under /developer; repeat for more, "" for none',
    ),
    heading: 'owners',
    copied: true,
  },
  may_act: {
    setting: repeatedOrNone(
      'may-act',
      'client-id',
      'an app that may act with its tokens (current); repeat for more, "" for none',
    ),
    heading: 'apps that may act',
  },
  disabled: {},
}

const entries = Object.entries(fields) as [FieldName, Field][]

/** What `create` and `update` may set. */
export const settings: Settings = Object.fromEntries(
  entries.flatMap(([name, { setting }]) => (setting ? [[name, setting]] : [])),
)

/** What a new successor gets from its legacy app. */
export const copiedSettings = (app: AppJson) =>
  Object.fromEntries(entries.flatMap(([name, { copied }]) => (copied ? [[name, app[name]]] : [])))

const valueText = (value: unknown): string => {
  if (typeof value === 'boolean') return yesNo(value)
  return Array.isArray(value) ? listed(value) : shown(value as string | null)
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
  ...entries.flatMap(([name, { heading, shown }]): Column<AppJson>[] =>
    heading ? [[heading, shown ?? ((app) => valueText(app[name]))]] : [],
  ),
  ['registered', (app) => moment(app.created_at)],
]

/** The same, with the secret of a new confidential app. */
export const createdColumns = ({ client_secret: secret }: CreatedAppJson): Column<AppJson>[] =>
  secret ? [...allColumns, ['client secret', () => secret]] : allColumns
