import type { FastifyInstance } from 'fastify'
import type { LogoFault } from '../../../core/logos/logo-store.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { SecretJson } from '../../../http/operator/apps/secrets.ts'
import type { AppUseJson } from '../../../http/operator/apps/use.ts'
import {
  code,
  codes,
  facts,
  filterForm,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
  yesNo,
} from '../../rendering/forms/blocks.ts'
import { logoFaultIn } from '../../rendering/logos.ts'
import { firstPart, type ListPart, readPart } from '../../rendering/long-list.ts'
import type { Block, Cell } from '../../rendering/view-models/blocks.ts'
import { home, showConsole, tabUrl } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { type NamedPerson, personNames } from '../people/by-email.ts'
import { apiPathOf, appUrl } from './path.ts'
import { successorBlocks } from './successor.ts'

const itemsOfPage = '25'
const one = `${tabUrl('apps')}/:client_id`

export const appState = ({ text }: OperatorVisit, { disabled, reviewed }: AppJson) => {
  const { states } = text.operator
  if (disabled) return marked(states.disabled)
  return reviewed ? plain(states.reviewed) : plain(states.notReviewed)
}

/** Finds apps by their name, at this address. */
export const findAppForm = ({ text }: OperatorVisit, action: string, value: string): Block =>
  filterForm(
    action,
    [{ kind: 'text', name: 'name', label: text.operator.apps.find, values: [value] }],
    text.operator.apps.findSubmit,
    value !== '',
  )

const secretsBlocks = async (visit: OperatorVisit, app: AppJson): Promise<Block[]> => {
  const { text, api, may } = visit
  if (app.client_type === 'public') return []
  const { columns, apps } = text.operator
  const { items } = await api.list<SecretJson>(`${apiPathOf(app.client_id)}/secrets`)
  const mayChange = may('apps:write')
  return [
    table({
      id: 'secrets',
      heading: apps.secrets,
      columns: [columns.hint, columns.created, columns.lastUsed, columns.ends],
      rows: items.map(({ id, hint, ...times }) => [
        mayChange ? linked(hint, `${appUrl(app.client_id)}/secrets/${id}/delete`) : code(hint),
        timed(text, times.created_at),
        timed(text, times.last_used_at),
        timed(text, times.expires_at),
      ]),
      empty: apps.noSecrets,
    }),
    ...links(mayChange && [apps.newSecret, `${appUrl(app.client_id)}/secret`]),
  ]
}

