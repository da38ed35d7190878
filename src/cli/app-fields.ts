// Each setting of an app: its option, its line in what is shown, and whether a new successor gets it.
import { type AppSettings, appKinds } from '../core/clients/app-settings.ts'
import { securityProfiles } from '../core/clients/security-profile.ts'
import { signingAlgorithms } from '../core/clients/signing-algorithm.ts'
import { workloadName } from '../core/clients/workloads.ts'
import type { SnakeKeys } from '../core/language/case.ts'
import type { AppJson } from '../http/operator/app-schemas.ts'
import type { Input } from './action.ts'
import { readJson } from './json-file.ts'
import type { Option } from './option.ts'
import { type Column, listed, moment, shown, yesNo } from './output.ts'

interface SettingOption {
  name: string
  option: Option
  /** The value for the Operator API; undefined: the option is not given. */
  read(input: Input): unknown
}

interface Setting {
  /** Null: `create` and `update` have no option for it. */
  option: SettingOption | null
  /** Null: not shown, or one of the columns of a list. */
  column: Column<AppJson> | null
  /** A new successor of a legacy app gets the same value. */
  copied: boolean
}

const text = (name: string, value: string, help: string): SettingOption => ({
  name,
  option: { value, help },
  read: (input) => input.text(name),
})

const repeated = (name: string, value: string, help: string): SettingOption => ({
  name,
  option: { value, help, multiple: true },
  read: (input) => input.values(name),
})

const yesOrNo = (name: string, help: string): SettingOption => ({
  name,
  option: { value: 'yes|no', help },
  read: (input) => {
    const answer = input.choice(name, ['yes', 'no'])
    return answer && answer === 'yes'
  },
})

const seconds = (value: number | null) => (value === null ? 'default' : `${value} s`)

