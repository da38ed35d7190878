import { createHash } from 'node:crypto'
import { isSameResource } from '#verify/rules/resource-form'
import type { LastUsed } from '../audit/last-used.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import type { CompactJws } from '../crypto/compact-jws.ts'
import { isClientIdShaped } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { intersect } from '../language/permissions.ts'
import { reachOf } from '../language/scope.ts'
import type { KeySet } from '../organizations/key-set.ts'
import { sealPlace } from '../organizations/key-set-secrets.ts'
import { workloadTokenKey } from '../organizations/workload-token-key.ts'
import { type Audience, forOthers, known } from './audience.ts'
import { isSignedWith, readSelfSigned, type SelfSignedClaims } from './self-signed.ts'
import {
  type IntrospectedKeySet,
  type IntrospectionStore,
  type TokenFacts,
  type TokenReader,
  untold,
} from './token-facts.ts'

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
const earliest = (...times: (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length > 0 ? Math.min(...known) : null
}

/** @param secretEnds expiry of the secret that signed the token */
const factsOfClaims = (
  claims: SelfSignedClaims,
  { keySet, presentWorkspaceIds }: IntrospectedKeySet,
  secretEnds: Date | null,
): TokenFacts => {
  const unlimited = claims.workspaceIds === null && keySet.workspaceIds === null
  return {
    ...untold,
    kind: 'self_signed',
    type: 'self_signed',
    interface: 'current',
    issuer: keySet.clientId,
    subject: keySet.clientId,
    clientId: keySet.clientId,
    organizationId: keySet.organizationId,
    permissions: intersect(keySet.permissions, claims.permissions),
    workspaceIds: unlimited
      ? null
      : reachOf(presentWorkspaceIds, keySet.workspaceIds, claims.workspaceIds),
    issuedAt: claims.issuedAt,
    expiresAt: earliest(claims.expiresAt, secretEnds && seconds(secretEnds)),
  }
}

/** Reads the present meaning of an organization's own credentials: self-signed tokens and legacy secret keys. */
export const createKeySetTokens = (deps: {
  store: Pick<IntrospectionStore, 'keySet' | 'keySetBySecret' | 'nothing'>
  keyring: Pick<Keyring, 'open' | 'digests' | 'digestMatches'>
  issuer: string
  audience: Audience
  /** In self-signed tokens, the issuer is another name of the default audience. */
  defaultAudience: string
  used: Pick<LastUsed, 'keySetSecret'>
  secretShown: SecretShown
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, keyring, audience, now } = deps

  const boundsOf = ({ audiences }: SelfSignedClaims, { organizationId }: KeySet) => ({
    audiences:
      audiences?.map((one) => (isSameResource(one, deps.issuer) ? deps.defaultAudience : one)) ??
      null,
    organizationId,
  })

  /** Has this server signed the token for a workload that the key set still trusts? */
  const isOfWorkload = (token: CompactJws, { id, workloads }: KeySet) =>
    workloads.some((workload) =>
      keyring.digests(workloadTokenKey(id, workload)).some((key) => isSignedWith(token, key)),
    )

  const selfSigned: TokenReader<CompactJws> = async (token, resourceServer, admit) => {
    const { claims, refused } = readSelfSigned(token, now() / 1000)
    if (claims.issuer === null || !isClientIdShaped(claims.issuer)) {
      admit((await store.nothing(resourceServer)).resourceServer)
      return { refused: refused ?? 'key_set_unknown', facts: null }
    }
    const answer = await store.keySet(resourceServer, claims.issuer)
    const limits = admit(answer.resourceServer)
    const { found } = answer
    if (found?.keySet.interface !== 'current') return { refused: 'key_set_unknown', facts: null }
    const { keySet } = found
    const secret = found.secrets.find(
      ({ id, sealed }) => sealed && isSignedWith(token, keyring.open(sealed, sealPlace(id))),
    )
    if (!secret && !isOfWorkload(token, keySet))
      return { refused: 'signature_invalid', facts: null, named: keySet }
    const facts = factsOfClaims(claims, found, secret?.expiresAt ?? null)
    if (secret?.ended) return { refused: 'secret_retired', facts }
    if (audience.refuses(limits, boundsOf(claims, keySet))) return forOthers(facts)
    if (refused) return { refused, facts }
    if (secret && resourceServer !== null)
      deps.used.keySetSecret(secret.id, claims.expiresAt === null)
    return known(limits, { refused: null, facts })
  }

  const secretKey: TokenReader<string> = async (text, resourceServer, admit) => {
    // The digest of an imported `sha256:` hash, until the secret is shown.
    const plain = createHash('sha256').update(text).digest()
    const answer = await store.keySetBySecret(resourceServer, [...keyring.digests(text), plain])
    const limits = admit(answer.resourceServer)
    const { found } = answer
    const secret = found?.secrets.find(
      ({ digest }) => digest.equals(plain) || keyring.digestMatches(text, digest),
    )
    if (!found || !secret) return { refused: 'secret_unknown', facts: null }
    const { keySet } = found
    const { organizationId } = keySet
    if (audience.refuses(limits, { audiences: null, organizationId })) return forOthers(null)
    const facts: TokenFacts = {
      ...untold,
      kind: 'key_set',
      type: 'secret_key',
      interface: keySet.interface,
      issuer: deps.issuer,
      subject: keySet.clientId,
      clientId: keySet.clientId,
      organizationId: keySet.organizationId,
      permissions: keySet.permissions,
      workspaceIds: keySet.workspaceIds && [...keySet.workspaceIds],
      expiresAt: secret.expiresAt && seconds(secret.expiresAt),
    }
    // The secret of a current key set signs tokens; the client never sends it (specification §5.2 A).
    if (keySet.interface !== 'legacy') return { refused: 'secret_of_current_key_set', facts }
    if (secret.ended) return { refused: 'secret_retired', facts }
    if (resourceServer !== null) {
      deps.used.keySetSecret(secret.id, false)
      deps.secretShown(
        'key_set_secrets',
        secret.id,
        text,
        secret.digest,
        secret.digest.equals(plain),
      )
    }
    return known(limits, { refused: null, facts })
  }

  return { selfSigned, secretKey }
}
