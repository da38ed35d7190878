import { type Access, accessOf } from './access.ts'
import type { FeedAnswer } from './changes.ts'
import { type CompactJws, parseCompact } from './compact.ts'
import type { Credential, ProvenToken } from './credentials.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import { createFeed } from './feed.ts'
import { createIntrospectedTokens, isConcernedBy } from './introspected-tokens.ts'
import { createIntrospection } from './introspection.ts'
import { createIssuedTokens } from './issued.ts'
import { createKeys } from './keys.ts'
import { compareIssuer, createClockCheck, createMisuse, createTokenMisfits } from './misfits.ts'
import { createOpenReach } from './open-reach.ts'
import { createPace } from './pace.ts'
import { createProblems } from './problems.ts'
import { createProofs } from './proofs.ts'
import type { Requirement } from './requirement.ts'
import { createRevocations } from './revocations.ts'
import { namedKeySet } from './self-signed.ts'
import { createAuthorizationServer, type Report } from './server.ts'
import { readSettings, type Settings, type VerifierOptions } from './settings.ts'
import { isIssuedAlgorithm } from './signature.ts'
import type { Status } from './status.ts'
import { createTransport } from './transport.ts'
import { createUsage } from './usage.ts'

/** Verifies the tokens of requests to a data API. */
export interface Verifier {
  /**
   * Returns the actor of a request and its rights.
   * @param credential a token as sent, or a token with a proof of possession
   * @throws TokenInvalid (as a rejection) for an invalid token
   * @throws ProofInvalid (as a rejection) for an invalid proof
   * @throws VerificationUnavailable (as a rejection) when the token cannot be verified at the moment
   */
  verify(credential: Credential): Promise<Access>
  /** The clock of this verifier: milliseconds since 1970. */
  now(): number
  /** Whether tokens can be verified, and what is wrong: for a health check and for operators. */
  status(): Status
  /** Reports an error of `authorize` that shows a wrong use of this library, to `log` and `onProblem`. */
  report(error: unknown, requirement: Requirement): void
  /** Stops all requests to the server. Later verifications are refused. */
  close(): Promise<void>
}

/**
 * The form of a key set's secret, which only the server can verify; an imported one has 16 to 256 characters. No other text
 * that is not a JWT is worth a request.
 */
const secretShape = /^(?:lkks_[\x21-\x7e]+|(?!eyJ|lk[a-z]{2}_)[\x21-\x7e]{16,256})$/

/**
 * The way to verify a token: `issued` with the public key, others only by the server.
 * @throws TokenInvalid for unsupported tokens
 */
const sortOf = (jws: CompactJws | null): 'issued' | 'self_signed' | 'key_set' => {
  if (jws === null) return 'key_set'
  if (isIssuedAlgorithm(jws.header.alg)) return 'issued'
  if (jws.header.alg === 'HS256') return 'self_signed'
  throw new TokenInvalid('algorithm')
}

/** Rejects when the promise has not resolved in time. */
const within = async (promise: Promise<unknown>, milliseconds: number): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new VerificationUnavailable('starting')), milliseconds)
  })
  await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A failing `onProblem` must not stop the caller or the process. */
const guarded = (settings: Settings): Settings => ({
  ...settings,
  onProblem: (problem) => {
    try {
      void Promise.resolve(settings.onProblem(problem)).catch(() => undefined)
    } catch {}
  },
})

