// The fields of one trusted workload, as people type and read them.
import { createHash } from 'node:crypto'
import {
  longestSubject,
  mostClaims,
  ownIssuerDetail,
  type Workload,
} from '../../../core/clients/workloads.ts'
import type { Fault } from '../../../core/language/faults.ts'
import type { Text } from '../../../words/text.ts'
import type { WorkloadField } from './organization-view-models.ts'

export type GivenWorkload = Record<WorkloadField, string>
export type WorkloadFaults = Partial<Record<WorkloadField, string>>

export const workloadFields = ['issuer', 'subject', 'claims', 'jwks_uri'] as const

/** Names a workload in an address, whatever the other ones are. */
export const workloadMark = (workload: Workload): string =>
  createHash('sha256').update(JSON.stringify(workload)).digest('base64url').slice(0, 22)

/** `name=value` on each line. @returns null when a line has another form, or there are too many */
export const readClaims = (lines: string): Record<string, string> | null => {
  const pairs = lines
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => /^([^=]+)=(.*)$/.exec(line.trim()))
  if (pairs.length > mostClaims || pairs.includes(null)) return null
  const claims = pairs.map((pair) => [pair?.[1]?.trim(), pair?.[2]?.trim()])
  const names = new Set(claims.map(([name]) => name))
  return names.size === claims.length && !names.has('') ? Object.fromEntries(claims) : null
}

/** The claims of a workload, one on each line. */
export const claimLines = ({ claims = {} }: Workload): string[] =>
  Object.entries(claims).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )

export const workloadOf = (given: GivenWorkload, claims: Record<string, string>): Workload => ({
  issuer: given.issuer,
  ...(given.subject !== '' && { subject: given.subject }),
  ...(Object.keys(claims).length > 0 && { claims }),
  ...(given.jwks_uri !== '' && { jwks_uri: given.jwks_uri }),
})

type FaultWords = Text['organization']['keyWorkloads']['faults']

/** Faults that show before the service sees the workload. */
export const shapeFaults = (words: FaultWords, given: GivenWorkload): WorkloadFaults => ({
  ...(given.issuer === '' && { issuer: words.issuer }),
  ...(given.subject.length > longestSubject && { subject: words.subject }),
  ...(readClaims(given.claims) === null && { claims: words.claims }),
})

/** The faults of the new workload, which is the last one, by its fields. */
export const workloadFaultWords = (words: FaultWords, faults: readonly Fault[]): WorkloadFaults => {
  const parts = faults.map(({ pointer, detail }) => [pointer.split('/')[3], detail] as const)
  const has = (name: string) => parts.some(([part]) => part === name)
  const isDuplicate = parts.some(([part, detail]) => !part && detail === 'is a duplicate')
  const isOwn = parts.some(([, detail]) => detail === ownIssuerDetail)
  return {
    ...(isDuplicate && { issuer: words.duplicate }),
    ...(has('issuer') && { issuer: isOwn ? words.ownIssuer : words.issuer }),
    ...(has('claims') && { claims: words.claims }),
    ...(has('jwks_uri') && { jwks_uri: words.jwksUri }),
    ...(!isDuplicate && parts.some(([part]) => !part) && { subject: words.subject }),
  }
}
