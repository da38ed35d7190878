// Forms that create and change a key set, and replace its secret.
import type {
  KeySetJson,
  KeySetWithSecretJson,
} from '../../../http/operator/organizations/key-sets.ts'
import { keySetFields, overlapField, overlapIn } from '../../rendering/fields/key-sets.ts'
import { links } from '../../rendering/forms/blocks.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal } from '../console-form.ts'
import { permissionsField } from '../fields.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { keySetPath, readKeySet } from './key-sets.ts'
import { organizationPath, readOrganization } from './path.ts'
import { chosenWorkspaces, workspacesField } from './workspace-choice.ts'

type Interface = KeySetJson['interface']

const fieldsOf = async (
  visit: OperatorVisit,
  deps: OperatorPagesDependencies,
  organizationId: string,
  interfaceName: Interface,
  present: KeySetJson | null,
): Promise<Field[]> => {
  const ticked = present?.permissions ?? []
  const offered = [...deps.catalogue.names(interfaceName), ...ticked]
  return [
    ...keySetFields(visit.text, present),
    permissionsField(visit, deps, interfaceName, offered, ticked),
    ...(interfaceName === 'current'
      ? [await workspacesField(visit, organizationId, present?.workspace_ids ?? null)]
      : []),
  ]
}

/** The body of the call. A key set of the legacy interface reaches all workspaces. */
const bodyOf = (
  visit: OperatorVisit,
  typed: Body,
  interfaceName: Interface,
  present: KeySetJson | null,
) => {
  const limit = present?.workspace_ids ?? null
  const chosen = interfaceName === 'current' ? chosenWorkspaces(visit, typed, limit) : { ids: null }
  return 'refusal' in chosen ? chosen : { body: { ...typed, workspace_ids: chosen.ids } }
}

/** @param url of the page of the organization */
const secretOf =
  (url: string) =>
  ({ id, name, client_id, interface: interfaceName, secret }: KeySetWithSecretJson) => ({
    name,
    idLabel: interfaceName === 'current' ? ('client' as const) : ('legacyApp' as const),
    id: client_id,
    secret,
    backUrl: `${url}/key-sets/${id}`,
  })

const creation = ({ form }: Tab, deps: OperatorPagesDependencies) => {
  const places = { current: 'key-sets/new', legacy: 'key-sets/new-legacy' } as const
  for (const [name, other] of [
    ['current', 'legacy'],
    ['legacy', 'current'],
  ] as const)
    form(`${organizationPath}/${places[name]}`, 'key_sets:write', async (visit) => {
      const { item: organization, at, url } = await readOrganization(visit)
      const { keyForm } = visit.text.organization
      return {
        subject: organization.name,
        heading: keyForm.headings[name],
        lead: keyForm.lead[name],
        submit: keyForm.create,
        blocks: links([keyForm.headings[other], `${url}/${places[other]}`]),
        fields: await fieldsOf(visit, deps, organization.id, name, null),
        cancelUrl: `${url}/key-sets`,
        call: (typed) => {
          const read = bodyOf(visit, { ...typed, interface: name }, name, null)
          return 'refusal' in read ? read : { method: 'POST', path: `${at}/key-sets`, ...read }
        },
        secretOf: secretOf(url),
      }
    })
}

const change = ({ form }: Tab, deps: OperatorPagesDependencies) =>
  form(`${keySetPath}/change`, 'key_sets:write', async (visit) => {
    const { organization, item, etag, at, url } = await readKeySet(visit)
    const { keyForm } = visit.text.organization
    return {
      subject: item.name,
      heading: keyForm.changeHeading,
      lead: keyForm.changeLead,
      submit: keyForm.save,
      fields: await fieldsOf(visit, deps, organization.id, item.interface, item),
      cancelUrl: url,
      etag,
      call: (typed) => {
        const read = bodyOf(visit, typed, item.interface, item)
        return 'refusal' in read ? read : { method: 'PATCH', path: at, ...read }
      },
    }
  })

const rotation = ({ form }: Tab) =>
  form(`${keySetPath}/rotate`, 'key_sets:write', async (visit) => {
    const { item, at, back, url } = await readKeySet(visit)
    const { keyRotate } = visit.text.organization
    return {
      subject: item.name,
      heading: keyRotate.title,
      lead: item.secrets.length === 0 ? keyRotate.none : null,
      submit: keyRotate.confirm,
      fields: overlapField(visit.text, item.secrets.length),
      cancelUrl: url,
      call: ({ retire_others_after_seconds: typed }) => {
        const after = overlapIn(typed)
        return after === null
          ? fieldRefusal('retire_others_after_seconds', keyRotate.full)
          : { method: 'POST', path: `${at}/rotate`, body: { retire_others_after_seconds: after } }
      },
      secretOf: secretOf(back),
    }
  })

export const operatorKeySetForms = (tab: Tab, deps: OperatorPagesDependencies) => {
  creation(tab, deps)
  change(tab, deps)
  rotation(tab)
}
