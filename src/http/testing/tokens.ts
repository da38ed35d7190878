// Tokens of a test server: those of the real one, and with the same keys those that it would never issue.
import { createHmac } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { type Static, Type } from 'typebox'
import { auditEvent, byServer } from '../../core/audit/audit.ts'
import { comparableResources } from '../../core/clients/resources.ts'
import { type CompactJws, readCompactJws } from '../../core/crypto/compact-jws.ts'
import { newSecret } from '../../core/crypto/identifiers.ts'
import { randomText } from '../../core/crypto/random.ts'
import { narrowedTo } from '../../core/grants/approval.ts'
import type { ConnectionKey } from '../../core/grants/connections.ts'
import { type GrantIssuance, newGrantId } from '../../core/grants/issue.ts'
import { subjectOf } from '../../core/grants/redeem.ts'
import type { RevocationStore } from '../../core/grants/revocation.ts'
import type { GrantStore } from '../../core/grants/store.ts'
import { faultAt } from '../../core/language/faults.ts'
import { Invalid } from '../../core/language/service-errors.ts'
import type { AccessTokenClaims, Delegated } from '../../core/tokens/access-token-claims.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import { createJwtSigner } from '../../core/tokens/jwt.ts'
import type { SigningKeys } from '../../core/tokens/signing-keys.ts'

/** A line of the seed, as in its file. */
export type SeedLine = Readonly<Record<string, string>>

const text = Type.String({ minLength: 1, maxLength: 2048 })
const texts = Type.Array(text, { maxItems: 200 })
const oneOrMore = Type.Union([text, texts])
/** From now, also negative. */
export const seconds = Type.Integer({ minimum: -1e9, maximum: 1e9 })

/** What is absent comes from the first line of the seed that fits. `act` has the last actor first (RFC 8693 §4.1). */
export const tokenRequest = Type.Object(
  {
    kind: Type.Enum(['user', 'install', 'self_signed', 'key_set']),
    ...Type.Partial(
      Type.Object({
        ...{ interface: Type.Enum(['current', 'legacy']), typ: text, issuer: text },
        ...{ client: text, organization: text, user: text, permissions: texts, workspaces: texts },
        ...{ expires_in: seconds, not_before: seconds, other_organization: Type.Boolean() },
        // The token alone, or what ends with an app, a user or a connection of its own.
        revoked: Type.Union([Type.Boolean(), Type.Enum(['app', 'user', 'connection'])]),
        ...{ audience: oneOrMore, act: oneOrMore, dpop_jwk: Type.Object({}) },
      }),
    ).properties,
  },
  { additionalProperties: false },
)
export type TestTokenRequest = Static<typeof tokenRequest>

const unknown = {
  client: 'unknown_app',
  act: 'unknown_app',
  organization: 'unknown_organization',
  user: 'unknown_user',
  dpop_jwk: 'jwks',
} as const

const everything = { scope: undefined, workspaceIds: undefined }

/** @throws Invalid for null */
const known = <Value>(value: Value | null | undefined, field: keyof typeof unknown): Value => {
  if (value != null) return value
  const detail = 'is unknown, or the other fields do not fit it'
  throw new Invalid([faultAt(`/${field}`, unknown[field], detail)])
}

/** Claims as the request wants them, whatever a server would choose. @param now seconds since 1970 */
const wantedClaims = (
  { expires_in, not_before, issuer, audience }: TestTokenRequest,
  now: number,
) => ({
  // A token that has expired was issued before.
  ...(expires_in !== undefined && {
    iat: now + Math.min(0, expires_in - 1),
    exp: now + expires_in,
  }),
  ...(not_before !== undefined && { nbf: now + not_before }),
  ...(issuer !== undefined && { iss: issuer }),
  ...(audience !== undefined && { aud: audience }),
})

const encoded = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')

