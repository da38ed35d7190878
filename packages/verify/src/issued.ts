import { type Access, accessOf } from './access.ts'
import { type Claims, readClaims } from './claims.ts'
import { type CompactJws, decodePart } from './compact.ts'
import { type TokenFault, TokenInvalid } from './errors.ts'
import type { Keys } from './keys.ts'
import type { TokenMisfits } from './misfits.ts'
import type { OpenReach } from './open-reach.ts'
import type { Revocations } from './revocations.ts'
import { createRecent } from './rules/recent.ts'
import type { Settings } from './settings.ts'
import type { VerifyingKey } from './signature.ts'
import type { Usage } from './usage.ts'

/** A token with a valid signature and valid claims, and the verdict for a certain version of the revocations. */
interface Verified {
  token: string
  claims: Claims
  /** Milliseconds since 1970, tolerance included. */
  deadline: number
  version: number
  verdict: Promise<Access> | TokenFault
  /** The access while no revocation has narrowed it; null: not made yet. */
  whole: Promise<Access> | null
}

/** Verifies tokens that the server has signed, locally. */
export interface IssuedTokens {
  /**
   * The cached verdict about a token, updated with all known revocations; undefined when the token is new.
   * @param jkt the proven key of the sender; null when there is none
   * @throws TokenInvalid
   */
  recall(token: string, jkt: string | null): Promise<Access> | undefined
  /** @throws TokenInvalid, VerificationUnavailable */
  verify(token: string, jws: CompactJws, jkt: string | null): Promise<Access>
  clear(): void
}

/** The cache key of a token: unique among valid tokens, and a tenth of the text to hash. */
const signatureOf = (token: string) => token.slice(token.lastIndexOf('.') + 1)

/** RFC 9068 §2.1: prevents the use of another JWT of the issuer as an access token. */
export const isAccessTokenType = (typ: string | null) =>
  /^(?:application\/)?at\+jwt$/i.test(typ ?? '')

/** Limits the memory for tokens whose workspaces the server returned: their lists have up to 100 bytes an entry. */
const mostWorkspaces = 1_000_000

export const createIssuedTokens = (deps: {
  keys: Keys
  revocations: Revocations
  openReach: OpenReach
  misfits: TokenMisfits
  settings: Settings
  usage: Usage
}): IssuedTokens => {
  const { keys, revocations, openReach, misfits, settings } = deps
  const { counterOf } = deps.usage
  const { now, clockTolerance } = settings
  const verified = createRecent<Verified>(settings.cacheSize)
  const asked = createRecent<Verified>(mostWorkspaces, ({ claims }) => {
    return 1 + (claims.workspaceIds?.length ?? 0)
  })

  /** A signature is verified once. Revocations are checked again only after a change. */
  const judge = (one: Verified): Promise<Access> => {
    if (one.version !== revocations.version()) {
      const rest = revocations.judge(one.claims)
      one.version = revocations.version()
      if (typeof rest === 'string') one.verdict = rest
      else if (rest === one.claims) {
        one.whole ??= Promise.resolve(accessOf(rest, counterOf(rest)))
        one.verdict = one.whole
      } else one.verdict = Promise.resolve(accessOf(rest, counterOf(rest)))
    }
    if (typeof one.verdict === 'string') throw new TokenInvalid(one.verdict)
    return one.verdict
  }

  /** RFC 9449 §7.2: a bound token must not be used as a bearer token, and a proof does not bind an unbound one. */
  const checkKey = ({ claims }: Verified, jkt: string | null) => {
    if (claims.jkt !== jkt) throw new TokenInvalid(jkt === null ? 'bound_to_key' : 'key_mismatch')
  }

  const keyFor = async ({ header }: CompactJws): Promise<VerifyingKey> => {
    if (!isAccessTokenType(header.typ) || header.kid === null) throw new TokenInvalid('header')
    const key = keys.get(header.kid) ?? (await keys.find(header.kid))
    if (!key) throw new TokenInvalid('key_unknown')
    if (key.alg !== header.alg) throw new TokenInvalid('algorithm')
    return key
  }

  /** The server is not asked about a revoked token, nor for a sender without the key. */
  const withWorkspaces = async (one: Verified, jkt: string | null): Promise<Verified> => {
    checkKey(one, jkt)
    const rest = revocations.judge(one.claims)
    if (typeof rest === 'string') throw new TokenInvalid(rest)
    const workspaceIds = await openReach.workspacesOf(one.token, one.claims)
    return { ...one, claims: { ...one.claims, workspaceIds, isOpen: false } }
  }

  return {
    recall: (token, jkt) => {
      const signature = signatureOf(token)
      const known = verified.get(signature) ?? asked.get(signature)
      if (known?.token !== token) return undefined
      if (known.deadline <= now()) throw new TokenInvalid('expired')
      checkKey(known, jkt)
      return judge(known)
    },
    verify: async (token, jws, jkt) => {
      const key = await keyFor(jws)
      if (!(await key.verify(jws.input, jws.signature))) throw new TokenInvalid('signature')
      const payload = decodePart(jws.payload)
      if (!payload) throw new TokenInvalid('malformed')
      const claims = readClaims(payload, settings, now() / 1000, misfits.refused)
      misfits.accepted()
      const deadline = ((claims.expiresAt ?? 0) + clockTolerance) * 1000
      const read: Verified = {
        token,
        claims,
        deadline,
        version: -1,
        verdict: 'inactive',
        whole: null,
      }
      const one = claims.isOpen ? await withWorkspaces(read, jkt) : read
      const cache = claims.isOpen ? asked : verified
      // The key may have been withdrawn meanwhile. Then this result is not cached.
      if (keys.get(key.kid) === key) cache.set(jws.signature, one)
      checkKey(one, jkt)
      return judge(one)
    },
    clear: () => {
      verified.clear()
      asked.clear()
    },
  }
}
