import { type Access, accessOf } from './access.ts'
import type { FeedAnswer } from './changes.ts'
import { type CompactJws, parseCompact } from './compact.ts'
import type { Credential, ProvenToken } from './credentials.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import { createFeed } from './feed.ts'
import { createIntrospection, type IntrospectedKind } from './introspection.ts'
import { createIssuedTokens } from './issued.ts'
import { createKeys } from './keys.ts'
import { createPace } from './pace.ts'
import { createProofs } from './proofs.ts'
import { createRevocations } from './revocations.ts'
import { isPlausible } from './self-signed.ts'
import { createAuthorizationServer } from './server.ts'
import { readSettings, type Settings, type VerifierOptions } from './settings.ts'
import { isIssuedAlgorithm } from './signature.ts'
import { createTransport } from './transport.ts'

/** Verifies the tokens that arrive at a data API. */
export interface Verifier {
  /**
   * Says who acts and how far.
   * @param credential a token as it was sent, or one with a proof that its sender holds the key
   * @throws TokenInvalid (as a rejection) for a token that is no good
   * @throws ProofInvalid (as a rejection) for a proof that is no good
   * @throws VerificationUnavailable (as a rejection) when that cannot be told at the moment
   */
  verify(credential: Credential): Promise<Access>
  /** Stops listening; nothing is verified afterwards. */
  close(): Promise<void>
}

/** The secret of a key set, which the server alone knows: nothing else that is no JWT is worth a request. */
const secretShape = /^lkks_[\x21-\x7e]+$/

/**
 * Who can verify it: `issued` by anybody with the public key, the others only by the server.
 * @throws TokenInvalid for what nobody can
 */
const sortOf = (jws: CompactJws | null): 'issued' | IntrospectedKind => {
  if (jws === null) return 'key_set'
  if (isIssuedAlgorithm(jws.header.alg)) return 'issued'
  if (jws.header.alg === 'HS256') return 'self_signed'
  throw new TokenInvalid('algorithm')
}

/** Rejects when the promise has not resolved after so many milliseconds. */
const within = async (promise: Promise<unknown>, milliseconds: number): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new VerificationUnavailable('starting')), milliseconds)
  })
  await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A log that throws or rejects must not end what it is told about, nor the process. */
const guarded = (settings: Settings): Settings => ({
  ...settings,
  onProblem: (problem) => {
    try {
      void Promise.resolve(settings.onProblem(problem)).catch(() => undefined)
    } catch {}
  },
})

/**
 * Begins to listen to the authorization server and verifies from then on.
 * @throws TypeError that names every option at fault
 */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const settings = guarded(readSettings(options))
  const { now, ticks, timeout, maxRevocationAge, maxTokenLength, clockTolerance } = settings
  const transport = createTransport(settings.fetch)
  const server = createAuthorizationServer(settings, transport)
  const pace = createPace()
  const revocations = createRevocations(clockTolerance, ticks)
  const introspection = createIntrospection(server, settings)
  const keys = createKeys({ server, settings, pace, onRemoved: () => issued.clear() })
  const issued = createIssuedTokens({ keys, revocations, settings })
  const proofs = createProofs(settings)

  const apply = (answer: FeedAnswer) => {
    if (answer.reset) introspection.clear()
    for (const { type, id } of answer.changes) if (type === 'key_set') introspection.drop(id)
    return revocations.apply(answer, now() / 1000)
  }
  const feed = createFeed({
    server,
    settings,
    pace,
    apply,
    isDoubtful: revocations.isDoubtful,
  })

  const running = Promise.all([keys.run(), feed.run()])
  let isStarted = false
  const started = Promise.all([keys.ready, feed.ready]).then(() => {
    isStarted = true
  })

  const checkOpen = () => {
    if (pace.isStopped()) throw new VerificationUnavailable('closed')
  }

  /** @throws VerificationUnavailable when too much may have happened unheard */
  const checkNews = () => {
    checkOpen()
    if (ticks() - feed.heardAt() > maxRevocationAge * 1000)
      throw new VerificationUnavailable('stale')
  }

  const verifyIssued = async (token: string, jws: CompactJws, jkt: string | null) => {
    if (!isStarted) await within(started, timeout * 1000)
    checkNews()
    return issued.verify(token, jws, jkt)
  }

  const verifyByAsking = async (token: string, kind: IntrospectedKind) => {
    const rest = revocations.judge(await introspection.claimsOf(token, kind))
    if (typeof rest === 'string') throw new TokenInvalid(rest)
    return accessOf(rest)
  }

  const verifyNew = async (token: string, jkt: string | null): Promise<Access> => {
    if (token.length > maxTokenLength) throw new TokenInvalid('too_long')
    const jws = parseCompact(token)
    if (!jws && !secretShape.test(token)) throw new TokenInvalid('malformed')
    const sort = sortOf(jws)
    checkOpen()
    if (jws && sort === 'issued') return verifyIssued(token, jws, jkt)
    if (jkt !== null) throw new TokenInvalid('key_mismatch') // no key set binds its tokens
    if (jws && !isPlausible(jws, settings, now() / 1000)) throw new TokenInvalid('claims')
    return verifyByAsking(token, sort as IntrospectedKind)
  }

  /** Seen before: nothing is waited for, and nothing is asked. */
  const recall = (token: string, jkt: string | null): Promise<Access> | undefined => {
    const known = issued.recall(token, jkt)
    if (known !== undefined) checkNews()
    return known
  }

  const verifyToken = (token: string, jkt: string | null) => {
    if (typeof token !== 'string' || token === '') throw new TokenInvalid('missing')
    return recall(token, jkt) ?? verifyNew(token, jkt)
  }

  /** A proof counts as used when everything else is right. */
  const verifyProven = async (credential: ProvenToken): Promise<Access> => {
    const proof = await proofs.read(credential)
    const access = await verifyToken(credential.token, proof.jkt)
    await proof.use()
    return access
  }

  return {
    verify: (credential) => {
      try {
        if (typeof credential === 'object' && credential !== null) return verifyProven(credential)
        return verifyToken(credential, null)
      } catch (error) {
        return Promise.reject(error)
      }
    },
    close: async () => {
      pace.stop()
      transport.close()
      await running
    },
  }
}
