// The schemas of apps: what requests may have, and what responses have.
import { type Static, Type } from 'typebox'
import {
  type AppKind,
  type AppSettings,
  appKinds,
  longestRetryWindow,
  mostActors,
  mostOwners,
  mostRedirectUris,
  type RequiredSettings,
} from '../../core/clients/app-settings.ts'
import type { RegisteredApp } from '../../core/clients/apps.ts'
import type { ClientType } from '../../core/clients/client-type.ts'
import { longestUri } from '../../core/clients/link.ts'
import { type SecurityProfile, securityProfiles } from '../../core/clients/security-profile.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../core/clients/signing-algorithm.ts'
import { longestTokenLifetime, shortestTokenLifetime } from '../../core/clients/token-lifetime.ts'
import type { FieldSchemas } from './json.ts'
import { jwks } from './jwks.ts'
import {
  changes,
  closed,
  description,
  id,
  interfaceName,
  legalLink,
  link,
  name,
  nullable,
  otherClientId,
  otherUserId,
  permissions,
  timestamp,
} from './schemas.ts'
import { workloadList } from './workloads.ts'

const clientType = Type.Unsafe<ClientType>({ type: 'string', enum: ['confidential', 'public'] })

const kind = Type.Unsafe<AppKind | null>({
  type: ['string', 'null'],
  enum: [...appKinds, null],
  description: 'inside: in a frame of the platform. outside: elsewhere. hybrid: both.',
})

const idTokenAlgorithm = Type.Unsafe<SigningAlgorithm>({
  type: 'string',
  enum: [...signingAlgorithms],
  description: 'Signature algorithm of its ID tokens. Current interface only.',
})

const securityProfile = Type.Unsafe<SecurityProfile>({
  type: 'string',
  enum: [...securityProfiles],
  description:
    'fapi2: FAPI 2.0 Security Profile, for confidential apps of the current interface. Needs jwks, and a retry window, ' +
    'which is then 60 seconds by default.',
})

const workloads = workloadList(
  'Workloads, such as CI jobs, whose tokens authenticate the app (client_assertion). Confidential apps of the current ' +
    'interface.',
)

const settings = {
  name,
  client_type: clientType,
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: longestUri }), {
    minItems: 1,
    maxItems: mostRedirectUris,
    'x-reason': 'redirect_uri',
    description: 'In a fixed order, without duplicates. The first is the default.',
  }),
  permissions,
} satisfies FieldSchemas<Omit<RequiredSettings, 'interface'>>

const options = {
  description: Type.Optional(description),
  logo_uri: Type.Optional(link),
  homepage_uri: Type.Optional(link),
  policy_uri: Type.Optional(legalLink),
  tos_uri: Type.Optional(legalLink),
  location: Type.Optional(
    nullable(
      Type.String({
        maxLength: longestUri,
        'x-reason': 'location',
        description: 'Where the app runs or is opened: https, or http on loopback.',
      }),
    ),
  ),
  kind: Type.Optional(kind),
  publisher: Type.Optional(nullable(name)),
  listed: Type.Optional(
    Type.Boolean({
      description: 'The directory "Apps you can install" of every organization shows the app.',
    }),
  ),
  setup_uri: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: longestUri,
        'x-reason': 'setup_uri',
        description:
          'Where an admin returns with an install_code after an installation that began with a link (/install). Rules as ' +
          'for redirect URIs. Confidential apps of the current interface only.',
      }),
    ),
  ),
  jwks: Type.Optional(nullable(jwks)),
  jwks_uri: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: longestUri,
        'x-reason': 'jwks_uri',
        description:
          'Where the app publishes its public keys for private_key_jwt, instead of jwks. A new key is accepted at once, a ' +
          'removed one is refused within a minute.',
      }),
    ),
  ),
  workloads: Type.Optional(workloads),
  retry_window_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: longestRetryWindow,
      description: 'Seconds in which a consumed refresh token returns the same successor again.',
    }),
  ),
  access_token_seconds: Type.Optional(
    nullable(
      Type.Integer({
        minimum: shortestTokenLifetime,
        maximum: longestTokenLifetime,
        description:
          'Lifetime of its access tokens, at most that of the interface (CURRENT_TOKEN_SECONDS, LEGACY_TOKEN_SECONDS). ' +
          'null: that of the interface.',
      }),
    ),
  ),
  owners: Type.Optional(
    Type.Array(otherUserId, {
      maxItems: mostOwners,
      description:
        'Users who maintain the app: they see it under /developer and replace its secret. Without duplicates. A disabled ' +
        'user cannot be added.',
    }),
  ),
  may_act: Type.Optional(
    Type.Array(otherClientId, {
      maxItems: mostActors,
      description:
        'Client ids of apps that may act with its access tokens: each exchanges one for a narrower token (RFC 8693), where ' +
        'it is installed too. Without duplicates. Current interface only.',
    }),
  ),
  openid: Type.Optional(
    Type.Boolean({
      description: 'The app may use OpenID Connect. Current interface only.',
    }),
  ),
  id_token_signed_response_alg: Type.Optional(idTokenAlgorithm),
  pkce_required: Type.Optional(
    Type.Boolean({
      description:
        'Authorization requests need a code_challenge (default). false only for a confidential OpenID app whose library ' +
        'cannot send one.',
    }),
  ),
  require_pushed_authorization_requests: Type.Optional(
    Type.Boolean({
      description: 'Authorization requests must be pushed (RFC 9126). Current interface only.',
    }),
  ),
  security_profile: Type.Optional(securityProfile),
  device_flow: Type.Optional(
    Type.Boolean({
      description: 'The app may use the device flow (RFC 8628). Current interface only.',
    }),
  ),
  identity_assertions: Type.Optional(
    Type.Boolean({
      description:
        "The app may present assertions of an organization's identity provider (ID-JAG). Confidential apps of the current " +
        'interface only.',
    }),
  ),
  dpop_bound_access_tokens: Type.Optional(
    Type.Boolean({
      description:
        'Each token request of the app needs a DPoP proof (RFC 9449). Current interface only.',
    }),
  ),
  reviewed: Type.Optional(
    Type.Boolean({
      description:
        'The operator has checked the name, description and links of the app. Pages then show "Reviewed" where the app can ' +
        'be recognised. A change of name, description, link, location, kind, publisher or client type, a new redirect URI, ' +
        'more permissions, OpenID and the device flow reset it, unless the same request sets it to true.',
    }),
  ),
  post_logout_redirect_uris: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: longestUri }), {
      maxItems: mostRedirectUris,
      description: 'Allowed targets after a sign-out that the app requests.',
    }),
  ),
} satisfies FieldSchemas<Omit<AppSettings, keyof RequiredSettings | 'disabled'>>

