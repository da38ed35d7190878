// Tokens for tests: those of the real server, and with its keys those that it would never issue.
import { createHmac } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { type Static, Type } from 'typebox'
import { auditEvent, byServer } from '../../core/audit/audit.ts'
import { comparableResources } from '../../core/clients/resources.ts'
import { everything } from '../../core/credentials/operator-permissions.ts'
import { newSecret } from '../../core/crypto/identifiers.ts'
import { randomText } from '../../core/crypto/random.ts'
import { narrowedTo } from '../../core/grants/approval.ts'
import { newGrantId } from '../../core/grants/issue.ts'
import { subjectOf } from '../../core/grants/redeem.ts'
import { faultAt } from '../../core/language/faults.ts'
import { Invalid } from '../../core/language/service-errors.ts'
import type { AccessTokenClaims } from '../../core/tokens/access-token-claims.ts'
import { createJwtSigner } from '../../core/tokens/jwt.ts'
import { readImportLine } from '../../http/operator/reports/import-lines.ts'
import type { Services } from '../services/services.ts'
import type { Stores } from '../stores.ts'

/** A line of the seed, as in its file. */
export type SeedLine = Readonly<Record<string, string>>

export const seedOperator = { id: 'seed', permissions: [everything], organizationIds: null }
export const seedCause = { ...byServer, rights: seedOperator, quiet: true as const }

const text = Type.String({ minLength: 1, maxLength: 2048 })
const texts = Type.Array(text, { maxItems: 200 })
const oneOrMore = Type.Union([text, texts])
/** From now, also negative. */
export const seconds = Type.Integer({ minimum: -1e9, maximum: 1e9 })
export const closed = { additionalProperties: false }

const wishes = Type.Object({
  ...{ interface: Type.Enum(['current', 'legacy']), typ: text, issuer: text, audience: oneOrMore },
  ...{ client: text, organization: text, user: text, permissions: texts, workspaces: texts },
  ...{ expires_in: seconds, not_before: seconds, other_organization: Type.Boolean() },
  // The token alone, or as the end of an app, a user or a connection does.
  revoked: Type.Union([Type.Boolean(), Type.Enum(['app', 'user', 'connection'])]),
  ...{ dpop_jwk: Type.Record(Type.String(), text), act: oneOrMore },
})
const kind = Type.Enum(['user', 'install', 'self_signed', 'key_set'])
/** What is absent comes from the first line of the seed that fits. `act`: the last actor first (RFC 8693 §4.1). */
export const tokenRequest = Type.Object({ kind, ...Type.Partial(wishes).properties }, closed)
type TokenRequest = Static<typeof tokenRequest>

/** @throws Invalid for null */
const known = <Value>(value: Value | null | undefined, field: keyof TokenRequest): Value => {
  if (value != null) return value
  const detail = 'is unknown, or the other fields do not fit it'
  throw new Invalid([faultAt(`/${field}`, 'unknown_place', detail)])
}

/** The claims as the request wants them, whatever the server would choose. @param now seconds since 1970 */
const wanted = <Claims extends object>(claims: Claims, request: TokenRequest, now: number) => {
  const { expires_in: life, not_before: start, issuer: iss, audience: aud } = request
  return {
    ...claims,
    // A token that has expired was issued before.
    ...(life !== undefined && { iat: now + Math.min(0, life - 1), exp: now + life }),
    ...(start !== undefined && { nbf: now + start }),
    ...(iss !== undefined && { iss }),
    ...(aud !== undefined && { aud }),
  }
}

const unnarrowed = { scope: undefined, workspaceIds: undefined }
const encoded = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')

