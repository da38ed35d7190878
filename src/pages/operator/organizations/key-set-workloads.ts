// The workloads that a key set of the current interface trusts.
import type { FastifyInstance } from 'fastify'
import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import {
  workloadFields,
  workloadIn,
  workloadMark,
  workloadRefusal,
  workloadTable,
} from '../../rendering/fields/workloads.ts'
import { words } from '../../rendering/forms/blocks.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { type KeySetPlace, keySetPath, readKeySet } from './key-set-path.ts'

const path = `${keySetPath}/workloads`

/** @throws NotFound for a key set of the legacy interface, which trusts none */
const readTrusting = async (visit: OperatorVisit): Promise<KeySetPlace> => {
  const place = await readKeySet(visit)
  if (place.item.interface === 'legacy') throw new NotFound('page')
  return place
}

const trust = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, path, 'key_sets:write', async (visit) => {
    const { item, etag, at, url } = await readTrusting(visit)
    const { keyWorkloads: said } = visit.text.organization
    const isFull = item.workloads.length >= mostWorkloads
    return {
      tab: 'organizations',
      subject: item.name,
      heading: said.title,
      lead: said.lead,
      submit: said.trust,
      blocks: [
        workloadTable(visit.text, item.workloads, `${url}/workloads`),
        ...(isFull ? [words(said.full(mostWorkloads), 'plain')] : []),
      ],
      fields: workloadFields(visit.text),
      cancelUrl: url,
      etag,
      call: (typed) => {
        const workload = workloadIn(visit.text, typed)
        if ('errors' in workload) return { refusal: workload }
        return { method: 'PATCH', path: at, body: { workloads: [...item.workloads, workload] } }
      },
      refused: (refusal) =>
        (refusal.status === 400 ? workloadRefusal(visit.text, refusal.errors) : null) ?? refusal,
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