export const newApp = closed({ ...settings, ...options, interface: interfaceName })
export const appPatch = changes({ ...settings, ...options, disabled: Type.Boolean() })

export const appFields = {
  client_id: id,
  name: Type.String(),
  interface: interfaceName,
  client_type: clientType,
  redirect_uris: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
  description: nullable(Type.String()),
  logo_uri: nullable(Type.String()),
  homepage_uri: nullable(Type.String()),
  policy_uri: nullable(Type.String()),
  tos_uri: nullable(Type.String()),
  location: nullable(Type.String()),
  kind,
  publisher: nullable(Type.String()),
  listed: Type.Boolean(),
  setup_uri: nullable(Type.String()),
  jwks: Type.Unsafe<AppSettings['jwks']>(nullable(jwks)),
  jwks_uri: nullable(Type.String()),
  workloads,
  retry_window_seconds: Type.Integer(),
  access_token_seconds: nullable(Type.Integer()),
  owners: Type.Array(id),
  may_act: Type.Array(id),
  openid: Type.Boolean(),
  id_token_signed_response_alg: idTokenAlgorithm,
  pkce_required: Type.Boolean(),
  require_pushed_authorization_requests: Type.Boolean(),
  security_profile: securityProfile,
  device_flow: Type.Boolean(),
  identity_assertions: Type.Boolean(),
  dpop_bound_access_tokens: Type.Boolean(),
  reviewed: Type.Boolean(),
  reviewed_at: nullable(timestamp),
  post_logout_redirect_uris: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  created_at: timestamp,
  updated_at: timestamp,
} satisfies FieldSchemas<Omit<RegisteredApp, 'familiesEpoch' | 'logoDigest'>>

export const appSchema = Type.Object(appFields, {
  $id: 'App',
  description: 'A registered OAuth client.',
})
export type AppJson = Static<typeof appSchema>

export const createdAppSchema = Type.Object(
  {
    ...appFields,
    client_secret: Type.Optional(
      Type.String({ description: 'Confidential apps only. Shown only once.' }),
    ),
  },
  { $id: 'CreatedApp', description: 'A registered OAuth client and its first secret.' },
)
export type CreatedAppJson = Static<typeof createdAppSchema>

const anyValue = Type.Unsafe<unknown>({ description: 'null: none.' })

/** A setting of an app that a change or a document would change. */
export const settingChange = Type.Object({
  field: Type.String(),
  before: anyValue,
  after: anyValue,
})
export type SettingChangeJson = Static<typeof settingChange>