const settings: Record<keyof SnakeKeys<AppSettings>, Setting> = {
  name: { option: text('name', 'text', 'the name that people see'), column: null, copied: true },
  interface: { option: null, column: null, copied: false },
  client_type: {
    option: {
      name: 'type',
      option: { value: 'confidential|public', help: 'public: the app cannot keep a secret' },
      read: (input) => input.choice('type', ['confidential', 'public']),
    },
    column: null,
    copied: true,
  },
  redirect_uris: {
    option: repeated('redirect-uri', 'uri', 'target of codes; repeat for more, in order'),
    column: ['redirect URIs', (app) => listed(app.redirect_uris)],
    copied: true,
  },
  permissions: {
    option: {
      name: 'permissions',
      option: { value: 'a,b', multiple: true, help: 'the maximum that the app may request' },
      read: (input) => input.words('permissions'),
    },
    column: ['permissions', (app) => listed(app.permissions)],
    copied: false,
  },
  description: {
    option: text('description', 'text', 'one sentence for the consent page'),
    column: ['description', (app) => shown(app.description)],
    copied: true,
  },
  logo_uri: {
    option: text('logo-uri', 'uri', 'https; for your own pages'),
    column: null,
    copied: true,
  },
  homepage_uri: {
    option: text('homepage-uri', 'uri', 'https'),
    column: ['homepage', (app) => shown(app.homepage_uri)],
    copied: true,
  },
  policy_uri: {
    option: text('policy-uri', 'uri', 'its privacy policy; https'),
    column: null,
    copied: true,
  },
  tos_uri: {
    option: text('tos-uri', 'uri', 'its terms of service; https'),
    column: null,
    copied: true,
  },
  location: {
    option: text('location', 'uri', 'where it runs or is opened; https, or http on loopback'),
    column: ['location', (app) => shown(app.location)],
    copied: true,
  },
  kind: {
    option: {
      name: 'kind',
      option: {
        value: appKinds.join('|'),
        help: 'inside: in a frame of the platform; hybrid: inside and outside',
      },
      read: (input) => input.choice('kind', appKinds),
    },
    column: ['kind', (app) => shown(app.kind)],
    copied: true,
  },
  publisher: {
    option: text('publisher', 'text', 'who offers the app, as people see it'),
    column: ['publisher', (app) => shown(app.publisher)],
    copied: true,
  },
  listed: {
    option: yesOrNo('listed', 'show it in the directory of every organization (default: no)'),
    column: ['listed', (app) => yesNo(app.listed)],
    copied: false,
  },
  setup_uri: {
    option: {
      name: 'setup-uri',
      option: {
        value: 'uri|none',
        help: 'where an admin returns after installing it by a link (current, confidential)',
      },
      read: (input) => {
        const uri = input.text('setup-uri')
        return uri === 'none' ? null : uri
      },
    },
    column: ['setup URI', (app) => shown(app.setup_uri)],
    copied: false,
  },
  jwks: {
    option: {
      name: 'jwks-file',
      option: { value: 'path', help: 'public keys for private_key_jwt (current, confidential)' },
      read: (input) => {
        const path = input.text('jwks-file')
        return path === undefined ? undefined : readJson('jwks-file', path)
      },
    },
    column: null,
    copied: false,
  },
  jwks_uri: {
    option: {
      name: 'jwks-uri',
      option: {
        value: 'uri|none',
        help: 'where it publishes its public keys, instead of --jwks-file',
      },
      read: (input) => {
        const uri = input.text('jwks-uri')
        return uri === 'none' ? null : uri
      },
    },
    column: ['keys at', (app) => shown(app.jwks_uri)],
    copied: false,
  },
  workloads: {
    option: {
      name: 'workloads-file',
      option: {
        value: 'path',
        help: 'jobs that need no secret: JSON, up to 5 of {issuer, subject?, claims?, jwks_uri?}',
      },
      read: (input) => {
        const path = input.text('workloads-file')
        return path === undefined ? undefined : readJson('workloads-file', path)
      },
    },
    column: ['workloads', (app) => listed(app.workloads.map(workloadName))],
    copied: false,
  },
  openid: {
    option: yesOrNo('openid', 'allow OpenID Connect (current; default: no)'),
    column: ['OpenID', (app) => yesNo(app.openid)],
    copied: false,
  },
  id_token_signed_response_alg: {
    option: {
      name: 'openid-alg',
      option: {
        value: signingAlgorithms.join('|'),
        help: 'signature algorithm of its ID tokens (current; default: ES256)',
      },
      read: (input) => input.choice('openid-alg', signingAlgorithms),
    },
    column: ['ID tokens signed with', (app) => app.id_token_signed_response_alg],
    copied: false,
  },
  pkce_required: {
    option: yesOrNo(
      'require-pkce',
      'require PKCE; no only for a confidential OpenID app (current; default: yes)',
    ),
    column: ['PKCE required', (app) => yesNo(app.pkce_required)],
    copied: false,
  },
  require_pushed_authorization_requests: {
    option: yesOrNo('require-par', 'require pushed authorization requests (current; default: no)'),
    column: ['pushed requests required', (app) => yesNo(app.require_pushed_authorization_requests)],
    copied: false,
  },
  security_profile: {
    option: {
      name: 'security-profile',
      option: {
        value: securityProfiles.join('|'),
        help: 'fapi2: FAPI 2.0 Security Profile (current, confidential; default: none)',
      },
      read: (input) => input.choice('security-profile', securityProfiles),
    },
    column: ['security profile', (app) => app.security_profile],
    copied: false,
  },
  device_flow: {
    option: yesOrNo('device-flow', 'allow devices without a browser (current; default: no)'),
    column: ['device flow', (app) => yesNo(app.device_flow)],
    copied: false,
  },
  identity_assertions: {
    option: yesOrNo(
      'identity-assertions',
      "accept assertions of an organization's identity provider (current, confidential; default: no)",
    ),
    column: ['identity assertions', (app) => yesNo(app.identity_assertions)],
    copied: false,
  },
  dpop_bound_access_tokens: {
    option: yesOrNo(
      'require-dpop',
      'require a DPoP proof with each token request (current; default: no)',
    ),
    column: ['DPoP required', (app) => yesNo(app.dpop_bound_access_tokens)],
    copied: false,
  },
  reviewed: {
    option: yesOrNo(
      'reviewed',
      'you have checked its name and links (default: no; resets when they change)',
    ),
    column: ['reviewed', (app) => yesNo(app.reviewed)],
    copied: false,
  },
  post_logout_redirect_uris: {
    option: repeated(
      'post-logout-redirect-uri',
      'uri',
      'allowed target of a sign-out that the app requests; repeat for more',
    ),
    column: ['post-logout URIs', (app) => listed(app.post_logout_redirect_uris)],
    copied: false,
  },
  retry_window_seconds: {
    option: {
      name: 'retry-window',
      option: {
        value: 'seconds',
        help: 'a consumed refresh token returns its successor again; 0 to 60',
      },
      read: (input) => input.number('retry-window'),
    },
    column: ['retry window', (app) => `${app.retry_window_seconds} s`],
    copied: true,
  },
  access_token_seconds: {
    option: {
      name: 'access-token-seconds',
      option: {
        value: 'seconds|default',
        help: 'lifetime of its access tokens; 60 to that of the interface',
      },
      read: (input) =>
        input.text('access-token-seconds') === 'default'
          ? null
          : input.number('access-token-seconds'),
    },
    column: ['access tokens valid', (app) => seconds(app.access_token_seconds)],
    copied: false,
  },
  owners: {
    option: {
      name: 'owner',
      option: {
        value: 'user-id',
        multiple: true,
        help: 'a user who maintains the app under /developer; repeat for more, "" for none',
      },
      read: (input) => input.values('owner')?.filter(Boolean),
    },
    column: ['owners', (app) => listed(app.owners)],
    copied: true,
  },
  may_act: {
    option: {
      name: 'may-act',
      option: {
        value: 'client-id',
        multiple: true,
        help: 'an app that may act with its tokens (current); repeat for more, "" for none',
      },
      read: (input) => input.values('may-act')?.filter(Boolean),
    },
    column: ['apps that may act', (app) => listed(app.may_act)],
    copied: false,
  },
  disabled: { option: null, column: null, copied: false },
}

const entries = Object.entries(settings) as [keyof SnakeKeys<AppSettings>, Setting][]

/** The options of `create` and `update`. */
export const settingOptions: Record<string, Option> = Object.fromEntries(
  entries.flatMap(([, { option }]) => (option ? [[option.name, option.option]] : [])),
)

/** The given settings, by their names in the Operator API. */
export const readSettings = async (input: Input) => {
  const all = await Promise.all(
    entries.map(async ([name, { option }]) => [name, await option?.read(input)] as const),
  )
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** What a new successor gets from its legacy app. */
export const copiedSettings = (app: AppJson) =>
  Object.fromEntries(entries.flatMap(([name, { copied }]) => (copied ? [[name, app[name]]] : [])))

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
  ...entries.flatMap(([, { column }]) => (column ? [column] : [])),
  ['registered', (app) => moment(app.created_at)],
]
