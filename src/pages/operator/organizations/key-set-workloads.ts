// The workloads that a key set of the current interface trusts.
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
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { keySetPath, readKeySet } from './key-sets.ts'

const path = `${keySetPath}/workloads`

/** @throws NotFound for a key set of the legacy interface, which trusts none */
const readTrusting = async (visit: OperatorVisit) => {
  const { item, etag, at, url: keySetUrl } = await readKeySet(visit)
  if (item.interface === 'legacy') throw new NotFound('page')
  return { item, etag, at, keySetUrl, url: `${keySetUrl}/workloads` }
}

const trust = ({ form }: Tab) =>
  form(path, 'key_sets:write', async (visit) => {
    const { item, etag, at, keySetUrl, url } = await readTrusting(visit)
    const { keyWorkloads: said } = visit.text.organization
    const isFull = item.workloads.length >= mostWorkloads
    return {
      subject: item.name,
      heading: said.title,
      lead: said.lead,
      submit: said.trust,
      blocks: [
        workloadTable(visit.text, item.workloads, url),
        ...(isFull ? [words(said.full(mostWorkloads), 'plain')] : []),
      ],
      fields: workloadFields(visit.text),
      cancelUrl: keySetUrl,
      etag,
      call: (typed) => {
        const workload = workloadIn(visit.text, typed)
        if ('errors' in workload) return { refusal: workload }
        return { method: 'PATCH', path: at, body: { workloads: [...item.workloads, workload] } }
      },
      refused: (refusal) =>
        (refusal.status === 400 ? workloadRefusal(visit.text, refusal.errors) : null) ?? refusal,
      next: url,
    }
  })

const untrust = ({ confirm }: Tab) =>
  confirm(`${path}/:workload/remove`, 'key_sets:write', async (visit) => {
    const { item, etag, at, url } = await readTrusting(visit)
    const { workload: mark } = visit.request.params as { workload: string }
    const isMeant = (one: Workload) => workloadMark(one) === mark
    const one = found(item.workloads.find(isMeant) ?? null, 'workload')
    const workloads = item.workloads.filter((each) => !isMeant(each))
    const { title, atOnce, confirm: submit } = visit.text.organization.keyStop.untrust
    return {
      words: { heading: title, lead: atOnce, submit },
      subject: workloadName(one),
      cancelUrl: url,
      etag,
      call: { method: 'PATCH', path: at, body: { workloads } },
    }
  })

export const operatorKeySetWorkloads = (tab: Tab) => {
  trust(tab)
  untrust(tab)
}
