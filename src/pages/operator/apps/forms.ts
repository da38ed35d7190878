// Forms that register and change apps.
import { camelKeys } from '../../../core/language/case.ts'
import type { AppJson, CreatedAppJson } from '../../../http/operator/apps/schemas.ts'
import type { SecretJson } from '../../../http/operator/apps/secrets.ts'
import { consentPreview, type KnownSettings } from '../../authorization/consent-preview.ts'
import { receiveLogo } from '../../rendering/fields/logo-upload.ts'
import { withRequirements } from '../../rendering/fields/required-permissions.ts'
import { code, codes, facts, links } from '../../rendering/forms/blocks.ts'
import type { Body } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home, tabUrl } from '../console-page.ts'
import { chosenOverlap, overlapByDefault, overlapField } from '../fields.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { personNames } from '../people/by-email.ts'
import { pickedIds } from '../picked.ts'
import type { Tab } from '../tab.ts'
import { appPath, appUrl, readApp } from './app.ts'
import { fieldsOf } from './fields.ts'

/** The call of the form. Owners may be typed as e-mail addresses. */
const callOf = async (visit: OperatorVisit, method: 'POST' | 'PATCH', path: string, sent: Body) => {
  const made = withRequirements(visit.text, sent)
  if ('refusal' in made) return made
  const { body } = made
  if (!Array.isArray(body.owners)) return { method, path, body }
  const owners = await pickedIds(visit, 'user', 'owners', body.owners.map(String))
  return 'refusal' in owners ? owners : { method, path, body: { ...body, owners: owners.ids } }
}

/** A logo can be uploaded, and the consent page is shown. */
const showing = (visit: OperatorVisit, deps: OperatorPagesDependencies, known: KnownSettings) => ({
  receive: receiveLogo(deps.logoUploads, visit, visit.session.user.id),
  preview: consentPreview(deps, visit, known),
})

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

const registration = ({ form, deps }: Tab) => {
  const addresses = { current: `${home}/apps/new`, legacy: `${home}/apps/new-legacy` } as const
  for (const name of ['current', 'legacy'] as const)
    form(addresses[name], 'apps:write', (visit) => {
      const { registerApp, registerLegacy, registerCurrent } = visit.text.operator.forms
      return {
        ...registerApp,
        fields: fieldsOf(visit, name, null),
        ...showing(visit, deps, { interface: name }),
        blocks: links(
          name === 'current'
            ? [registerLegacy, addresses.legacy]
            : [registerCurrent, addresses.current],
        ),
        cancelUrl: tabUrl('apps'),
        call: (sent) => callOf(visit, 'POST', '/apps', { ...sent, interface: name }),
        isFirstStep: true,
        secretOf: secretOfApp,
        next: ({ client_id }: AppJson) => appUrl(client_id),
      }
    })
}

const change = (tab: Tab) =>
  tab.change(`${appPath}/change`, 'apps:write', readApp, async ({ item, at }, visit) => ({
    ...visit.text.operator.forms.changeApp,
    fields: fieldsOf(visit, item.interface, item, await personNames(visit, item.owners)),
    ...showing(visit, tab.deps, camelKeys(item) as unknown as KnownSettings),
    call: (sent) => callOf(visit, 'PATCH', at, sent),
  }))

/** What people read of the app, and where it sends them. */
const shownOf = ({ text }: OperatorVisit, app: AppJson): Block => {
  const { forms, apps } = text.operator
  const { none } = text.form
  const { fields } = forms
  const address = (uri: string | null) => (uri === null ? none : code(uri))
  return facts(null, [
    [fields.name, app.name],
    [fields.publisher, app.publisher ?? none],
    [fields.description, app.description ?? none],
    [fields.homepageUri, address(app.homepage_uri)],
    [fields.logoUri, address(app.logo_uri)],
    [text.layout.privacy, address(app.policy_uri)],
    [text.layout.terms, address(app.tos_uri)],
    [apps.labels.redirectUris, codes(text, app.redirect_uris)],
  ])
}

/** Marks an app as reviewed: the operator's word for what the app says about itself, which people see beside its name. */
const review = ({ change }: Tab) =>
  change(`${appPath}/review`, 'apps:write', readApp, ({ item, at }, visit) => ({
    ...visit.text.operator.forms.markReviewed,
    subject: null,
    blocks: [shownOf(visit, item)],
    fields: [],
    call: { method: 'PATCH', path: at, body: { reviewed: true } },
  }))

const toggles = ({ toggle }: Tab) => toggle(appPath, 'apps:write', readApp, 'App')

const deletion = ({ confirm, deps }: Tab) =>
  confirm(`${appPath}/delete`, 'apps:write', readApp, async ({ item }, { text }) => {
    const { organizations, people } = await deps.deletionCounts.ofApp(item.client_id)
    return {
      words: text.operator.forms.deleteApp,
      goes: text.deletion.app(organizations, people),
      typedName: item.name,
      next: tabUrl('apps'),
    }
  })

const readSecret = async (visit: OperatorVisit) => {
  const { at: place, url, subject } = await readApp(visit)
  const { items } = await visit.api.list<SecretJson>(`${place}/secrets`)
  const id = visit.parameter('secret_id')
  const item = items.find((one) => one.id === id)
  return { item, url, at: `${place}/secrets/${id}`, subject: `${subject} ${item?.hint ?? ''}` }
}

const secrets = ({ change, confirm }: Tab) => {
  change(`${appPath}/secret`, 'apps:write', readApp, ({ item, at }, visit) => ({
    ...visit.text.operator.forms.newAppSecret,
    etag: undefined,
    fields: [overlapField(visit.text)],
    call: () => ({
      method: 'POST',
      path: `${at}/secrets`,
      body: { retire_others_after_seconds: chosenOverlap(visit.request) ?? overlapByDefault },
    }),
    secretOf: ({ client_secret }: { client_secret: string }) =>
      secretOfApp({ ...item, client_secret }),
  }))

  confirm(`${appPath}/secrets/:secret_id/delete`, 'apps:write', readSecret, (_, { text }) => ({
    words: text.operator.forms.deleteSecret,
  }))
}

export const operatorAppForms = [registration, change, review, toggles, deletion, secrets]