/**
 * Starts to read keys and revocations, and verifies tokens from then on.
 * @throws TypeError that names every option at fault
 */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const settings = guarded(readSettings(options))
  const { now, ticks, timeout, maxRevocationAge, maxTokenLength, clockTolerance } = settings
  const transport = createTransport(settings.fetch)
  const isLocal = settings.mode === 'local'
  const pace = createPace()
  const problems = createProblems(settings)
  const misfits = createTokenMisfits(problems, settings)
  const misuse = createMisuse(problems, settings)
  const server = createAuthorizationServer(
    settings,
    transport,
    createClockCheck(problems, settings),
  )

  const reportAs =
    (part: 'keys' | 'feed' | 'introspection'): Report =>
    (problem) => {
      if (problem === null) return problems.clear(part)
      if (pace.isStopped()) return
      settings.onProblem(problem)
      problems.failed(part, problem)
    }

  const usage = createUsage(server, settings, pace)
  const revocations = createRevocations(clockTolerance, ticks)
  const introspection = createIntrospection(server, settings, reportAs('introspection'))
  const keys = createKeys({
    server,
    settings,
    pace,
    report: reportAs('keys'),
    onRemoved: () => issued.clear(),
  })
  const openReach = createOpenReach(server, settings, reportAs('introspection'))
  const issued = createIssuedTokens({ keys, revocations, openReach, misfits, settings, usage })
  const introspected = createIntrospectedTokens({ introspection, misfits, settings, usage })
  const proofs = createProofs(settings)

  const apply = (answer: FeedAnswer) => {
    if (answer.reset) introspection.clear()
    // Changes of key sets are rare. In local mode, no other one is about a cached answer.
    const about = isLocal ? answer.changes.filter(({ type }) => type === 'key_set') : answer.changes
    if (about.length > 0)
      introspection.drop((claims) => about.some((one) => isConcernedBy(claims, one)))
    return revocations.apply(answer, now() / 1000)
  }
  const feed = createFeed({
    server,
    settings,
    pace,
    report: reportAs('feed'),
    apply,
    isDoubtful: revocations.isDoubtful,
  })

  const running = Promise.all([
    isLocal ? keys.run() : null,
    feed.run(),
    usage.run(),
    compareIssuer({ server, settings, problems, pace, onMetadata: misuse.onMetadata }),
  ])
  let isStarted = false
  const started = Promise.all([isLocal ? keys.ready : null, feed.ready]).then(() => {
    isStarted = true
  })

  const checkOpen = () => {
    if (pace.isStopped()) throw new VerificationUnavailable('closed')
  }

  const isStale = () => {
    if (ticks() - feed.heardAt() <= maxRevocationAge * 1000) return false
    const message = `there is no news of revocations for more than ${maxRevocationAge} seconds, so tokens are refused (\`maxRevocationAge\`): check the connection to the server`
    problems.report('feed', 'stale', message)
    return true
  }

  /** @throws VerificationUnavailable when revocations may have been missed */
  const checkNews = () => {
    checkOpen()
    if (isStale()) throw new VerificationUnavailable('stale')
  }

  const verifyIssued = async (token: string, jws: CompactJws, jkt: string | null) => {
    if (!isStarted) await within(started, timeout * 1000)
    checkNews()
    return issued.verify(token, jws, jkt)
  }

  /** @param named the key set that a self-signed token names; null: a secret names none */
  const verifyByAsking = async (
    token: string,
    kind: 'self_signed' | 'key_set',
    named: string | null,
  ) => {
    const claims = await introspection.claimsOf(token, kind)
    // A cache on the way may have mixed up two answers.
    if (named !== null && claims.clientId !== named)
      throw new VerificationUnavailable('bad_answer', new TypeError('introspection: another token'))
    const rest = revocations.judge(claims)
    if (typeof rest === 'string') throw new TokenInvalid(rest)
    return accessOf(rest, usage.counterOf(rest))
  }

  const verifyNew = async (token: string, jkt: string | null): Promise<Access> => {
    if (token.length > maxTokenLength) throw new TokenInvalid('too_long')
    const jws = parseCompact(token)
    if (!jws && !secretShape.test(token)) throw new TokenInvalid('malformed')
    const sort = sortOf(jws)
    checkOpen()
    if (jws && sort === 'issued')
      return isLocal ? verifyIssued(token, jws, jkt) : introspected(token, jws, jkt)
    if (jkt !== null) throw new TokenInvalid('key_mismatch') // no key set binds its tokens
    const named = jws && namedKeySet(jws, settings, now() / 1000)
    if (jws && named === null) throw new TokenInvalid('claims')
    return verifyByAsking(token, sort as 'self_signed' | 'key_set', named)
  }

  /** Verifies a known token without waiting and without a request. */
  const recall = (token: string, jkt: string | null): Promise<Access> | undefined => {
    const known = issued.recall(token, jkt)
    if (known !== undefined) checkNews()
    return known
  }

  const verifyToken = (token: string, jkt: string | null) => {
    if (typeof token !== 'string' || token === '') throw new TokenInvalid('missing')
    return recall(token, jkt) ?? verifyNew(token, jkt)
  }

  /** A proof is consumed only when all other checks have passed. */
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
    now,
    report: misuse.report,
    status: () => {
      if (isStarted && !pace.isStopped()) isStale()
      const readAt = keys.readAt()
      const age = (ticks() - feed.heardAt()) / 1000
      return {
        ready: isStarted && !pace.isStopped(),
        feedAge: Number.isFinite(age) ? Math.max(0, age) : null,
        keysReadAt: readAt === null ? null : new Date(readAt),
        problems: problems.list(),
      }
    },
    close: async () => {
      pace.stop()
      await usage.close()
      transport.close()
      await running
      await server.leave()
      transport.close()
    },
  }
}
