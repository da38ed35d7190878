// Forms that create and change a key set, replace its secret, and name the workloads that it trusts.

import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import type {
  KeySetJson,
  KeySetWithSecretJson,
} from '../../../http/operator/organizations/key-sets.ts'
import { keySetFields, overlapField, overlapIn } from '../../rendering/fields/key-sets.ts'
import {
  workloadFields,
  workloadIn,
  workloadMark,
  workloadRefusal,
  workloadTable,
} from '../../rendering/fields/workloads.ts'
import { links, words } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal } from '../console-form.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { keySetPath, readKeySet } from './key-sets.ts'
import { organizationPath, readOrganization } from './path.ts'
import { reachFields, reachIn } from './workspace-choice.ts'

const right = 'key_sets:write'

const fieldsOf = async (
  visit: OperatorVisit,
  organizationId: string,
  interfaceName: Interface,
  present: KeySetJson | null,
): Promise<Field[]> => {
  const ticked = present?.permissions ?? []
  const offered = [...visit.catalogue.names(interfaceName), ...ticked]
  const [boxes, limit] = [{ offered, ticked }, present?.workspace_ids ?? null]
  return [
    ...keySetFields(visit.text, present),
    ...(await reachFields(visit, organizationId, interfaceName, boxes, limit)),
  ]
}

/** @param url of the list of key sets */
const secretOf =
  (url: string) =>
  ({ id, name, client_id, interface: interfaceName, secret }: KeySetWithSecretJson) => ({
    name,
    idLabel: interfaceName === 'current' ? ('client' as const) : ('legacyApp' as const),
    id: client_id,
    secret,
    backUrl: `${url}/${id}`,
  })

const places = { current: 'key-sets/new', legacy: 'key-sets/new-legacy' } as const

const creation = ({ change }: Tab) => {
  for (const [name, other] of [
    ['current', 'legacy'],
    ['legacy', 'current'],
  ] as const) {
    const path = `${organizationPath}/${places[name]}`
    change(path, right, readOrganization, async ({ item, at, url }, visit) => {
      const { keyForm } = visit.text.organization
      return {
        heading: keyForm.headings[name],
        lead: keyForm.lead[name],
        submit: keyForm.create,
        blocks: links([keyForm.headings[other], `${url}/${places[other]}`]),
        fields: await fieldsOf(visit, item.id, name, null),
        cancelUrl: `${url}/key-sets`,
        etag: undefined,
        call: (typed) => {
          const read = reachIn(visit, name, { ...typed, interface: name }, null)
          return 'refusal' in read ? read : { method: 'POST', path: `${at}/key-sets`, ...read }
        },
        secretOf: secretOf(`${url}/key-sets`),
      }
    })
  }
}

const settings = ({ change }: Tab) =>
  change(`${keySetPath}/change`, right, readKeySet, async (keySet, visit) => {
    const { organization, item, at } = keySet
    const { keyForm } = visit.text.organization
    return {
      heading: keyForm.changeHeading,
      lead: keyForm.changeLead,
      submit: keyForm.save,
      fields: await fieldsOf(visit, organization.id, item.interface, item),
      call: (typed) => {
        const read = reachIn(visit, item.interface, typed, item.workspace_ids)
        return 'refusal' in read ? read : { method: 'PATCH', path: at, ...read }
      },
    }
  })

const rotation = ({ change }: Tab) =>
  change(`${keySetPath}/rotate`, right, readKeySet, ({ item, at, back }, visit) => {
    const { keyRotate } = visit.text.organization
    return {
      heading: keyRotate.title,
      lead: item.secrets.length === 0 ? keyRotate.none : null,
      submit: keyRotate.confirm,
      fields: overlapField(visit.text, item.secrets.length),
      etag: undefined,
      call: ({ retire_others_after_seconds: typed }) => {
        const after = overlapIn(typed)
        return after === null
          ? fieldRefusal('retire_others_after_seconds', keyRotate.full)
          : { method: 'POST', path: `${at}/rotate`, body: { retire_others_after_seconds: after } }
      },
      secretOf: secretOf(back),
    }
  })

/** @throws NotFound for a key set of the legacy interface, which trusts none */
const readTrusting = async (visit: OperatorVisit) => {
  const keySet = await readKeySet(visit)
  if (keySet.item.interface === 'legacy') throw new NotFound('page')
  return keySet
}

const trust = ({ change }: Tab) =>
  change(`${keySetPath}/workloads`, right, readTrusting, ({ item, at, url }, { text }) => {
    const { keyWorkloads: said } = text.organization
    const isFull = item.workloads.length >= mostWorkloads
    const own = `${url}/workloads`
    return {
      heading: said.title,
      lead: said.lead,
      submit: said.trust,
      blocks: [
        workloadTable(text, item.workloads, own),
        ...(isFull ? [words(said.full(mostWorkloads), 'plain')] : []),
      ],
      fields: workloadFields(text),
      call: (typed) => {
        const workload = workloadIn(text, typed)
        if ('errors' in workload) return { refusal: workload }
        return { method: 'PATCH', path: at, body: { workloads: [...item.workloads, workload] } }
      },
      refused: (refusal) =>
        (refusal.status === 400 ? workloadRefusal(text, refusal.errors) : null) ?? refusal,
      next: own,
    }
  })

const untrust = ({ confirm }: Tab) =>
  confirm(`${keySetPath}/workloads/:workload/remove`, right, readTrusting, (keySet, visit) => {
    const { item, at, url } = keySet
    const { workload: mark } = visit.request.params as { workload: string }
    const isMeant = (one: Workload) => workloadMark(one) === mark
    const workload = found(item.workloads.find(isMeant) ?? null, 'workload')
    const workloads = item.workloads.filter((each) => !isMeant(each))
    const { title, atOnce, confirm: submit } = visit.text.organization.keyStop.untrust
    return {
      words: { heading: title, lead: atOnce, submit },
      subject: workloadName(workload),
      cancelUrl: `${url}/workloads`,
      call: { method: 'PATCH', path: at, body: { workloads } },
    }
  })

export const operatorKeySetForms = [creation, settings, rotation, trust, untrust]
