// The token of a workload as the client's authentication (RFC 7523 §2.2).
import { decodeJwt, type JWTPayload } from 'jose'
import { singleUseKey } from '../crypto/digests.ts'
import { invalidClient } from '../language/errors.ts'
import type { RecordStore } from '../limits/records.ts'
import { assertionAlgorithms } from '../outbound/public-keys.ts'
import type { RemoteKeys } from '../outbound/remote-keys.ts'
import { verifyWithKeys } from '../outbound/verify-with-keys.ts'
import type { Waiter } from '../outbound/waits.ts'
import {
  acceptOnce,
  asInvalidClient,
  clockTolerance,
  demandAssertionType,
  longestLife,
} from './assertion-rules.ts'
import { isTokenOf, keySourceOf, type Workload, workloadName } from './workloads.ts'

/** A trusted workload, and who exactly proved to be one. */
export interface ProvenWorkload {
  workload: Workload
  /** The `sub` of its token; null: it has none, and its claims are trusted. */
  subject: string | null
}

/** Finds the trusted workload that a token is of. @throws OAuthError invalid_client; OutboundBusy */
export type CheckWorkload = (
  workloads: readonly Workload[],
  token: string,
  waiter: Waiter,
) => Promise<ProvenWorkload>

/** How the audit trail names the workload that got a token: exactly, also where many have the same claims. */
export const provenName = ({ workload, subject }: ProvenWorkload): string =>
  workloadName({ ...workload, ...(subject !== null && { subject }) })

/** What a token says before it is verified; empty when it is unreadable. */
export const unverifiedClaims = (token: string): JWTPayload => {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}

export const createCheckWorkload = (deps: {
  remoteKeys: RemoteKeys
  records: Pick<RecordStore, 'insert'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Of this server: the audience of the token. */
  issuer: string
}): CheckWorkload => {
  const { remoteKeys, records, now } = deps

  /** Verifies signature and times. Only the keys of its own issuer verify a token. */
  const verified = async (token: string, trusted: Workload, waiter: Waiter) => {
    try {
      const keys = await remoteKeys.keysOf(keySourceOf(trusted), waiter)
      const { payload } = await verifyWithKeys(token, keys, {
        algorithms: assertionAlgorithms,
        issuer: trusted.issuer,
        clockTolerance,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
      })
      return payload
    } catch (cause) {
      throw asInvalidClient(cause)
    }
  }

  /** @returns seconds until the token expires */
  const lifeOf = ({ exp = 0, iat }: JWTPayload): number => {
    const present = now() / 1000
    if (iat !== undefined && iat > present + clockTolerance)
      throw invalidClient('assertion_of_the_future')
    if (exp - Math.min(iat ?? present, present) > longestLife + clockTolerance)
      throw invalidClient('assertion_lives_too_long')
    return exp - present
  }

  /** RFC 7523 §3 (7): a token with a `jti` is accepted once, whichever client it is for. */
  const useOnce = async ({ iss = '', jti }: JWTPayload, life: number) => {
    if (jti === undefined) return
    if (typeof jti !== 'string' || jti === '') throw invalidClient('jti_malformed')
    await acceptOnce(records, singleUseKey('workload', iss, jti), life)
  }

  return async (workloads, token, waiter) => {
    const { iss } = unverifiedClaims(token)
    // A token of this server is for a data API. It never stands for a workload.
    const trusted = iss === deps.issuer ? [] : workloads.filter(({ issuer }) => issuer === iss)
    if (trusted[0] === undefined) throw invalidClient('workload_untrusted')
    demandAssertionType(token)
    const payload = await verified(token, trusted[0], waiter)
    // A token that is also for another server could be used by it. So the audience is this server alone.
    const audiences = [payload.aud].flat()
    if (audiences.length !== 1 || audiences[0] !== deps.issuer)
      throw invalidClient('workload_audience')
    const life = lifeOf(payload)
    const workload = trusted.find((one) => isTokenOf(one, payload))
    if (!workload) throw invalidClient('workload_mismatch')
    await useOnce(payload, life)
    return { workload, subject: typeof payload.sub === 'string' ? payload.sub : null }
  }
}
