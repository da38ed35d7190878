import type { LogoFault } from '../../../core/logos/logo-store.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { SecretJson } from '../../../http/operator/apps/secrets.ts'
import type { AppUseJson } from '../../../http/operator/reports/usage.ts'
import {
  code,
  codes,
  copied,
  facts,
  linked,
  links,
  marked,
  timed,
  usedAt,
  yesNo,
} from '../../rendering/forms/blocks.ts'
import { logoFaultIn } from '../../rendering/logos.ts'
import { choiceOf, firstPart, type ListPart, readPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { activityUrl, home, tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { type Column, itemTable, linkedIf, listTable, whether } from '../list-table.ts'
import { personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { apiPathOf, appPath, appUrl, readApp } from './app.ts'
import { successorBlocks } from './successor.ts'

const path = tabUrl('apps')

export const appState = ({ text }: OperatorVisit, { disabled, reviewed }: AppJson) => {
  const { states } = text.operator
  if (disabled) return marked(states.disabled)
  return reviewed ? states.reviewed : states.notReviewed
}

export const ofInterface = ({ text }: OperatorVisit) =>
  choiceOf('interface', text.operator.columns.interface, text.operator.interfaces)

export const allApps = (visit: OperatorVisit) => {
  const { search, operator } = visit.text
  const { columns, states } = operator
  return {
    ...{ from: '/apps', find: search.named, empty: operator.apps.empty },
    choices: [
      ofInterface(visit),
      whether(visit, 'reviewed', states.reviewed),
      whether(visit, 'disabled', columns.state, [states.disabled, states.active]),
    ],
  }
}

/** @param empty said of no secrets */
export const secretsTable = (
  { text }: OperatorVisit,
  secrets: readonly SecretJson[],
  empty: string,
  ...more: Column<SecretJson>[]
): Block => {
  const { columns, apps } = text.operator
  return itemTable(
    secrets,
    [
      [columns.hint, (one) => code(one.hint)],
      [columns.created, (one) => timed(text, one.created_at)],
      [columns.lastUsed, (one) => usedAt(text, one.last_used_at)],
      [columns.ends, (one) => timed(text, one.expires_at)],
      ...more,
    ],
    { id: 'secrets', heading: apps.secrets, empty },
  )
}

const secretsBlocks = async (visit: OperatorVisit, app: AppJson): Promise<Block[]> => {
  if (app.client_type === 'public') return []
  const { apps, columns } = visit.text.operator
  const { items } = await visit.api.list<SecretJson>(`${apiPathOf(app.client_id)}/secrets`)
  const [url, mayChange] = [appUrl(app.client_id), visit.may('apps:write')]
  const removal = ({ id, hint }: SecretJson) =>
    linked(apps.deleteSecret, `${url}/secrets/${id}/delete`, hint)
  return [
    secretsTable(visit, items, apps.noSecrets, mayChange && [columns.action, removal]),
    ...links(mayChange && [apps.newSecret, `${url}/secret`]),
  ]
}

const useTable = (visit: OperatorVisit, app: AppJson, part: ListPart) => {
  const { text, may } = visit
  const { columns, apps, states } = text.operator
  const organizationOf = ({ organization_id: id, organization_name: name }: AppUseJson) =>
    linkedIf(may('organizations:read'), name, `${home}/organizations/${id}`)
  return listTable<AppUseJson>(visit, {
    from: `${apiPathOf(app.client_id)}/usage`,
    url: `${appUrl(app.client_id)}/organizations`,
    part,
    id: 'use',
    heading: apps.use,
    find: text.search.named,
    columns: [
      [columns.organization, organizationOf, 'name'],
      [columns.people, (one) => one.people],
      [columns.lastUsed, (one) => usedAt(text, one.last_used_at)],
      [columns.state, (one) => (one.suspended ? marked(states.suspended) : states.active)],
    ],
    empty: apps.noUse,
  })
}

const settingsOf = (
  visit: OperatorVisit,
  app: AppJson,
  owners: Awaited<ReturnType<typeof personNames>>,
  logoFault: LogoFault | null,
): Block => {
  const { text } = visit
  const withoutLogo = logoFaultIn(text, logoFault)
  const { apps, columns, forms, interfaces, clientTypes, people } = text.operator
  const { none } = text.form
  const { labels } = apps
  const { fields } = forms
  const address = (uri: string | null) => (uri === null ? none : code(uri))
  const ownerCells = owners.flatMap(({ id, name, neverSignedIn }) => [
    linked(name, `${home}/people/${id}`),
    ...(neverSignedIn ? [marked(people.neverSignedIn)] : []),
  ])
  const hasNames = owners.length > 0 && visit.may('users:read')
  return facts(apps.facts, [
    [labels.clientId, copied(app.client_id)],
    [columns.state, appState(visit, app)],
    [labels.interface, interfaces[app.interface]],
    [labels.clientType, clientTypes[app.client_type]],
    [labels.publisher, app.publisher ?? none],
    [fields.location, address(app.location)],
    [fields.kind, app.kind === null ? fields.noKind : fields.kinds[app.kind]],
    app.interface === 'current' && [fields.setupUri, address(app.setup_uri)],
    [forms.host.retryWindowSeconds, app.retry_window_seconds],
    withoutLogo !== null && [fields.logoUri, marked(withoutLogo)],
    [fields.listed, yesNo(text, app.listed)],
    [labels.created, timed(text, app.created_at)],
    [labels.changed, timed(text, app.updated_at)],
    [labels.redirectUris, codes(text, app.redirect_uris)],
    [labels.permissions, codes(text, app.permissions)],
    app.permissions.length > 0 && [
      labels.optional,
      app.optional_permissions === null
        ? marked(labels.optionalNotSaid)
        : codes(text, app.optional_permissions),
    ],
    [labels.owners, hasNames ? ownerCells : codes(text, app.owners)],
  ])
}

export const operatorApps = ({ page, deps }: Tab) => {
  page(path, 'apps:read', async (visit) => {
    const { text, may } = visit
    const { apps, columns, interfaces, overview } = text.operator
    return {
      heading: apps.heading,
      blocks: [
        ...links(
          may('apps:write') && [apps.register, `${home}/apps/new`, true],
          may('apps:write') && [overview.import, `${home}/import`],
          [overview.hosts, `${home}/hosts`],
        ),
        await listTable<AppJson>(visit, {
          ...allApps(visit),
          url: path,
          columns: [
            [columns.name, (app) => linked(app.name, appUrl(app.client_id)), 'name'],
            [columns.id, (app) => copied(app.client_id)],
            [columns.interface, (app) => interfaces[app.interface]],
            [columns.created, (app) => timed(text, app.created_at), 'created_at'],
            [columns.state, (app) => appState(visit, app)],
          ],
        }),
      ],
    }
  })

  page(appPath, 'apps:read', async (visit) => {
    const { apps } = visit.text.operator
    const { item: app, url } = await readApp(visit)
    const mayChange = visit.may('apps:write')
    const [owners, secrets, use, successor, logo] = await Promise.all([
      personNames(visit, app.owners),
      secretsBlocks(visit, app),
      useTable(visit, app, firstPart),
      successorBlocks(visit, app),
      deps.logos.stateOf(app.client_id),
    ])
    return {
      heading: app.name,
      blocks: [
        settingsOf(visit, app, owners, logo.fault),
        ...links(
          mayChange && !app.reviewed && [apps.markReviewed, `${url}/review`],
          mayChange && [apps.change, `${url}/change`],
          mayChange &&
            (app.disabled ? [apps.enable, `${url}/enable`] : [apps.disable, `${url}/disable`]),
          visit.may('audit:read') && [
            visit.text.explained.activityOfApp,
            activityUrl({ client_id: app.client_id }),
          ],
          mayChange && [apps.remove, `${url}/delete`],
        ),
        ...secrets,
        ...successor,
        use,
      ],
      back: { label: apps.heading, href: path },
    }
  })

  page(`${appPath}/organizations`, 'apps:read', async (visit) => {
    const { item: app, url } = await readApp(visit)
    return {
      heading: app.name,
      blocks: [await useTable(visit, app, readPart(visit.request))],
      back: { label: visit.text.operator.changes.openApp, href: url },
    }
  })
}
