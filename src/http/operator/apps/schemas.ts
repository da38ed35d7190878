// The schemas of apps: what requests may have, and what responses have.
import { type Static, type TSchema, Type } from 'typebox'
import {
  type AppSettings,
  appKinds,
  defaultSettings,
  longestRetryWindow,
  mostActors,
  mostOwners,
  mostRedirectUris,
  type RequiredSettings,
} from '../../../core/clients/app-settings.ts'
import type { RegisteredApp } from '../../../core/clients/apps.ts'
import { longestUri } from '../../../core/clients/link.ts'
import { securityProfiles } from '../../../core/clients/security-profile.ts'
import { signingAlgorithms } from '../../../core/clients/signing-algorithm.ts'
import {
  longestTokenLifetime,
  shortestTokenLifetime,
} from '../../../core/clients/token-lifetime.ts'
import { camelCase } from '../../../core/language/case.ts'
import { type FieldSchemas, jsonOf } from '../json.ts'
import { workloadList } from '../organizations/workloads.ts'
import * as api from '../schemas.ts'
import { jwks } from '../tokens/jwks.ts'

/** Of SHA-256, in hexadecimal digits. */
const digestLength = 64

const clientType = api.oneOf(['confidential', 'public'])

const kind = api.oneOfOrNull(appKinds, {
  description: 'inside: in a frame of the platform. outside: elsewhere. hybrid: both.',
})

const idTokenAlgorithm = api.oneOf(signingAlgorithms, {
  description: 'Signature algorithm of its ID tokens. Current interface only.',
})

const securityProfile = api.oneOf(securityProfiles, {
  description:
    'fapi2: FAPI 2.0 Security Profile, for confidential apps of the current interface. Needs jwks, and a retry window, ' +
    'which is then 60 seconds by default.',
})

export const optionalPermissions = Type.Unsafe<string[] | null>({
  ...api.permissions,
  type: ['array', 'null'],
  description:
    'Permissions that the app can do without. It requires the others: an install or a consent cannot leave them out. ' +
    'null: it can do without each.',
})

export const retryWindow = Type.Integer({
  minimum: 0,
  maximum: longestRetryWindow,
  description: 'Seconds in which a consumed refresh token returns the same successor again.',
})

export const accessTokenLifetime = api.nullable(
  Type.Integer({
    minimum: shortestTokenLifetime,
    maximum: longestTokenLifetime,
    description:
      'Lifetime of its access tokens, at most that of the interface (CURRENT_TOKEN_SECONDS, LEGACY_TOKEN_SECONDS). ' +
      'null: that of the interface.',
  }),
)

const workloads = workloadList(
  'Workloads, such as CI jobs, whose tokens authenticate the app (client_assertion). Confidential apps of the current ' +
    'interface.',
)

const settings = {
  name: api.name,
  client_type: clientType,
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: longestUri }), {
    minItems: 1,
    maxItems: mostRedirectUris,
    'x-reason': 'redirect_uri',
    description: 'In a fixed order, without duplicates. The first is the default.',
  }),
  permissions: api.permissions,
} satisfies FieldSchemas<Omit<RequiredSettings, 'interface'>>

const yesOrNo = (description: string) => Type.Boolean({ description })

const permissionReasons = Type.Unsafe<AppSettings['permissionReasons']>({
  type: 'object',
  maxProperties: api.mostPermissions,
  additionalProperties: api.sentenceSchema(
    'Why the app needs it: one text, or texts by language tag. Plain text.',
  ),
  description: 'Why the app needs a permission, by its name. Pages show it beside the permission.',
})

const uploadedLogo = api.nullable(
  Type.String({
    minLength: digestLength,
    maxLength: digestLength,
    'x-reason': 'logo_upload',
    description:
      'Digest of a logo that was uploaded in the console or by an owner of the app, instead of logo_uri. The one of the ' +
      'two that a request names takes the place of the other. null removes it.',
  }),
)