const useTable = async (
  { text, api, may }: OperatorVisit,
  app: AppJson,
  part: ListPart,
): Promise<Block> => {
  const { columns, apps, states } = text.operator
  const { items, next } = await api.list<AppUseJson>(`${apiPathOf(app.client_id)}/usage`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  return table({
    id: 'use',
    heading: apps.use,
    columns: [columns.organization, columns.people, columns.lastUsed, columns.state],
    rows: items.map((one) => [
      may('organizations:read')
        ? linked(one.organization_name, `${home}/organizations/${one.organization_id}`)
        : plain(one.organization_name),
      plain(one.people),
      timed(text, one.last_used_at),
      one.suspended ? marked(states.suspended) : plain(states.active),
    ]),
    empty: apps.noUse,
    list: listLinks(`${appUrl(app.client_id)}/organizations`, part, next),
  })
}

const settingsOf = (
  visit: OperatorVisit,
  app: AppJson,
  owners: readonly NamedPerson[],
  logoFault: LogoFault | null,
): Block => {
  const { text } = visit
  const withoutLogo = logoFaultIn(text, logoFault)
  const { apps, columns, forms, interfaces, clientTypes } = text.operator
  const { none } = text.form
  const { labels } = apps
  const { fields } = forms
  const address = (uri: string | null) => (uri === null ? plain(none) : code(uri))
  return facts(apps.facts, [
    [labels.clientId, code(app.client_id)],
    [columns.state, appState(visit, app)],
    [labels.interface, plain(interfaces[app.interface])],
    [labels.clientType, plain(clientTypes[app.client_type])],
    [labels.publisher, plain(app.publisher ?? none)],
    [fields.location, address(app.location)],
    [fields.kind, plain(app.kind === null ? fields.noKind : fields.kinds[app.kind])],
    ...(app.interface === 'current'
      ? ([[fields.setupUri, address(app.setup_uri)]] satisfies [string, Cell][])
      : []),
    ...(withoutLogo ? ([[fields.logoUri, marked(withoutLogo)]] satisfies [string, Cell][]) : []),
    [fields.listed, yesNo(text, app.listed)],
    [labels.created, timed(text, app.created_at)],
    [labels.changed, timed(text, app.updated_at)],
    [labels.redirectUris, codes(text, app.redirect_uris)],
    [labels.permissions, codes(text, app.permissions)],
    [
      labels.owners,
      owners.length === 0 || !visit.may('users:read')
        ? codes(text, app.owners)
        : owners.flatMap(({ id, name, neverSignedIn }) => [
            linked(name, `${home}/people/${id}`),
            ...(neverSignedIn ? [marked(text.operator.people.neverSignedIn)] : []),
          ]),
    ],
  ])
}

/** The list of apps, and each app. */
export const operatorApps = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const list = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { apps, columns, interfaces } = text.operator
    const part = readPart(request)
    const { items, next } = await api.list<AppJson>('/apps', {
      limit: itemsOfPage,
      cursor: part.after,
      name: part.name || null,
    })
    return showConsole(deps.renderer, visit, {
      tab: 'apps',
      heading: apps.heading,
      blocks: [
        ...links(
          may('apps:write') && [apps.register, `${home}/apps/new`, true],
          may('apps:write') && [text.operator.overview.import, `${home}/import`],
        ),
        findAppForm(visit, tabUrl('apps'), part.name),
        table({
          columns: [columns.name, columns.id, columns.interface, columns.created, columns.state],
          rows: items.map((app) => [
            linked(app.name, appUrl(app.client_id)),
            code(app.client_id),
            plain(interfaces[app.interface]),
            timed(text, app.created_at),
            appState(visit, app),
          ]),
          empty: part.name ? apps.notFound : apps.empty,
          list: listLinks(tabUrl('apps'), part, next),
        }),
      ],
    })
  }

  const readApp = ({ api, request }: OperatorVisit) =>
    api.read<AppJson>(`/apps/${parameter(request, 'client_id')}`)

  const show = async (visit: OperatorVisit) => {
    const { text, may } = visit
    const app = await readApp(visit)
    const { apps } = text.operator
    const base = appUrl(app.client_id)
    const mayChange = may('apps:write')
    const [owners, secrets, use, successor, logoFault] = await Promise.all([
      personNames(visit, app.owners),
      secretsBlocks(visit, app),
      useTable(visit, app, firstPart),
      successorBlocks(visit, app),
      deps.logos.faultOf(app.client_id),
    ])
    return showConsole(deps.renderer, visit, {
      tab: 'apps',
      heading: app.name,
      blocks: [
        settingsOf(visit, app, owners, logoFault),
        ...links(
          mayChange && !app.reviewed && [apps.markReviewed, `${base}/review`],
          mayChange && [apps.change, `${base}/change`],
          mayChange &&
            (app.disabled ? [apps.enable, `${base}/enable`] : [apps.disable, `${base}/disable`]),
          mayChange && [apps.remove, `${base}/delete`],
        ),
        ...secrets,
        ...successor,
        use,
      ],
      back: { label: apps.heading, href: tabUrl('apps') },
    })
  }

  const showUse = async (visit: OperatorVisit) => {
    const app = await readApp(visit)
    const part = { ...readPart(visit.request), name: '' }
    return showConsole(deps.renderer, visit, {
      tab: 'apps',
      heading: app.name,
      blocks: [await useTable(visit, app, part)],
      back: { label: visit.text.operator.changes.openApp, href: appUrl(app.client_id) },
    })
  }

  scope.get(tabUrl('apps'), asOperator({ permission: 'apps:read' }, list))
  scope.get(one, asOperator({ permission: 'apps:read' }, show))
  scope.get(`${one}/organizations`, asOperator({ permission: 'apps:read' }, showUse))
}
