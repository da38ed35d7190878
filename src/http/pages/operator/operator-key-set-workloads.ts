// The workloads that a key set of the current interface trusts.
import type { FastifyInstance } from 'fastify'
import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import { field } from '../rendering/forms.ts'
import type { Block } from '../rendering/operator-view-models.ts'
import {
  claimLines,
  type GivenWorkload,
  readClaims,
  shapeFaults,
  type WorkloadFaults,
  workloadFaultWords,
  workloadFields,
  workloadMark,
  workloadOf,
} from '../rendering/workload-fields.ts'
import type { ApiRefusal } from './api.ts'
import { code, linked, plain, table, words } from './blocks.ts'
import type { Field } from './console-field.ts'
import { confirmPage, doneAt, formPage } from './console-form.ts'
import { type KeySetPlace, keySetPath, readKeySet } from './key-set-path.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './operator-gate.ts'

const path = `${keySetPath}/workloads`

/** @throws NotFound for a key set of the legacy interface, which trusts none */
const readTrusting = async (visit: OperatorVisit): Promise<KeySetPlace> => {
  const place = await readKeySet(visit)
  if (place.item.interface === 'legacy') throw new NotFound('page')
  return place
}

const workloadsTable = ({ text }: OperatorVisit, { item, url }: KeySetPlace): Block => {
  const { keyWorkloads: said } = text.organization
  return table({
    id: 'workloads',
    columns: [said.issuer, said.subject, said.claims, said.jwksUri, said.action],
    rows: item.workloads.map((one) => [
      code(one.issuer),
      one.subject === undefined ? plain(text.operator.none) : code(one.subject),
      plain(claimLines(one).join(', ') || text.operator.none),
      one.jwks_uri === undefined
        ? plain(text.operator.daily.identityProvider.discovered)
        : code(one.jwks_uri),
      linked(said.remove, `${url}/workloads/${workloadMark(one)}/remove`),
    ]),
    empty: said.none,
  })
}

const fieldsOf = ({ text }: OperatorVisit): Field[] => {
  const { keyWorkloads: said } = text.organization
  return [
    {
      name: 'issuer',
      kind: 'text',
      label: said.issuer,
      hint: said.issuerHint,
      isRequired: true,
      isCode: true,
    },
    { name: 'subject', kind: 'text', label: said.subject, hint: said.subjectHint, isCode: true },
    { name: 'claims', kind: 'area', label: said.claims, hint: said.claimsHint, isCode: true },
    { name: 'jwks_uri', kind: 'text', label: said.jwksUri, hint: said.jwksUriHint, isCode: true },
  ]
}

const givenIn = ({ request }: OperatorVisit): GivenWorkload => ({
  issuer: field(request, 'issuer').trim(),
  subject: field(request, 'subject').trim(),
  claims: field(request, 'claims'),
  jwks_uri: field(request, 'jwks_uri').trim(),
})

const refusalOf = (faults: WorkloadFaults): ApiRefusal => {
  const errors = workloadFields.flatMap((name) =>
    faults[name] === undefined
      ? []
      : [{ pointer: `/${name}`, detail: faults[name], isWorded: true as const }],
  )
  return { status: 400, type: 'about:blank', detail: '', errors }
}

const trust = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, path, 'key_sets:write', async (visit) => {
    const place = await readTrusting(visit)
    const { keyWorkloads: said } = visit.text.organization
    const { item, etag, at, url } = place
    const isFull = item.workloads.length >= mostWorkloads
    return {
      tab: 'organizations',
      subject: item.name,
      heading: said.title,
      lead: said.lead,
      submit: said.trust,
      blocks: [
        workloadsTable(visit, place),
        ...(isFull ? [words(said.full(mostWorkloads), 'plain')] : []),
      ],
      fields: fieldsOf(visit),
      cancelUrl: url,
      etag,
      call: () => {
        const given = givenIn(visit)
        const faults = shapeFaults(said.faults, given)
        const claims = readClaims(given.claims)
        if (claims === null || Object.keys(faults).length > 0) return { refusal: refusalOf(faults) }
        const workloads: Workload[] = [...item.workloads, workloadOf(given, claims)]
        return { method: 'PATCH', path: at, body: { workloads } }
      },
      refused: (refusal) => {
        const faults = workloadFaultWords(said.faults, refusal.errors)
        return refusal.status === 400 && Object.keys(faults).length > 0
          ? refusalOf(faults)
          : refusal
      },
      done: doneAt(visit, `${url}/workloads`, 'saved'),
    }
  })

const untrust = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  confirmPage(scope, deps, `${path}/:workload/remove`, 'key_sets:write', async (visit) => {
    const { item, etag, at, url } = await readTrusting(visit)
    const { workload: mark } = visit.request.params as { workload: string }
    const isMeant = (one: Workload) => workloadMark(one) === mark
    const one = found(item.workloads.find(isMeant) ?? null, 'workload')
    const { title, atOnce, confirm } = visit.text.organization.keyStop.untrust
    return {
      tab: 'organizations',
      words: { heading: title, lead: atOnce, submit: confirm },
      subject: workloadName(one),
      cancelUrl: `${url}/workloads`,
      etag,
      call: () => ({
        method: 'PATCH',
        path: at,
        body: { workloads: item.workloads.filter((each) => !isMeant(each)) },
      }),
      done: doneAt(visit, `${url}/workloads`, 'saved'),
    }
  })

export const operatorKeySetWorkloads = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
) => {
  trust(scope, deps)
  untrust(scope, deps)
}
