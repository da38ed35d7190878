// An app in an organization, and when its access ends.
import type { FastifyInstance } from 'fastify'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import { daysIn } from '../../rendering/fields/policies.ts'
import { code, codes, facts, links, marked, plain, timed } from '../../rendering/forms/blocks.ts'
import type { Body } from '../../rendering/forms/form-field.ts'
import { appName } from '../apps/name.ts'
import { doneAt, fieldRefusal, formPage } from '../console-form.ts'
import { showConsole } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { organizationId, organizationPath, organizationUrl } from './path.ts'

const path = `${organizationPath}/installs/:client_id`
const day = 86_400 // s

const placesOf = (visit: OperatorVisit) => {
  const [id, clientId] = [organizationId(visit), parameter(visit.request, 'client_id')]
  const url = `${organizationUrl(id)}/installs/${clientId}`
  return { id, url, at: `/organizations/${id}/installs/${clientId}` }
}

const settingsOf = ({ text }: OperatorVisit, id: string, install: InstallJson) => {
  const { organizations, columns, states, daily } = text.operator
  const { expires_at: expiresAt, idle_seconds: idle, workspace_ids: workspaces } = install
  return facts(null, [
    [columns.app, code(install.client_id)],
    [columns.organization, code(id)],
    [columns.state, install.suspended ? marked(states.suspended) : plain(states.active)],
    [columns.permissions, codes(text, install.permissions)],
    [
      columns.where,
      workspaces === null ? plain(organizations.everywhere) : codes(text, workspaces),
    ],
    [columns.ends, expiresAt === null ? plain(daily.policy.noEnd) : timed(text, expiresAt)],
    [daily.policy.idle, plain(idle === null ? daily.policy.noEnd : daily.policy.days(idle / day))],
  ])
}

const page = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const show = async (visit: OperatorVisit) => {
    const { text, api, may } = visit
    const { organizations, daily } = text.operator
    const { id, url, at } = placesOf(visit)
    const install = await api.read<InstallJson>(at)
    const mayChange = may('installs:write')
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: organizations.oneInstall,
      subject: await appName(visit, install.client_id),
      isNarrow: true,
      blocks: [
        settingsOf(visit, id, install),
        ...links(
          mayChange &&
            may('apps:read') &&
            may('organizations:read') && [
              daily.changeInstall.change,
              `${organizationUrl(id)}/install/${encodeURIComponent(install.client_id)}`,
            ],
          mayChange && [daily.installEnd.change, `${url}/end`],
          mayChange &&
            (install.suspended
              ? [organizations.resume, `${url}/resume`]
              : [organizations.suspend, `${url}/suspend`]),
          mayChange && [organizations.uninstall, `${url}/uninstall`],
        ),
      ],
      back: may('organizations:read')
        ? { label: organizations.back, href: organizationUrl(id) }
        : null,
    })
  }
  scope.get(path, createOperatorGate(deps)({ permission: 'installs:read' }, show))
}

const end = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${path}/end`, 'installs:write', async (visit) => {
    const { text, api } = visit
    const { forms, daily } = text.operator
    const { heading, lead, submit, daysFault } = daily.installEnd
    const { at, url } = placesOf(visit)
    const { item, etag } = await api.readVersion<InstallJson>(at)
    const present = item.idle_seconds === null ? '' : String(item.idle_seconds / day)
    /** The API may have set a time that is no whole number of days; it stays when the field stays. */
    const bodyOf = ({ expires_at, idle_seconds: typed }: Body) => {
      if (String(typed ?? '') === present) return { body: { expires_at } }
      const days = daysIn(typed)
      if (days === undefined) return fieldRefusal('idle_seconds', daysFault)
      return { body: { expires_at, idle_seconds: days === null ? null : days * day } }
    }
    return {
      tab: 'organizations',
      heading,
      lead,
      submit,
      subject: await appName(visit, item.client_id),
      fields: [
        {
          name: 'expires_at',
          kind: 'text',
          label: forms.fields.expiresAt,
          hint: forms.fields.expiresHint,
          values: [item.expires_at ?? ''],
          whenEmpty: null,
          isCode: true,
        },
        {
          name: 'idle_seconds',
          kind: 'text',
          label: text.organization.policy.idle,
          hint: text.organization.policy.endsHint,
          values: [present],
          whenEmpty: null,
        },
      ],
      cancelUrl: url,
      etag,
      call: (typed) => {
        const read = bodyOf(typed)
        return 'refusal' in read ? read : { method: 'PATCH', path: at, body: read.body }
      },
      done: doneAt(visit, url, 'saved'),
    }
  })

export const operatorInstall = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  page(scope, deps)
  end(scope, deps)
}
