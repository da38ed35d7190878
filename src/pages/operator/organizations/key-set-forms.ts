// Forms that create and change a key set, and replace its secret.
import type { FastifyInstance } from 'fastify'
import type {
  KeySetJson,
  KeySetWithSecretJson,
} from '../../../http/operator/organizations/key-sets.ts'
import { keySetFields, overlapField, overlapIn } from '../../rendering/fields/key-sets.ts'
import { links } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { permissionsField } from '../apps/permissions-field.ts'
import { doneAt, fieldRefusal, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { keySetPath, readKeySet } from './key-set-path.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { chosenWorkspaces, workspacesField } from './workspace-choice.ts'

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
        const chosen =
          interfaceName === 'current' ? chosenWorkspaces(visit, typed, null) : { ids: null }
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
          item.interface === 'current'
            ? chosenWorkspaces(visit, typed, item.workspace_ids)
            : { ids: null }
        if ('refusal' in chosen) return chosen
        const body = { ...typed, workspace_ids: chosen.ids }
        return { method: 'PATCH', path: at, body }
      },
      done: doneAt(visit, url, 'saved'),
    }
  })

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
      fields: overlapField(visit.text, item.secrets.length),
      cancelUrl: url,
      call: ({ retire_others_after_seconds: typed }) => {
        const after = overlapIn(typed)
        return after === null
          ? fieldRefusal('retire_others_after_seconds', keyRotate.full)
          : { method: 'POST', path: `${at}/rotate`, body: { retire_others_after_seconds: after } }
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
