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
import type { TableBlock } from './block-view-models.ts'
import { code, linked, plain, table } from './blocks.ts'
import type { Body, Field } from './form-field.ts'
import type { Refusal } from './form-page.ts'

type WorkloadField = 'issuer' | 'subject' | 'claims' | 'jwks_uri'
type GivenWorkload = Record<WorkloadField, string>
type WorkloadFaults = Partial<Record<WorkloadField, string>>

/** Names a workload in an address, whatever the other ones are. */
export const workloadMark = (workload: Workload): string =>
  createHash('sha256').update(JSON.stringify(workload)).digest('base64url').slice(0, 22)

/** `name=value` on each line. @returns null when a line has another form, or there are too many */
const readClaims = (lines: string): Record<string, string> | null => {
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
const claimLines = ({ claims = {} }: Workload): string[] =>
  Object.entries(claims).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )

const workloadOf = (given: GivenWorkload, claims: Record<string, string>): Workload => ({
  issuer: given.issuer,
  ...(given.subject !== '' && { subject: given.subject }),
  ...(Object.keys(claims).length > 0 && { claims }),
  ...(given.jwks_uri !== '' && { jwks_uri: given.jwks_uri }),
})

type FaultWords = Text['organization']['keyWorkloads']['faults']

/** Faults that show before the service sees the workload. */
const shapeFaults = (words: FaultWords, given: GivenWorkload): WorkloadFaults => ({
  ...(given.issuer === '' && { issuer: words.issuer }),
  ...(given.subject.length > longestSubject && { subject: words.subject }),
  ...(readClaims(given.claims) === null && { claims: words.claims }),
})

/** The faults of the new workload, which is the last one, by its fields. */
const serviceFaults = (words: FaultWords, faults: readonly Fault[]): WorkloadFaults => {
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

const longestField = 8000

/** The fields of one more workload. */
export const workloadFields = ({ organization }: Text): Field[] => {
  const said = organization.keyWorkloads
  const optional = { whenEmpty: '', isCode: true } as const
  return [
    {
      ...{ name: 'issuer', kind: 'text', label: said.issuer, hint: said.issuerHint },
      ...{ isRequired: true, isCode: true, missing: said.faults.issuer },
    },
    { ...optional, name: 'subject', kind: 'text', label: said.subject, hint: said.subjectHint },
    { ...optional, name: 'claims', kind: 'area', label: said.claims, hint: said.claimsHint },
    { ...optional, name: 'jwks_uri', kind: 'text', label: said.jwksUri, hint: said.jwksUriHint },
  ]
}

const refusalOf = (faults: WorkloadFaults): Refusal => {
  const errors = new Map(Object.entries(faults))
  return { status: 400, errors, summary: [...errors.values()][0] ?? '' }
}

/** The workload of a submitted form. */
export const workloadIn = ({ organization }: Text, body: Body): Workload | Refusal => {
  const typed = (name: WorkloadField) => {
    const value = body[name]
    return (Array.isArray(value) ? value.join('\n') : String(value ?? '')).slice(0, longestField)
  }
  const given = {
    ...{ issuer: typed('issuer'), subject: typed('subject') },
    ...{ claims: typed('claims'), jwks_uri: typed('jwks_uri') },
  }
  const faults = shapeFaults(organization.keyWorkloads.faults, given)
  const claims = readClaims(given.claims)
  return claims === null || Object.keys(faults).length > 0
    ? refusalOf(faults)
    : workloadOf(given, claims)
}

/** What the service says of the new workload; null: it is not about this workload. */
export const workloadRefusal = (
  { organization }: Text,
  faults: readonly Fault[],
): Refusal | null => {
  const said = serviceFaults(organization.keyWorkloads.faults, faults)
  return Object.keys(said).length === 0 ? null : refusalOf(said)
}

/** @param url of the page of the workloads */
export const workloadTable = (
  text: Text,
  workloads: readonly Workload[],
  url: string,
): TableBlock => {
  const said = text.organization.keyWorkloads
  return table({
    id: 'workloads',
    columns: [said.issuer, said.subject, said.claims, said.jwksUri, said.action],
    rows: workloads.map((one) => [
      code(one.issuer),
      one.subject === undefined ? plain(text.form.none) : code(one.subject),
      plain(claimLines(one).join(', ') || text.form.none),
      one.jwks_uri === undefined
        ? plain(text.operator.daily.identityProvider.discovered)
        : code(one.jwks_uri),
      linked(said.remove, `${url}/${workloadMark(one)}/remove`, one.subject ?? one.issuer),
    ]),
    empty: said.none,
  })
}
