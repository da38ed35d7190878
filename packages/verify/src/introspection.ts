import type { Claims } from './claims.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import { isSeconds, isText, isTextList, type JsonObject } from './json.ts'
import { digestOf } from './platform.ts'
import { createRecent } from './recent.ts'
import type { Interface } from './rules/permissions.ts'
import type { AuthorizationServer } from './server.ts'
import type { Settings } from './settings.ts'

/** Tokens that only the server can verify, because that needs a secret, and their interface. */
const interfaceOf = { self_signed: 'current', key_set: 'legacy' } as const
export type IntrospectedKind = keyof typeof interfaceOf

/** Asks the server about tokens of key sets (RFC 7662), and caches its answers briefly. */
export interface Introspection {
  /**
   * @param kind the kind that the token looks like; the server must confirm it
   * @throws TokenInvalid, VerificationUnavailable
   */
  claimsOf(token: string, kind: IntrospectedKind): Promise<Claims>
  /** Drops the answers about a changed key set. */
  drop(clientId: string): void
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

/** @throws VerificationUnavailable for an answer that does not have the agreed form */
const readAnswer = (body: JsonObject): Claims | null => {
  const { active, kind, client_id, organization_id, permissions, workspace_ids, exp } = body
  if (active === false) return null
  if (active !== true || !isText(kind)) throw badAnswer()
  // The server also knows refresh tokens and issued tokens, but only secrets may be verified this way.
  if (kind !== 'self_signed' && kind !== 'key_set') return null
  const generation: Interface = interfaceOf[kind]
  if (!isText(client_id) || !isText(organization_id) || !isTextList(permissions)) throw badAnswer()
  if (workspace_ids !== null && !isTextList(workspace_ids)) throw badAnswer()
  if (body.interface !== generation || (exp !== undefined && !isSeconds(exp))) throw badAnswer()
  return {
    kind,
    interface: generation,
    organizationId: organization_id,
    clientId: client_id,
    userId: null,
    permissions,
    workspaceIds: workspace_ids,
    isOpen: false,
    expiresAt: exp ?? null,
    issuedAt: null,
    tokenId: null,
    grantId: null,
    installId: null,
    appEpoch: 0,
    userEpoch: 0,
    connectionEpoch: 0,
    jkt: null,
  }
}

export const createIntrospection = (
  server: AuthorizationServer,
  settings: Pick<Settings, 'activeFor' | 'inactiveFor' | 'cacheSize' | 'now' | 'ticks'>,
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

  const ask = async (token: string, digest: string) => {
    const before = drops
    const claims = readAnswer(await server.introspect(token))
    // An answer from before a change may arrive after the change.
    if (drops === before) remember(digest, claims)
    return claims
  }

  /** Concurrent requests with the same token share one query. */
  const askOnce = (token: string, digest: string): Promise<Claims | null> => {
    const asked = underWay.get(digest)
    if (asked !== undefined) return asked
    if (underWay.size >= mostUnderWay) throw new VerificationUnavailable('overloaded')
    const asking = ask(token, digest).finally(() => {
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
      const claims = remembered ? remembered.claims : await askOnce(token, digest)
      if (claims?.kind !== kind) throw new TokenInvalid('inactive')
      return claims
    },
    drop: (clientId) => forget(({ claims }) => claims?.clientId === clientId),
    clear: () => forget(() => true),
  }
}
