// Forms that register and change apps.
import { camelCase } from '../../../core/language/case.ts'
import type { AppJson, CreatedAppJson } from '../../../http/operator/apps/schemas.ts'
import type { SecretJson } from '../../../http/operator/apps/secrets.ts'
import { consentPreview, type KnownSettings } from '../../authorization/consent-preview.ts'
import { receiveLogo } from '../../rendering/fields/logo-upload.ts'
import { withRequirements } from '../../rendering/fields/required-permissions.ts'
import { code, codes, facts, links, plain } from '../../rendering/forms/blocks.ts'
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

const settingsIn = (app: AppJson): KnownSettings =>
  Object.fromEntries(
    Object.entries(app).map(([name, value]) => [camelCase(name), value]),
  ) as unknown as KnownSettings

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

const registration = ({ form }: Tab, deps: OperatorPagesDependencies) => {
  const addresses = { current: `${home}/apps/new`, legacy: `${home}/apps/new-legacy` } as const
  for (const name of ['current', 'legacy'] as const)
    form(addresses[name], 'apps:write', (visit) => {
      const { registerApp, registerLegacy, registerCurrent } = visit.text.operator.forms
      return {
        ...registerApp,
        fields: fieldsOf(visit, deps, name, null),
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

const change = ({ form }: Tab, deps: OperatorPagesDependencies) =>
  form(`${appPath}/change`, 'apps:write', async (visit) => {
    const { item, etag, at, url } = await readApp(visit)
    const owners = await personNames(visit, item.owners)
    return {
      subject: item.name,
      ...visit.text.operator.forms.changeApp,
      fields: fieldsOf(visit, deps, item.interface, item, owners),
      ...showing(visit, deps, settingsIn(item)),
      cancelUrl: url,
      etag,
      call: (sent) => callOf(visit, 'PATCH', at, sent),
    }
  })

/** What people read of the app, and where it sends them. */
const shownOf = ({ text }: OperatorVisit, app: AppJson): Block => {
  const { forms, apps } = text.operator
  const { none } = text.form
  const { fields } = forms
  const address = (uri: string | null) => (uri === null ? plain(none) : code(uri))
  return facts(null, [
    [fields.name, plain(app.name)],
    [fields.publisher, plain(app.publisher ?? none)],
    [fields.description, plain(app.description ?? none)],
    [fields.homepageUri, address(app.homepage_uri)],
    [fields.logoUri, address(app.logo_uri)],
    [text.layout.privacy, address(app.policy_uri)],
    [text.layout.terms, address(app.tos_uri)],
    [apps.labels.redirectUris, codes(text, app.redirect_uris)],
  ])
}

/** Marks an app as reviewed: the operator's word for what the app says about itself, which people see beside its name. */
const review = ({ form }: Tab) =>
  form(`${appPath}/review`, 'apps:write', async (visit) => {
    const { item, etag, at, url } = await readApp(visit)
    return {
      ...visit.text.operator.forms.markReviewed,
      blocks: [shownOf(visit, item)],
      fields: [],
      cancelUrl: url,
      etag,
      call: { method: 'PATCH', path: at, body: { reviewed: true } },
    }
  })

const switches = ({ confirm }: Tab) => {
  for (const name of ['disable', 'enable'] as const)
    confirm(`${appPath}/${name}`, 'apps:write', async (visit) => {
      const { item, at, url } = await readApp(visit)
      return {
        words: visit.text.operator.forms[`${name}App`],
        subject: item.name,
        isHarmless: name === 'enable',
        cancelUrl: url,
        call: { method: 'PATCH', path: at, body: { disabled: name === 'disable' } },
      }
    })

  confirm(`${appPath}/delete`, 'apps:write', async (visit) => {
    const { item, etag, at, url } = await readApp(visit)
    return {
      words: visit.text.operator.forms.deleteApp,
      subject: item.name,
      cancelUrl: url,
      etag,
      call: { method: 'DELETE', path: at },
      next: tabUrl('apps'),
    }
  })
}

const secrets = ({ form, confirm }: Tab) => {
  form(`${appPath}/secret`, 'apps:write', async (visit) => {
    const { item, at, url } = await readApp(visit)
    return {
      subject: item.name,
      ...visit.text.operator.forms.newAppSecret,
      fields: [overlapField(visit.text)],
      cancelUrl: url,
      call: () => ({
        method: 'POST',
        path: `${at}/secrets`,
        body: { retire_others_after_seconds: chosenOverlap(visit.request) ?? overlapByDefault },
      }),
      secretOf: ({ client_secret }: { client_secret: string }) =>
        secretOfApp({ ...item, client_secret }),
    }
  })

  confirm(`${appPath}/secrets/:secret_id/delete`, 'apps:write', async (visit) => {
    const { item, at, url } = await readApp(visit)
    const { items } = await visit.api.list<SecretJson>(`${at}/secrets`)
    const id = visit.parameter('secret_id')
    const hint = items.find((one) => one.id === id)?.hint ?? ''
    return {
      words: visit.text.operator.forms.deleteSecret,
      subject: `${item.name} ${hint}`,
      cancelUrl: url,
      call: { method: 'DELETE', path: `${at}/secrets/${id}` },
    }
  })
}

export const operatorAppForms = (tab: Tab, deps: OperatorPagesDependencies) => {
  registration(tab, deps)
  change(tab, deps)
  review(tab)
  switches(tab)
  secrets(tab)
}
