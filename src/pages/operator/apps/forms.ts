// Forms that register and change apps.
import type { FastifyInstance } from 'fastify'
import type { AppJson, CreatedAppJson } from '../../../http/operator/apps/schemas.ts'
import type { SecretJson } from '../../../http/operator/apps/secrets.ts'
import type { Body } from '../../rendering/forms/form-field.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import { home, tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { personIds, personNames } from '../people/by-email.ts'
import { chosenOverlap, overlapByDefault, overlapField } from '../secret-overlap.ts'
import { fieldsOf } from './fields.ts'
import { apiPathOf, appUrl } from './path.ts'

type Interface = AppJson['interface']

const path = `${home}/apps/:client_id`
const readApp = ({ api, request }: OperatorVisit) =>
  api.readVersion<AppJson>(`/apps/${parameter(request, 'client_id')}`)

/** The body with owners by their ids; they may be typed as e-mail addresses. */
const withOwners = async (visit: OperatorVisit, body: Body) => {
  if (!Array.isArray(body.owners)) return { body }
  const ids = await personIds(visit, 'owners', body.owners.map(String))
  return 'refusal' in ids ? ids : { body: { ...body, owners: ids.ids } }
}

const secretOfApp = (made: CreatedAppJson) =>
  made.client_secret === undefined
    ? null
    : {
        name: made.name,
        idLabel: made.interface === 'legacy' ? ('legacyApp' as const) : ('client' as const),
        id: made.client_id,
        secret: made.client_secret,
        backUrl: appUrl(made.client_id),
      }

const registration = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
  at: string,
  interfaceName: Interface,
) =>
  formPage(scope, deps, at, 'apps:write', (visit) => {
    const { forms } = visit.text.operator
    return {
      tab: 'apps',
      ...forms.registerApp,
      fields: fieldsOf(visit, deps, interfaceName, null),
      blocks: [
        {
          kind: 'links',
          links: [
            interfaceName === 'current'
              ? { label: forms.registerLegacy, href: `${home}/apps/new-legacy`, isPrimary: false }
              : { label: forms.registerCurrent, href: `${home}/apps/new`, isPrimary: false },
          ],
        },
      ],
      cancelUrl: tabUrl('apps'),
      call: async (sent) => {
        const read = await withOwners(visit, { ...sent, interface: interfaceName })
        return 'refusal' in read ? read : { method: 'POST', path: '/apps', body: read.body }
      },
      secretOf: secretOfApp,
      done: ({ client_id }: AppJson) => doneAt(visit, appUrl(client_id), 'created')(),
    }
  })

const change = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${path}/change`, 'apps:write', async (visit) => {
    const { item, etag } = await readApp(visit)
    const owners = await personNames(visit, item.owners)
    return {
      tab: 'apps',
      subject: item.name,
      ...visit.text.operator.forms.changeApp,
      fields: fieldsOf(visit, deps, item.interface, item, owners),
      cancelUrl: appUrl(item.client_id),
      etag,
      call: async (sent) => {
        const read = await withOwners(visit, sent)
        return 'refusal' in read
          ? read
          : { method: 'PATCH', path: apiPathOf(item.client_id), body: read.body }
      },
      done: doneAt(visit, appUrl(item.client_id), 'saved'),
    }
  })

const switches = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const)
    confirmPage(scope, deps, `${path}/${name}`, 'apps:write', async (visit) => {
      const { item } = await readApp(visit)
      const { forms } = visit.text.operator
      return {
        tab: 'apps',
        words: disabled ? forms.disableApp : forms.enableApp,
        subject: item.name,
        isHarmless: !disabled,
        cancelUrl: appUrl(item.client_id),
        call: () => ({ method: 'PATCH', path: apiPathOf(item.client_id), body: { disabled } }),
        done: doneAt(visit, appUrl(item.client_id), 'saved'),
      }
    })
  confirmPage(scope, deps, `${path}/delete`, 'apps:write', async (visit) => {
    const { item, etag } = await readApp(visit)
    return {
      tab: 'apps',
      words: visit.text.operator.forms.deleteApp,
      subject: item.name,
      cancelUrl: appUrl(item.client_id),
      etag,
      call: () => ({ method: 'DELETE', path: apiPathOf(item.client_id) }),
      done: doneAt(visit, tabUrl('apps'), 'deleted'),
    }
  })
}

const secrets = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/secret`, 'apps:write', async (visit) => {
    const { item } = await readApp(visit)
    const { forms } = visit.text.operator
    return {
      tab: 'apps',
      subject: item.name,
      ...forms.newAppSecret,
      fields: [overlapField(visit.text)],
      cancelUrl: appUrl(item.client_id),
      call: () => ({
        method: 'POST',
        path: `${apiPathOf(item.client_id)}/secrets`,
        body: { retire_others_after_seconds: chosenOverlap(visit.request) ?? overlapByDefault },
      }),
      secretOf: ({ client_secret }: { client_secret: string }) =>
        secretOfApp({ ...item, client_secret }),
      done: doneAt(visit, appUrl(item.client_id), 'created'),
    }
  })

  confirmPage(scope, deps, `${path}/secrets/:secret_id/delete`, 'apps:write', async (visit) => {
    const { item } = await readApp(visit)
    const { items } = await visit.api.list<SecretJson>(`${apiPathOf(item.client_id)}/secrets`)
    const id = parameter(visit.request, 'secret_id')
    const hint = items.find((one) => one.id === id)?.hint ?? ''
    return {
      tab: 'apps',
      words: visit.text.operator.forms.deleteSecret,
      subject: `${item.name} ${hint}`,
      cancelUrl: appUrl(item.client_id),
      call: () => ({ method: 'DELETE', path: `${apiPathOf(item.client_id)}/secrets/${id}` }),
      done: doneAt(visit, appUrl(item.client_id), 'deleted'),
    }
  })
}

export const operatorAppForms = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  registration(scope, deps, `${home}/apps/new`, 'current')
  registration(scope, deps, `${home}/apps/new-legacy`, 'legacy')
  change(scope, deps)
  switches(scope, deps)
  secrets(scope, deps)
}