export const createTestTokens = (seed: readonly SeedLine[], stores: Stores, services: Services) => {
  const now = () => Math.floor(stores.now() / 1000)
  const allOf = (type: string, fields: object) => {
    const given = Object.entries({ type, ...fields }).filter(([, value]) => value !== undefined)
    return seed.filter((line) => given.every(([name, value]) => line[name] === value))
  }

  const installOf = async (organizationId: string, userId: string | null, clientId: string) => {
    const loaded = await stores.grants.loadInstall(clientId, organizationId, userId)
    const { app, install } = known(loaded, 'client')
    const { installId, ...approval } = known(install, 'organization')
    return { app, approval, bound: { clientId, installId, appEpoch: app.familiesEpoch } }
  }

  /** With `other_organization`: another one of the seed. */
  const organizationOf = ({ organization, other_organization: isOther }: TokenRequest) => {
    if (!isOther) return organization
    const [one, two] = allOf('organization', {}).map(({ id }) => id)
    return known(one === (organization ?? one) ? two : one, 'other_organization')
  }

  /** Imports the lines about an app or a user once more: its end ends nothing else. @returns its id */
  const copyOf = async (type: 'app' | 'user', id: string) => {
    const copy = newGrantId()
    const lines = seed.flatMap((line) => {
      const field = type === 'app' ? 'client_id' : line.type === 'user' ? 'id' : 'user'
      if (line.type === 'key_set' || line[field] !== id) return []
      const email = line.type === 'user' ? { email: `${copy}@copies.test` } : {}
      return [readImportLine(JSON.stringify({ ...line, ...email, [field]: copy }), seedOperator)]
    })
    await services.imports.store(lines, seedCause)
    return copy
  }

  const subjectFor = async (request: TokenRequest) => {
    const { client, revoked, interface: generation } = request
    const organization = organizationOf(request)
    const form = request.kind === 'install' ? { client_type: 'confidential' } : {}
    const apps = allOf('app', { client_id: client, interface: generation, ...form })
    const [place] = apps.flatMap(({ client_id }) => allOf('install', { client_id, organization }))
    const given = known(client ?? place?.client_id, organization ? 'organization' : 'client')
    const clientId = revoked === 'app' ? await copyOf('app', given) : given
    const [any] = place ? [] : allOf('organization', {})
    const organizationId = known(organization ?? place?.organization ?? any?.id, 'organization')
    const [member] = allOf('member', { organization: organizationId })
    const person = request.kind === 'user' ? known(request.user ?? member?.user, 'user') : null
    const isCopied = revoked === 'user' || revoked === 'connection'
    const userId = isCopied ? await copyOf('user', known(person, 'revoked')) : person
    const user = userId === null ? null : known(await stores.users.byId(userId), 'user')
    const { app, approval, bound } = await installOf(organizationId, userId, clientId)
    const actors = await Promise.all(
      [request.act ?? []].flat().map(async (actor) => ({
        ...(await installOf(organizationId, userId, actor)).bound,
        subjectJti: randomText(16),
      })),
    )
    const { permissions = approval.installPermissions, workspaces = null } = request
    const lifetime = Math.max(86_400, request.expires_in ?? 0)
    const [id, userEpoch] = [newGrantId(), user?.passwordVersion ?? 0]
    const grant = {
      ...{ ...bound, id, userId: userId ?? '', userEpoch, organizationId, lifetime, permissions },
      ...{ workspaceIds: workspaces, openidScopes: [], signIn: null, redirectUri: '' },
      ...{ codeChallenge: null, dpopJkt: null },
    }
    if (user) await services.issuance.openAsserted(grant)
    const stored = user && (await stores.grants.loadGrant(clientId, grant.id))?.grant
    const approved = narrowedTo(app, stored ?? approval, grant, unnarrowed)
    const subject = subjectOf(app, stored?.grant ?? grant, {
      permissions: request.permissions ?? approved.permissions,
      workspaceIds: approved.workspaceIds && (workspaces ?? approved.workspaceIds),
      ...{ openidScopes: [], isOpen: false, reachId: null },
    })
    const delegated = actors.length > 0 && { delegated: { actors, notAfter: Infinity } }
    return { ...subject, ...(user ? {} : { kind: 'install' as const }), ...delegated }
  }

  const ends = {
    token: async ({ jti, exp: expiresAt, organization_id: organizationId, aud }) => {
      const event = auditEvent(byServer, 'access_token.revoked', { organizationId })
      const audiences = comparableResources([aud].flat())
      await stores.revocation.revokeToken({ jti, expiresAt, organizationId, audiences }, event)
    },
    app: ({ organization_id: organizationId, client_id: clientId }) =>
      services.installs.end({ organizationId, clientId }, byServer),
    user: ({ sub }) => services.users.change(sub, { disabled: true }, seedCause),
    connection: ({ sub: userId, organization_id: organizationId, client_id: clientId }) =>
      services.accessEnd({ userId, organizationId, clientId }, byServer),
  } satisfies Record<string, (claims: AccessTokenClaims) => Promise<unknown>>

  const issued = async (request: TokenRequest) => {
    const { dpop_jwk: jwk, revoked, typ = 'at+jwt' } = request
    const jkt = jwk ? known(await calculateJwkThumbprint(jwk).catch(() => null), 'dpop_jwk') : null
    const { accessToken } = services.accessTokens.issue(await subjectFor(request), jkt)
    const claims = wanted(services.issuedTokens.read(accessToken)!.claims!, request, now())
    if (revoked) await ends[revoked === true ? 'token' : revoked](claims)
    return createJwtSigner(services.signingKeys, typ)(claims)
  }

  const widened = async (line: SeedLine, permissions: readonly string[]) => {
    const ids = { client_id: newGrantId(), secret: newSecret('keySet') }
    const copy = { ...line, ...ids, permissions }
    await services.imports.store([readImportLine(JSON.stringify(copy), seedOperator)], seedCause)
    return { ...line, ...ids } as SeedLine
  }

  /** A key set's own credential. Revoked: with a secret that it does not have, as after a rotation. */
  const own = async (request: TokenRequest) => {
    const { client, revoked, permissions: wishes, workspaces: workspace_ids, typ = 'JWT' } = request
    const organization = organizationOf(request)
    const generation = request.kind === 'key_set' ? 'legacy' : 'current'
    const fields = { client_id: client, organization, interface: generation }
    const line = allOf('key_set', fields).find(({ secret }) => secret)
    const first = known(line, client ? 'client' : 'organization')
    // What the key set may not do, another one does.
    const isMore = wishes?.some((one) => !first.permissions?.includes(one)) ?? false
    const keySet = isMore ? await widened(first, wishes ?? []) : first
    const secret = revoked ? newSecret('keySet') : (keySet.secret as string)
    if (request.kind === 'key_set') return secret
    const permissions = wishes ?? keySet.permissions
    const claims = { iss: keySet.client_id, iat: now(), permissions, workspace_ids }
    const input = `${encoded({ alg: 'HS256', typ })}.${encoded(wanted(claims, request, now()))}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }

  /** @throws Invalid for an unknown client, user or organization */
  return async (request: TokenRequest): Promise<string> =>
    request.kind === 'user' || request.kind === 'install' ? issued(request) : own(request)
}
