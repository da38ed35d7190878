// The fields of one trusted workload, as people type and read them.
import { createHash } from 'node:crypto'
import { longestSubject, mostClaims, type Workload } from '../../../core/clients/workloads.ts'
import type { Text } from '../../../words/text.ts'
import { faultWords, type RefusedFault } from '../fault-words.ts'
import { code, linked, table } from '../forms/blocks.ts'
import type { Body, Field } from '../forms/form-field.ts'
import type { Refusal } from '../forms/form-page.ts'

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

/** Faults that show before the service sees the workload. */
const shapeFaults = ({ faults }: Text, given: GivenWorkload): WorkloadFaults => ({
  ...(given.issuer === '' && { issuer: faults.issuer }),
  ...(given.subject.length > longestSubject && { subject: faults.workload_subject }),
  ...(readClaims(given.claims) === null && { claims: faults.workload_claims }),
})

/** A fault of a workload as a whole is shown at a field, too. */
const fieldOf = ({ pointer, reason }: RefusedFault) =>
  pointer.split('/')[3] ?? (reason === 'workload_duplicate' ? 'issuer' : 'subject')

const longestField = 8000

/** The fields of one more workload. */
export const workloadFields = ({ organization, faults }: Text): Field[] => {
  const said = organization.keyWorkloads
  const optional = { whenEmpty: '', isCode: true } as const
  return [
    {
      ...{ name: 'issuer', kind: 'text', label: said.issuer, hint: said.issuerHint },
      ...{ isRequired: true, isCode: true, missing: faults.issuer },
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
export const workloadIn = (text: Text, body: Body): Workload | Refusal => {
  const typed = (name: WorkloadField) => {
    const value = body[name]
    return (Array.isArray(value) ? value.join('\n') : String(value ?? '')).slice(0, longestField)
  }
  const given = {
    ...{ issuer: typed('issuer'), subject: typed('subject') },
    ...{ claims: typed('claims'), jwks_uri: typed('jwks_uri') },
  }
  const faults = shapeFaults(text, given)
  const claims = readClaims(given.claims)
  return claims === null || Object.keys(faults).length > 0
    ? refusalOf(faults)
    : workloadOf(given, claims)
}

/** What the service says of the new workload, which is the last one; null: it says nothing of it. */
export const workloadRefusal = (text: Text, faults: readonly RefusedFault[]): Refusal | null =>
  faults.length === 0
    ? null
    : refusalOf(Object.fromEntries(faults.map((one) => [fieldOf(one), faultWords(text, one)])))

/** @param url of the page of the workloads */
export const workloadTable = (text: Text, workloads: readonly Workload[], url: string) => {
  const said = text.organization.keyWorkloads
  return table({
    id: 'workloads',
    columns: [said.issuer, said.subject, said.claims, said.jwksUri, said.action],
    rows: workloads.map((one) => [
      code(one.issuer),
      one.subject === undefined ? text.form.none : code(one.subject),
      claimLines(one).join(', ') || text.form.none,
      one.jwks_uri === undefined
        ? text.operator.daily.identityProvider.discovered
        : code(one.jwks_uri),
      linked(said.remove, `${url}/${workloadMark(one)}/remove`, one.subject ?? one.issuer),
    ]),
    empty: said.none,
  })
}