export const createTestTokens = (deps: {
  seed: readonly SeedLine[]
  grants: Pick<GrantStore, 'loadInstall' | 'loadGrant'>
  issuance: Pick<GrantIssuance, 'openAsserted'>
  revocation: Pick<RevocationStore, 'revokeToken'>
  accessTokens: Pick<AccessTokens, 'issue'>
  signingKeys: Pick<SigningKeys, 'active'>
  /** Copies a line of the seed with all that belongs to it. @returns the new id */
  copy(type: 'app' | 'user', id: string): Promise<string>
  end: Readonly<Record<'app' | 'user' | 'connection', (key: ConnectionKey) => Promise<unknown>>>
  /** How often the user's credentials have changed; null: there is no such user. */
  userEpoch(id: string): Promise<number | null>
  /** Milliseconds since 1970. */
  now(): number
}) => {
  const { grants } = deps
  const seconds = () => Math.floor(deps.now() / 1000)
  const first = (type: string, fields: object, fits = (_: SeedLine) => true) =>
    deps.seed.find(
      (line) =>
        line.type === type &&
        Object.entries(fields).every(([name, value]) => [line[name], undefined].includes(value)) &&
        fits(line),
    )

  /** The organization of the request; with `other_organization` the first other one of the seed. */
  const organizationOf = ({ organization, other_organization: isOther }: TestTokenRequest) => {
    if (!isOther) return organization
    const avoided = organization ?? first('organization', {})?.id
    return known(first('organization', {}, ({ id }) => id !== avoided)?.id, 'organization')
  }

  const placeOf = ({ kind, client, interface: generation, ...wish }: TestTokenRequest) => {
    const organization = organizationOf(wish as TestTokenRequest)
    const form = {
      interface: generation,
      client_type: kind === 'user' ? undefined : 'confidential',
    }
    const fits = ({ client_id }: SeedLine) => !!first('app', { client_id, ...form })
    const fields = { client_id: client, organization }
    const place = first('install', fields, client === undefined ? fits : undefined)
    return {
      clientId: known(client ?? place?.client_id, organization ? 'organization' : 'client'),
      organizationId: known(
        organization ?? place?.organization ?? first('organization', {})?.id,
        'organization',
      ),
    }
  }

  const installOf = async (
    clientId: string,
    { organizationId, userId }: { organizationId: string; userId: string | null },
    field: 'client' | 'act',
  ) => {
    const { app, install } = known(
      await grants.loadInstall(clientId, organizationId, userId),
      field,
    )
    return { app, install: known(install, 'organization') }
  }

  const delegatedTo = async (
    wish: TestTokenRequest,
    place: { organizationId: string; userId: string | null },
  ): Promise<{ delegated?: Delegated }> => {
    const chain = await Promise.all(
      [wish.act ?? []].flat().map((clientId) => installOf(clientId, place, 'act')),
    )
    const actors = chain.map(({ app, install: { installId } }) => {
      const { clientId, familiesEpoch: appEpoch } = app
      return { clientId, installId, appEpoch, subjectJti: randomText(16) }
    })
    return actors.length > 0 ? { delegated: { actors, notAfter: Number.POSITIVE_INFINITY } } : {}
  }

  const subjectFor = async (wish: TestTokenRequest) => {
    let { clientId, organizationId } = placeOf(wish)
    const member = first('member', { organization: organizationId })
    let userId = wish.kind === 'user' ? known(wish.user ?? member?.user, 'user') : null
    if (wish.revoked === 'app') clientId = await deps.copy('app', clientId)
    else if (typeof wish.revoked === 'string') userId = await deps.copy('user', userId ?? '')
    const userEpoch = known(userId === null ? 0 : await deps.userEpoch(userId), 'user')
    const { app, install } = await installOf(clientId, { organizationId, userId }, 'client')
    const grant = {
      ...{ id: newGrantId(), userId: userId ?? '', userEpoch, organizationId, clientId },
      ...{
        installId: install.installId,
        appEpoch: app.familiesEpoch,
        openidScopes: [],
        signIn: null,
      },
      permissions: wish.permissions ?? install.installPermissions,
      workspaceIds: wish.workspaces ?? null,
      ...{ redirectUri: '', codeChallenge: null, dpopJkt: null },
      lifetime: Math.max(86_400, wish.expires_in ?? 0),
    }
    if (userId !== null) await deps.issuance.openAsserted(grant)
    const stored = userId === null ? null : (await grants.loadGrant(clientId, grant.id))?.grant
    const approved = narrowedTo(app, stored ?? install, grant, everything)
    const reach = {
      permissions: wish.permissions ?? approved.permissions,
      workspaceIds: app.interface === 'current' ? (wish.workspaces ?? approved.workspaceIds) : null,
      ...{ openidScopes: [], isOpen: false, reachId: null },
      ...(await delegatedTo(wish, { organizationId, userId })),
    }
    const subject = subjectOf(app, stored?.grant ?? grant, reach)
    return stored ? subject : { ...subject, kind: 'install' as const }
  }

  const issued = async (wish: TestTokenRequest) => {
    const subject = await subjectFor(wish)
    const jkt = wish.dpop_jwk ? await calculateJwkThumbprint(wish.dpop_jwk as JWK) : null
    const { claims } = readCompactJws(
      deps.accessTokens.issue(subject, jkt).accessToken,
    ) as CompactJws
    const wanted = { ...(claims as unknown as AccessTokenClaims), ...wantedClaims(wish, seconds()) }
    const { client_id: clientId, organization_id: place, sub: userId } = wanted
    if (typeof wish.revoked === 'string')
      await deps.end[wish.revoked]({ clientId, organizationId: place, userId })
    else if (wish.revoked) {
      const { jti, exp: expiresAt, organization_id: organizationId, aud } = wanted
      const event = auditEvent(byServer, 'access_token.revoked', { organizationId })
      const audiences = comparableResources([aud].flat())
      await deps.revocation.revokeToken({ jti, expiresAt, organizationId, audiences }, event)
    }
    return createJwtSigner(deps.signingKeys, wish.typ ?? 'at+jwt')(wanted)
  }

  /** The secret of a key set. Revoked: one that it does not have, as after a rotation. */
  const secretOf = ({ kind, client, revoked, ...wish }: TestTokenRequest) => {
    const generation = kind === 'key_set' ? 'legacy' : 'current'
    const organization = organizationOf(wish as TestTokenRequest)
    const fields = { client_id: client, organization, interface: generation }
    const keySet = first('key_set', fields, ({ secret }) => secret !== undefined)
    const { client_id: clientId, secret } = known(keySet, client ? 'client' : 'organization')
    return { clientId, secret: revoked ? newSecret('keySet') : (secret as string) }
  }

  const selfSigned = (wish: TestTokenRequest) => {
    const { clientId, secret } = secretOf(wish)
    const { permissions, workspaces: workspace_ids, typ = 'JWT' } = wish
    const given = { iss: clientId, iat: seconds(), permissions, workspace_ids }
    const claims = { ...given, ...wantedClaims(wish, seconds()) }
    const input = `${encoded({ alg: 'HS256', typ })}.${encoded(claims)}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }

  /** @throws Invalid for an unknown client, user or organization */
  return async (wish: TestTokenRequest): Promise<string> => {
    if (wish.kind === 'key_set') return secretOf(wish).secret
    return wish.kind === 'self_signed' ? selfSigned(wish) : issued(wish)
  }
}

export type TestTokens = ReturnType<typeof createTestTokens>