const options = {
  optional_permissions: optionalPermissions,
  permission_reasons: permissionReasons,
  description: api.description,
  logo_uri: api.link,
  uploaded_logo: uploadedLogo,
  homepage_uri: api.link,
  policy_uri: api.legalLink,
  tos_uri: api.legalLink,
  location: api.nullable(
    Type.String({
      maxLength: longestUri,
      'x-reason': 'location',
      description: 'Where the app runs or is opened: https, or http on loopback.',
    }),
  ),
  kind,
  publisher: api.nullable(api.name),
  listed: yesOrNo('The directory "Apps you can install" of every organization shows the app.'),
  setup_uri: api.nullable(
    api.uri(
      'setup_uri',
      'Where an admin returns with an install_code after an installation that began with a link (/install). Rules as ' +
        'for redirect URIs. Confidential apps of the current interface only.',
    ),
  ),
  jwks: api.nullable(jwks),
  jwks_uri: api.nullable(
    api.uri(
      'jwks_uri',
      'Where the app publishes its public keys for private_key_jwt, instead of jwks. A new key is accepted at once, a ' +
        'removed one is refused within a minute.',
    ),
  ),
  workloads,
  retry_window_seconds: retryWindow,
  access_token_seconds: accessTokenLifetime,
  owners: Type.Array(api.otherUserId, {
    maxItems: mostOwners,
    description:
      'Users who maintain the app: they see it under /developer and replace its secret. Without duplicates. A disabled ' +
      'user cannot be added.',
  }),
  may_act: Type.Array(api.otherClientId, {
    maxItems: mostActors,
    description:
      'Client ids of apps that may act with its access tokens: each exchanges one for a narrower token (RFC 8693), where ' +
      'it is installed too. Without duplicates. Current interface only.',
  }),
  openid: yesOrNo('The app may use OpenID Connect. Current interface only.'),
  id_token_signed_response_alg: idTokenAlgorithm,
  pkce_required: yesOrNo(
    'Authorization requests need a code_challenge (default). false only for a confidential OpenID app whose library ' +
      'cannot send one.',
  ),
  require_pushed_authorization_requests: yesOrNo(
    'Authorization requests must be pushed (RFC 9126). Current interface only.',
  ),
  security_profile: securityProfile,
  device_flow: yesOrNo('The app may use the device flow (RFC 8628). Current interface only.'),
  identity_assertions: yesOrNo(
    "The app may present assertions of an organization's identity provider (ID-JAG). Confidential apps of the current " +
      'interface only.',
  ),
  dpop_bound_access_tokens: yesOrNo(
    'Each token request of the app needs a DPoP proof (RFC 9449). Current interface only.',
  ),
  reviewed: yesOrNo(
    'The operator has checked the name, description and links of the app. Pages then show "Reviewed" where the app can ' +
      'be recognised. A change of name, description, link, location, kind, publisher or client type, a new redirect URI, ' +
      'more permissions, OpenID and the device flow reset it, unless the same request sets it to true.',
  ),
  post_logout_redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: longestUri }), {
    maxItems: mostRedirectUris,
    description: 'Allowed targets after a sign-out that the app requests.',
  }),
} satisfies FieldSchemas<Omit<AppSettings, keyof RequiredSettings | 'disabled'>>

/** The fields, each with the value that an app has without it. */
const withDefaults = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      { ...schema, default: defaultSettings[camelCase(name) as keyof typeof defaultSettings] },
    ]),
  ) as unknown as Fields
const described = withDefaults({ ...options, disabled: Type.Boolean() })
const { disabled: _, ...registered } = described

export const newApp = api.closed({
  ...settings,
  ...api.optional(registered),
  interface: api.interfaceName,
})
export const appPatch = api.changes({ ...settings, ...described })

/** What an answer says of a setting: texts, numbers and lists of texts without the limits and words of requests. */
const shownOf = (schema: TSchema): TSchema => {
  const { type, items, ...rest } = schema as { type?: unknown; items?: { type?: unknown } }
  if ('enum' in rest || [type].flat().includes('object') || items?.type === 'object') return schema
  return { type, ...(items && { items: { type: items.type } }) }
}
const shown = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, shownOf(schema)]),
  ) as unknown as Fields
const { name, ...shownSettings } = shown(settings)
const { post_logout_redirect_uris, ...shownOptions } = shown(options)

export const appSchema = api.component('App', 'A registered OAuth client.', {
  client_id: api.id,
  name,
  interface: api.interfaceName,
  ...shownSettings,
  ...shownOptions,
  permission_reasons: Type.Unsafe<AppSettings['permissionReasons']>({
    type: 'object',
    additionalProperties: api.shownSentence,
  }),
  jwks: Type.Unsafe<AppSettings['jwks']>(api.nullable(jwks)),
  owners: Type.Array(api.id),
  may_act: Type.Array(api.id),
  reviewed_at: api.nullable(api.timestamp),
  post_logout_redirect_uris,
  disabled: Type.Boolean(),
  created_at: api.timestamp,
  updated_at: api.timestamp,
} satisfies FieldSchemas<Omit<RegisteredApp, 'admitted' | 'familiesEpoch' | 'logoDigest'>>)
export type AppJson = Static<typeof appSchema>

export const appJson = jsonOf(appSchema)

/** The app of a decision. */
export const appOrNull = (description: string) =>
  Type.Unsafe<AppJson | null>({ anyOf: [{ $ref: 'App#' }, { type: 'null' }], description })

export const createdAppSchema = api.component(
  'CreatedApp',
  'A registered OAuth client and its first secret.',
  {
    ...appSchema.properties,
    client_secret: Type.Optional(
      Type.String({ description: 'Confidential apps only. Shown only once.' }),
    ),
  },
)
export type CreatedAppJson = Static<typeof createdAppSchema>
