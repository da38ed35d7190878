import type { AppChangeJson } from '../../http/operator/apps/changes.ts'
import type { ClientHostJson } from '../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson } from '../../http/operator/apps/documents.ts'
import type { AppJson } from '../../http/operator/apps/schemas.ts'
import {
  copied,
  linked,
  links,
  listLinks,
  marked,
  plain,
  timed,
  words,
} from '../rendering/forms/blocks.ts'
import { firstPart, type ListPart } from '../rendering/long-list.ts'
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
        [columns.id, (one) => copied(one.client_id)],
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
        [columns.id, (app) => copied(app.client_id)],
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

/** Each list has a page of its own for the rest. */
const lists: readonly (readonly [url: string, blocks: ListBlocks])[] = [
  [`${home}/reviews`, reviewsBlocks],
  [`${home}/changes`, changesBlocks],
  [`${home}/not-reviewed`, unreviewedBlocks],
  [`${home}/hosts`, hostsBlocks],
]

/** The first page: what waits for the operator. */
export const operatorOverview = ({ page }: Tab) => {
  const blocksOf = async (visit: OperatorVisit): Promise<Block[]> => {
    if (!visit.may('apps:read')) return [words(visit.text.operator.overview.none)]
    return (await Promise.all(lists.map(([url, blocks]) => blocks(visit, url, firstPart)))).flat()
  }

  page(home, null, async (visit) => ({
    heading: visit.text.operator.overview.heading,
    blocks: await blocksOf(visit),
  }))

  for (const [url, blocksOfList] of lists)
    page(url, 'apps:read', async (visit) => {
      const { heading } = visit.text.operator.overview
      const blocks = await blocksOfList(visit, url, partOf(visit))
      return { heading, blocks, back: { label: heading, href: home } }
    })
}
