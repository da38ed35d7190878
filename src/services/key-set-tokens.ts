import type { CompactJws } from '../domain/compact-jws.ts'
import { isIdShaped } from '../domain/identifiers.ts'
import type { Keyring } from '../domain/keyring.ts'
import { intersect } from '../domain/permissions.ts'
import { reachOf } from '../domain/scope.ts'
import { isSignedWith, readSelfSigned } from '../domain/self-signed.ts'
import { sealPlace } from './key-sets.ts'
import type { LastUsed } from './last-used.ts'
import type { IntrospectionStore, TokenFacts, TokenReader } from './token-facts.ts'

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
const earliest = (...times: (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length > 0 ? Math.min(...known) : null
}

/** What an organization's own credentials mean now: tokens that it signed itself, and legacy secret keys. */
export const createKeySetTokens = (deps: {
  store: Pick<IntrospectionStore, 'keySet' | 'keySetBySecret' | 'nothing'>
  keyring: Pick<Keyring, 'open' | 'digests' | 'digestMatches'>
  issuer: string
  /** What a token's `aud`, if it has one, must contain one of. */
  audiences: readonly string[]
  used: Pick<LastUsed, 'keySetSecret'>
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, keyring, now } = deps

  const selfSigned: TokenReader<CompactJws> = async (token, asker, admit) => {
    const claims = readSelfSigned(token, deps.audiences, now() / 1000)
    if ('refused' in claims || !isIdShaped(claims.issuer)) {
      admit((await store.nothing(asker)).askerDigest)
      return { refused: 'refused' in claims ? claims.refused : 'key_set_unknown', facts: null }
    }
    const { askerDigest, found } = await store.keySet(asker, claims.issuer)
    admit(askerDigest)
    if (found?.keySet.interface !== 'current') return { refused: 'key_set_unknown', facts: null }
    const secret = found.secrets.find(
      ({ id, sealed }) => sealed && isSignedWith(token, keyring.open(sealed, sealPlace(id))),
    )
    if (!secret) return { refused: 'signature_invalid', facts: null }
    deps.used.keySetSecret(secret.id, claims.expiresAt === null)
    const { keySet, presentWorkspaceIds } = found
    const unlimited = claims.workspaceIds === null && keySet.workspaceIds === null
    const facts: TokenFacts = {
      kind: 'self_signed',
      type: 'self_signed',
      interface: 'current',
      issuer: claims.issuer,
      subject: keySet.clientId,
      clientId: keySet.clientId,
      organizationId: keySet.organizationId,
      permissions: intersect(keySet.permissions, claims.permissions),
      workspaceIds: unlimited
        ? null
        : reachOf(presentWorkspaceIds, keySet.workspaceIds, claims.workspaceIds),
      issuedAt: claims.issuedAt,
      expiresAt: earliest(claims.expiresAt, secret.expiresAt && seconds(secret.expiresAt)),
      jti: null,
    }
    return { refused: null, facts }
  }

  const secretKey: TokenReader<string> = async (text, asker, admit) => {
    const { askerDigest, found } = await store.keySetBySecret(asker, keyring.digests(text))
    admit(askerDigest)
    const secret = found?.secrets.find(({ digest }) => keyring.digestMatches(text, digest))
    if (!found || !secret) return { refused: 'secret_unknown', facts: null }
    const { keySet } = found
    // The secret of a current key set signs; it is never sent (specification §5.2 A).
    if (keySet.interface !== 'legacy') return { refused: 'secret_of_current_key_set', facts: null }
    deps.used.keySetSecret(secret.id, false)
    const facts: TokenFacts = {
      kind: 'key_set',
      type: 'secret_key',
      interface: 'legacy',
      issuer: deps.issuer,
      subject: keySet.clientId,
      clientId: keySet.clientId,
      organizationId: keySet.organizationId,
      permissions: keySet.permissions,
      workspaceIds: null,
      issuedAt: null,
      expiresAt: secret.expiresAt && seconds(secret.expiresAt),
      jti: null,
    }
    return { refused: null, facts }
  }

  return { selfSigned, secretKey }
}
