// What waits for the operator, a list on a page each.
import type { AppChangeJson } from '../../http/operator/apps/changes.ts'
import type { ClientHostJson } from '../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson } from '../../http/operator/apps/documents.ts'
import type { AppJson } from '../../http/operator/apps/schemas.ts'
import { code, linked, links, listLinks, marked, plain, timed } from '../rendering/forms/blocks.ts'
import type { ListPart } from '../rendering/long-list.ts'
import type { Block } from '../rendering/view-models/blocks.ts'
import { appUrl } from './apps/app.ts'
import { settingLabel } from './apps/comparison.ts'
import { home } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { itemTable, linkedIf, listTable, partOf } from './list-table.ts'
import type { Tab } from './tab.ts'

/** Who may not decide sees what waits, without a link. */
const manage = 'apps:write'

type ListBlocks = (visit: OperatorVisit, url: string, part: ListPart) => Promise<Block[]>

const reviewsBlocks: ListBlocks = async (visit, url, part) => {
  const { text, may } = visit
  const { columns, overview, states } = text.operator
  return [
    await listTable<AppReviewJson>(visit, {
      from: '/app-reviews',
      url,
      part,
      id: 'reviews',
      heading: overview.reviews,
      hint: overview.reviewsHint,
      columns: [
        [columns.app, (one) => linkedIf(may(manage), one.name, `${home}/reviews/${one.id}`)],
        [columns.id, (one) => code(one.client_id)],
        [columns.type, ({ kind }) => marked(kind === 'new' ? states.newApp : states.change)],
        [columns.time, (one) => timed(text, one.created_at)],
      ],
      empty: overview.noReviews,
    }),
    ...links(may(manage) && [overview.import, `${home}/import`, true]),
  ]
}

const changesBlocks: ListBlocks = async (visit, url, part) => {
  const { text, may } = visit
  const { columns, changes } = text.operator
  return [
    await listTable<AppChangeJson>(visit, {
      from: '/app-changes',
      url,
      part,
      id: 'owners',
      heading: changes.waiting,
      columns: [
        [columns.app, (one) => linkedIf(may(manage), one.name, `${home}/changes/${one.id}`)],
        [
          columns.setting,
          (one) => plain(one.changes.map((change) => settingLabel(text, change)).join(' · ')),
        ],
        [columns.time, (one) => timed(text, one.created_at)],
      ],
      empty: changes.none,
    }),
  ]
}

const unreviewedBlocks: ListBlocks = async ({ text, api }, url, part) => {
  const { columns, overview } = text.operator
  const query = { limit: '25', cursor: part.after, reviewed: 'false' }
  const { items, next } = await api.list<AppJson>('/apps', query)
  return [
    itemTable(
      items.filter(({ disabled }) => !disabled),
      [
        [columns.app, (app) => linked(app.name, appUrl(app.client_id))],
        [columns.id, (app) => code(app.client_id)],
        [columns.created, (app) => timed(text, app.created_at)],
      ],
      {
        id: 'not-reviewed',
        heading: overview.notReviewed,
        hint: overview.notReviewedHint,
        empty: overview.allReviewed,
        list: listLinks(url, part, next),
      },
    ),
  ]
}

const hostsBlocks: ListBlocks = async (visit, url, part) => {
  const { text, may } = visit
  const { columns, overview } = text.operator
  const hostUrl = (host: string) => `${home}/hosts/${encodeURIComponent(host)}`
  return [
    await listTable<ClientHostJson>(visit, {
      from: '/client-hosts',
      url,
      part,
      id: 'hosts',
      heading: overview.hosts,
      hint: overview.hostsHint,
      columns: [
        [columns.host, ({ host }) => linkedIf(may(manage), host, hostUrl(host))],
        [columns.policy, (one) => plain(overview.policies[one.policy])],
        [columns.changed, (one) => timed(text, one.updated_at)],
      ],
      empty: overview.noHosts,
    }),
    ...links(may(manage) && [overview.newHost, `${home}/hosts/new`]),
  ]
}

/** By the ends of the addresses of their pages. */
const queues: Record<string, ListBlocks> = {
  reviews: reviewsBlocks,
  changes: changesBlocks,
  'not-reviewed': unreviewedBlocks,
  hosts: hostsBlocks,
}

export const operatorQueues = ({ page }: Tab) => {
  for (const [name, blocksOf] of Object.entries(queues)) {
    const url = `${home}/${name}`
    page(url, 'apps:read', async (visit) => {
      const { heading } = visit.text.operator.overview
      const blocks = await blocksOf(visit, url, partOf(visit))
      return { heading, blocks, back: { label: heading, href: home } }
    })
  }
}
