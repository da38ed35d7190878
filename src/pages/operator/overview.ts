import type { FastifyInstance } from 'fastify'
import type { AppChangeJson } from '../../http/operator/apps/changes.ts'
import type { ClientHostJson } from '../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson } from '../../http/operator/apps/documents.ts'
import type { AppJson } from '../../http/operator/apps/schemas.ts'
import {
  code,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
  words,
} from '../rendering/forms/blocks.ts'
import { firstPart, type ListPart, readPart } from '../rendering/long-list.ts'
import type { Block } from '../rendering/view-models/blocks.ts'
import { appUrl } from './apps/path.ts'
import { home, showConsole } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'

const itemsOfPage = '25'
const manage = 'apps:write'

/** Who may not decide sees what waits, without a link. */
const decided = ({ may }: OperatorVisit, name: string, url: string) =>
  may(manage) ? linked(name, url) : plain(name)

type ListBlocks = (visit: OperatorVisit, url: string, part: ListPart) => Promise<Block[]>

const queryOf = ({ after }: ListPart) => ({ limit: itemsOfPage, cursor: after })

const reviewsBlocks: ListBlocks = async (visit, url, part) => {
  const { text, api, may } = visit
  const { columns, overview, states } = text.operator
  const { items, next } = await api.list<AppReviewJson>('/app-reviews', queryOf(part))
  return [
    table({
      id: 'reviews',
      heading: overview.reviews,
      hint: overview.reviewsHint,
      columns: [columns.app, columns.id, columns.type, columns.time],
      rows: items.map((one) => [
        decided(visit, one.name, `${home}/reviews/${one.id}`),
        code(one.client_id),
        marked(one.kind === 'new' ? states.newApp : states.change),
        timed(text, one.created_at),
      ]),
      empty: overview.noReviews,
      list: listLinks(url, part, next),
    }),
    ...links(may(manage) && [overview.import, `${home}/import`, true]),
  ]
}

const changesBlocks: ListBlocks = async (visit, url, part) => {
  const { columns, changes } = visit.text.operator
  const { items, next } = await visit.api.list<AppChangeJson>('/app-changes', queryOf(part))
  return [
    table({
      id: 'owners',
      heading: changes.waiting,
      columns: [columns.app, columns.setting, columns.time],
      rows: items.map((one) => [
        decided(visit, one.name, `${home}/changes/${one.id}`),
        plain(one.changes.map(({ field }) => field).join(', ')),
        timed(visit.text, one.created_at),
      ]),
      empty: changes.none,
      list: listLinks(url, part, next),
    }),
  ]
}

const unreviewedBlocks: ListBlocks = async ({ text, api }, url, part) => {
  const { columns, overview } = text.operator
  const query = { ...queryOf(part), reviewed: 'false' }
  const { items, next } = await api.list<AppJson>('/apps', query)
  return [
    table({
      id: 'not-reviewed',
      heading: overview.notReviewed,
      hint: overview.notReviewedHint,
      columns: [columns.app, columns.id, columns.created],
      rows: items
        .filter(({ disabled }) => !disabled)
        .map((app) => [
          linked(app.name, appUrl(app.client_id)),
          code(app.client_id),
          timed(text, app.created_at),
        ]),
      empty: overview.allReviewed,
      list: listLinks(url, part, next),
    }),
  ]
}

const hostsBlocks: ListBlocks = async (visit, url, part) => {
  const { text, api, may } = visit
  const { columns, overview } = text.operator
  const { items, next } = await api.list<ClientHostJson>('/client-hosts', queryOf(part))
  return [
    table({
      id: 'hosts',
      heading: overview.hosts,
      hint: overview.hostsHint,
      columns: [columns.host, columns.policy, columns.changed],
      rows: items.map(({ host, policy, updated_at }) => [
        decided(visit, host, `${home}/hosts/${encodeURIComponent(host)}`),
        plain(overview.policies[policy]),
        timed(text, updated_at),
      ]),
      empty: overview.noHosts,
      list: listLinks(url, part, next),
    }),
    ...links(may(manage) && [overview.newHost, `${home}/hosts/new`]),
  ]
}

/** Each list has a page of its own for the rest. */
const lists: readonly (readonly [url: string, blocks: ListBlocks])[] = [
  [`${home}/reviews`, reviewsBlocks],
  [`${home}/changes`, changesBlocks],
  [`${home}/not-reviewed`, unreviewedBlocks],
  [`${home}/hosts`, hostsBlocks],
]

/** The first page: what waits for the operator. */
export const operatorOverview = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const blocksOf = async (visit: OperatorVisit): Promise<Block[]> => {
    if (!visit.may('apps:read')) return [words(visit.text.operator.overview.none)]
    return (await Promise.all(lists.map(([url, blocks]) => blocks(visit, url, firstPart)))).flat()
  }

  scope.get(
    home,
    asOperator({ permission: null }, async (visit) =>
      showConsole(deps.renderer, visit, {
        tab: 'overview',
        heading: visit.text.operator.overview.heading,
        blocks: await blocksOf(visit),
      }),
    ),
  )
  for (const [url, blocks] of lists)
    scope.get(
      url,
      asOperator({ permission: 'apps:read' }, async (visit) => {
        const { heading } = visit.text.operator.overview
        return showConsole(deps.renderer, visit, {
          tab: 'overview',
          heading,
          blocks: await blocks(visit, url, { ...readPart(visit.request), name: '' }),
          back: { label: heading, href: home },
        })
      }),
    )
}
