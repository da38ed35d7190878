// Workloads that an app or a key set trusts: jobs and services with a token of their platform, and without a secret.
import { isDeepStrictEqual } from 'node:util'
import { type Fault, type FaultReason, faultAt, faultIf } from '../language/faults.ts'
import { type AddressRules, urlFault } from '../outbound/addresses.ts'
import type { KeySource } from '../outbound/remote-keys.ts'
import { longestUri } from './link.ts'

/** A trusted workload, by the names of the Operator API: what its token must have. */
export interface Workload {
  /** The exact `iss`. */
  issuer: string
  /** The exact `sub`. */
  subject?: string
  /** Further claims with their exact values. */
  claims?: Record<string, unknown>
  /** The keys of the issuer; absent: found by discovery. */
  jwks_uri?: string
}

export const mostWorkloads = 5
export const mostClaims = 10
export const longestSubject = 1000
/** Characters of the claims as JSON. */
const longestClaims = 4000
/** Levels of the claims: to write or compare deeper ones fails where the stack ends. */
const deepestClaims = 20

/** The faults of a URL that this server will fetch. @param pointer of the setting (RFC 6901) */
export const fetchedUrlFaults = (
  pointer: string,
  url: string | null | undefined,
  addresses: AddressRules,
  reason: FaultReason = 'jwks_uri',
): Fault[] => {
  if (url == null) return []
  const detail =
    url.length > longestUri ? `is longer than ${longestUri} characters` : urlFault(url, addresses)
  return detail === null ? [] : [faultAt(pointer, reason, detail)]
}

/** What the rules of workloads depend on. */
export interface WorkloadRules {
  /** Where keys may be fetched from. */
  addresses: AddressRules
  /** Of this server. Its own tokens never stand for a workload. */
  issuer: string
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

const faultsOf = (
  workload: Workload,
  pointer: string,
  { addresses, issuer: ownIssuer }: WorkloadRules,
): Fault[] => {
  const { issuer, subject, claims, jwks_uri: jwksUri } = workload
  const isOpen = subject === undefined && Object.keys(claims ?? {}).length === 0
  const place = `${pointer}/issuer`
  if (issuer === ownIssuer) return [faultAt(place, 'own_issuer', 'is this server')]
  // Without keys of its own, an issuer is a URL: its metadata is fetched from there.
  const isUrl = jwksUri === undefined
  const isLong = JSON.stringify(claims ?? {}).length > longestClaims
  const tooLong = `is longer than ${longestClaims} characters`
  return [
    ...(isUrl ? fetchedUrlFaults(place, issuer, addresses, 'issuer') : []),
    ...faultIf(isUrl && issuer.includes('?'), place, 'issuer', 'has a query (RFC 8414 §2)'),
    ...fetchedUrlFaults(`${pointer}/jwks_uri`, jwksUri, addresses, 'workload_keys'),
    ...faultIf(isOpen, pointer, 'workload_subject', 'needs a subject or claims'),
    ...faultIf(isLong, `${pointer}/claims`, 'workload_claims', tooLong),
  ]
}

/** The rules that a list of workloads breaks. */
export const workloadFaults = (workloads: readonly Workload[], rules: WorkloadRules): Fault[] => {
  if (workloads.length > mostWorkloads)
    return [faultAt('/workloads', 'too_many', `may have at most ${mostWorkloads} workloads`)]
  return workloads.flatMap((workload, index) => {
    const pointer = `/workloads/${index}`
    if (isDeeper(workload.claims, deepestClaims))
      return [
        faultAt(`${pointer}/claims`, 'workload_claims', `has more than ${deepestClaims} levels`),
      ]
    const earlier = workloads.slice(0, index)
    const isRepeated = earlier.some((one) => isDeepStrictEqual(one, workload))
    const differs = earlier.some(
      (one) => one.issuer === workload.issuer && one.jwks_uri !== workload.jwks_uri,
    )
    const difference = 'differs from another one of the same issuer'
    return [
      ...faultsOf(workload, pointer, rules),
      ...faultIf(isRepeated, pointer, 'workload_duplicate', 'is a duplicate'),
      ...faultIf(differs, `${pointer}/jwks_uri`, 'workload_keys', difference),
    ]
  })
}

/** Where the keys of the workload's issuer are. */
export const keySourceOf = ({ issuer, jwks_uri: jwksUri }: Workload): KeySource =>
  jwksUri === undefined ? { issuer } : { jwksUri }

/** Has the token the subject and every claim of the workload, each with exactly this value? */
export const isTokenOf = ({ subject, claims = {} }: Workload, payload: Record<string, unknown>) =>
  (subject === undefined || payload.sub === subject) &&
  Object.entries(claims).every(
    ([name, value]) => Object.hasOwn(payload, name) && isDeepStrictEqual(payload[name], value),
  )

/** How pages and the audit trail name a workload. */
export const workloadName = ({ issuer, subject, claims }: Workload): string =>
  `${subject ?? JSON.stringify(claims)} (${issuer})`
