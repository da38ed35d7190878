// Forms that create and change a key set, and replace its secret.
import type { FastifyInstance } from 'fastify'
import { mostSecrets } from '../../../core/clients/app.ts'
import type { KeySetJson, KeySetWithSecretJson } from '../../operator/key-sets.ts'
import { field } from '../rendering/forms.ts'
import { links } from './blocks.ts'
import type { Field } from './console-field.ts'
import { doneAt, fieldRefusal, formPage } from './console-form.ts'
import { keySetPath, readKeySet } from './key-set-path.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './operator-gate.ts'
import { organizationPath, organizationUrl, readOrganization } from './organization-path.ts'
import { permissionsField } from './permissions-field.ts'
import { chosenWorkspaces, workspaceFields } from './workspace-choice.ts'

type Interface = KeySetJson['interface']

const keySetUrl = (organizationId: string, id: string) =>
  `${organizationUrl(organizationId)}/key-sets/${id}`

const fieldsOf = async (
  visit: OperatorVisit,
  deps: OperatorPagesDependencies,
  organizationId: string,
  interfaceName: Interface,
  present: KeySetJson | null,
): Promise<Field[]> => {
  const { keyForm } = visit.text.organization
  const ticked = present?.permissions ?? []
  const offered = [...deps.catalogue.names(interfaceName), ...ticked]
  return [
    {
      name: 'name',
      kind: 'text',
      label: keyForm.name,
      hint: keyForm.nameHint,
      values: [present?.name ?? ''],
      isRequired: true,
    },
    {
      name: 'description',
      kind: 'text',
      label: keyForm.description,
      values: [present?.description ?? ''],
      whenEmpty: null,
    },
    permissionsField(visit, deps, interfaceName, offered, ticked),
    ...(interfaceName === 'current'
      ? await workspaceFields(visit, organizationId, present?.workspace_ids ?? null)
      : []),
  ]
}

const secretOf =
  (organizationId: string) =>
  ({ id, name, client_id, interface: interfaceName, secret }: KeySetWithSecretJson) => ({
    name,
    idLabel: interfaceName === 'current' ? ('client' as const) : ('legacyApp' as const),
    id: client_id,
    secret,
    backUrl: keySetUrl(organizationId, id),
  })

const creation = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
  name: string,
  interfaceName: Interface,
) =>
  formPage(scope, deps, `${organizationPath}/key-sets/${name}`, 'key_sets:write', async (visit) => {
    const { item: organization } = await readOrganization(visit)
    const { keyForm } = visit.text.organization
    const url = organizationUrl(organization.id)
    return {
      tab: 'organizations',
      subject: organization.name,
      heading: keyForm.headings[interfaceName],
      lead: keyForm.lead[interfaceName],
      submit: keyForm.create,
      blocks: links(
        interfaceName === 'current'
          ? [keyForm.headings.legacy, `${url}/key-sets/new-legacy`]
          : [keyForm.headings.current, `${url}/key-sets/new`],
      ),
      fields: await fieldsOf(visit, deps, organization.id, interfaceName, null),
      cancelUrl: url,
      call: (typed) => {
        const chosen = interfaceName === 'current' ? chosenWorkspaces(visit, null) : { ids: null }
        if ('refusal' in chosen) return chosen
        return {
          method: 'POST',
          path: `/organizations/${organization.id}/key-sets`,
          body: { ...typed, interface: interfaceName, workspace_ids: chosen.ids },
        }
      },
      secretOf: secretOf(organization.id),
      done: doneAt(visit, url, 'created'),
    }
  })

const change = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${keySetPath}/change`, 'key_sets:write', async (visit) => {
    const { organization, item, etag, at, url } = await readKeySet(visit)
    const { keyForm } = visit.text.organization
    return {
      tab: 'organizations',
      subject: item.name,
      heading: keyForm.changeHeading,
      lead: keyForm.changeLead,
      submit: keyForm.save,
      fields: await fieldsOf(visit, deps, organization.id, item.interface, item),
      cancelUrl: url,
      etag,
      call: (typed) => {
        const chosen =
          item.interface === 'current' ? chosenWorkspaces(visit, item.workspace_ids) : { ids: null }
        if ('refusal' in chosen) return chosen
        const body = { ...typed, workspace_ids: chosen.ids }
        return { method: 'PATCH', path: at, body }
      },
      done: doneAt(visit, url, 'saved'),
    }
  })

const hour = 3600 // s
const overlaps = { hour, day: 24 * hour, week: 168 * hour, month: 720 * hour, now: 0 }
type Overlap = keyof typeof overlaps

/** The secret in use can only stay beside the new one while there is room for both. */
const overlapField = ({ text }: OperatorVisit, { secrets }: KeySetJson): Field[] => {
  const { keyRotate } = text.organization
  if (secrets.length === 0) return []
  const isFull = secrets.length >= mostSecrets
  const offered: Overlap[] = isFull ? ['now'] : (Object.keys(overlaps) as Overlap[])
  return [
    {
      name: 'in_use',
      kind: 'choice',
      label: keyRotate.legend,
      hint: isFull ? keyRotate.full : null,
      values: isFull ? [] : ['day'],
      options: offered.map((value) => ({
        value,
        label: keyRotate.overlaps[value].words,
        hint: keyRotate.overlaps[value].hint || null,
      })),
      isOutside: true,
    },
  ]
}

const rotation = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${keySetPath}/rotate`, 'key_sets:write', async (visit) => {
    const { organization, item, at, url } = await readKeySet(visit)
    const { keyRotate } = visit.text.organization
    return {
      tab: 'organizations',
      subject: item.name,
      heading: keyRotate.title,
      lead: item.secrets.length === 0 ? keyRotate.none : null,
      submit: keyRotate.confirm,
      fields: overlapField(visit, item),
      cancelUrl: url,
      call: () => {
        const chosen = field(visit.request, 'in_use')
        const isLeftOut = item.secrets.length === 0
        if (!isLeftOut && !Object.hasOwn(overlaps, chosen))
          return fieldRefusal('in_use', keyRotate.full)
        const name = isLeftOut ? 'now' : (chosen as Overlap)
        return {
          method: 'POST',
          path: `${at}/rotate`,
          body: { retire_others_after_seconds: overlaps[name] },
        }
      },
      secretOf: secretOf(organization.id),
      done: doneAt(visit, url, 'created'),
    }
  })

export const operatorKeySetForms = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  creation(scope, deps, 'new', 'current')
  creation(scope, deps, 'new-legacy', 'legacy')
  change(scope, deps)
  rotation(scope, deps)
}
