import { toldActors } from './actors.ts'
import type { Claims } from './claims.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import { isObject, isSeconds, isText, isTextList, type JsonObject } from './json.ts'
import { digestOf } from './platform.ts'
import type { Interface } from './rules/permissions.ts'
import { createRecent } from './rules/recent.ts'
import { type AuthorizationServer, type Report, reported } from './server.ts'
import type { Settings } from './settings.ts'

/** Tokens that only the server can verify, because that needs a secret, and their interface. */
const interfaceOf: { [Kind in Claims['kind']]?: Interface } = {
  self_signed: 'current',
  key_set: 'legacy',
}

/** Asks the server about tokens (RFC 7662), and caches its answers briefly. */
export interface Introspection {
  /**
   * @param kind the kind that the token looks like; the server must confirm it
   * @throws TokenInvalid, VerificationUnavailable
   */
  claimsOf(token: string, kind: Claims['kind']): Promise<Claims>
  /** Drops the answers that a change may affect. */
  drop(isOut: (claims: Claims) => boolean): void
  /** Drops all answers. */
  clear(): void
}

interface Remembered {
  /** null: not active. */
  claims: Claims | null
  /** In `ticks`. */
  until: number
}

// Limits the load that an attacker who tries secrets can put on the server.
const mostUnderWay = 256

const badAnswer = () =>
  new VerificationUnavailable('bad_answer', new TypeError('introspection: not as agreed'))

/** @throws VerificationUnavailable for anything but a text */
const textOf = (value: unknown): string => {
  if (!isText(value)) throw badAnswer()
  return value
}

/** @throws VerificationUnavailable for an answer that does not have the agreed form */
const readAnswer = (body: JsonObject, kind: Claims['kind']): Claims | null => {
  const { active, client_id, organization_id, permissions, workspace_ids, exp, auth_time } = body
  if (active === false) return null
  if (active !== true || !isText(body.kind)) throw badAnswer()
  // The server also knows refresh tokens, and a secret must not pass for an issued token.
  if (body.kind !== kind) return null
  const generation = interfaceOf[kind] ?? body.interface
  if (generation !== 'legacy' && generation !== 'current') throw badAnswer()
  if (!isText(client_id) || !isText(organization_id) || !isTextList(permissions)) throw badAnswer()
  if (workspace_ids !== null && !isTextList(workspace_ids)) throw badAnswer()
  if (body.interface !== generation || (exp !== undefined && !isSeconds(exp))) throw badAnswer()
  if (auth_time !== undefined && !isSeconds(auth_time)) throw badAnswer()
  const actors = toldActors(body)
  if (!actors) throw badAnswer()
  return {
    kind,
    interface: generation,
    organizationId: organization_id,
    clientId: client_id,
    userId: kind === 'user' ? textOf(body.sub) : null,
    permissions,
    workspaceIds: workspace_ids,
    isOpen: false,
    expiresAt: exp ?? null,
    issuedAt: null,
    tokenId: isText(body.jti) ? body.jti : null,
    grantId: null,
    installId: null,
    appEpoch: 0,
    userEpoch: 0,
    connectionEpoch: 0,
    jkt: body.cnf === undefined ? null : textOf(isObject(body.cnf) ? body.cnf.jkt : null),
    authTime: auth_time ?? null,
    acr: body.acr === undefined ? null : textOf(body.acr),
    actors,
  }
}

export const createIntrospection = (
  server: AuthorizationServer,
  settings: Pick<Settings, 'activeFor' | 'inactiveFor' | 'cacheSize' | 'now' | 'ticks'>,
  report: Report,
): Introspection => {
  const { activeFor, inactiveFor, cacheSize, now, ticks } = settings
  // Separate caches, so that wrong secrets do not evict correct ones.
  const active = createRecent<Remembered>(cacheSize)
  const inactive = createRecent<Remembered>(cacheSize)
  const underWay = new Map<string, Promise<Claims | null>>()
  let drops = 0

  const recall = (digest: string): Remembered | null => {
    const found = active.get(digest) ?? inactive.get(digest)
    return found && found.until > ticks() ? found : null
  }

  const remember = (digest: string, claims: Claims | null) => {
    const life = (claims ? activeFor : inactiveFor) * 1000
    const left = (claims?.expiresAt ?? Number.POSITIVE_INFINITY) * 1000 - now()
    const kept = claims ? active : inactive
    kept.set(digest, { claims, until: ticks() + Math.min(life, left) })
  }

  const ask = async (token: string, kind: Claims['kind'], digest: string) => {
    const before = drops
    const claims = await reported(report, async () =>
      readAnswer(await server.introspect(token), kind),
    )
    // An answer from before a change may arrive after the change.
    if (drops === before) remember(digest, claims)
    return claims
  }

  /** Concurrent requests with the same token share one query. */
  const askOnce = (token: string, kind: Claims['kind'], digest: string): Promise<Claims | null> => {
    const asked = underWay.get(digest)
    if (asked !== undefined) return asked
    if (underWay.size >= mostUnderWay) throw new VerificationUnavailable('overloaded')
    const asking = ask(token, kind, digest).finally(() => {
      if (underWay.get(digest) === asking) underWay.delete(digest)
    })
    underWay.set(digest, asking)
    return asking
  }

  const forget = (isOut: (one: Remembered) => boolean) => {
    drops++
    underWay.clear()
    active.deleteWhere(isOut)
    inactive.clear()
  }

  return {
    claimsOf: async (token, kind) => {
      const digest = await digestOf(token)
      const remembered = recall(digest)
      const claims = remembered ? remembered.claims : await askOnce(token, kind, digest)
      if (claims?.kind !== kind) throw new TokenInvalid('inactive')
      return claims
    },
    drop: (isOut) => forget(({ claims }) => claims !== null && isOut(claims)),
    clear: () => forget(() => true),
  }
}
