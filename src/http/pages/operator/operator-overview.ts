import type { FastifyInstance } from 'fastify'
import type { Block } from '../rendering/operator-view-models.ts'
import type { Text } from '../rendering/text.ts'
import type { ApiPage } from './api.ts'
import { code, linked, links, marked, plain, table, timed, words } from './blocks.ts'
import { home, showConsole } from './console-page.ts'
import type { AppChangeJson } from './operator-changes.ts'
import {
  createOperatorGate,
  type OperatorPagesDependencies,
  type OperatorVisit,
} from './operator-gate.ts'

interface ReviewJson {
  id: string
  client_id: string
  kind: 'new' | 'change'
  name: string
  created_at: string
}

interface AppJson {
  client_id: string
  name: string
  publisher: string | null
  reviewed: boolean
  disabled: boolean
  created_at: string
}

export interface HostJson {
  host: string
  policy: 'review' | 'refuse'
  updated_at: string
}

const mostShown = '25'
const mostRead = '200'

/** Who may not decide sees what waits, without a link. */
const decided = (mayChange: boolean, name: string, url: string) =>
  mayChange ? linked(name, url) : plain(name)

const reviewsTable = (text: Text, { items }: ApiPage<ReviewJson>, mayChange: boolean): Block => {
  const { columns, overview, states } = text.operator
  return table({
    id: 'reviews',
    heading: overview.reviews,
    hint: overview.reviewsHint,
    columns: [columns.app, columns.id, columns.type, columns.time],
    rows: items.map((one) => [
      decided(mayChange, one.name, `${home}/reviews/${one.id}`),
      code(one.client_id),
      marked(one.kind === 'new' ? states.newApp : states.change),
      timed(text, one.created_at),
    ]),
    empty: overview.noReviews,
  })
}

const changesList = (text: Text, { items }: ApiPage<AppChangeJson>, mayChange: boolean): Block => {
  const { columns, changes } = text.operator
  return table({
    id: 'owners',
    heading: changes.waiting,
    columns: [columns.app, columns.setting, columns.time],
    rows: items.map((one) => [
      decided(mayChange, one.name, `${home}/changes/${one.id}`),
      plain(one.changes.map(({ field }) => field).join(', ')),
      timed(text, one.created_at),
    ]),
    empty: changes.none,
  })
}

const unreviewedTable = (text: Text, { items }: ApiPage<AppJson>): Block => {
  const { columns, overview } = text.operator
  return table({
    id: 'not-reviewed',
    heading: overview.notReviewed,
    columns: [columns.app, columns.id, columns.created],
    rows: items
      .filter(({ disabled }) => !disabled)
      .map((app) => [
        linked(app.name, `${home}/apps/${encodeURIComponent(app.client_id)}`),
        code(app.client_id),
        timed(text, app.created_at),
      ]),
    empty: overview.allReviewed,
  })
}

const hostsTable = (text: Text, { items }: ApiPage<HostJson>, mayChange: boolean): Block => {
  const { columns, overview } = text.operator
  return table({
    id: 'hosts',
    heading: overview.hosts,
    hint: overview.hostsHint,
    columns: [columns.host, columns.policy, columns.changed],
    rows: items.map(({ host, policy, updated_at }) => [
      mayChange ? linked(host, `${home}/hosts/${encodeURIComponent(host)}`) : plain(host),
      plain(overview.policies[policy]),
      timed(text, updated_at),
    ]),
    empty: overview.noHosts,
  })
}

/** The first page: what waits for the operator. */
export const operatorOverview = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const blocksOf = async ({ text, api, may }: OperatorVisit): Promise<Block[]> => {
    const { overview } = text.operator
    if (!may('apps:read')) return [words(overview.none)]
    const [changes, reviews, apps, hosts] = await Promise.all([
      api.list<AppChangeJson>('/app-changes', { limit: mostShown }),
      api.list<ReviewJson>('/app-reviews', { limit: mostShown }),
      api.list<AppJson>('/apps', { limit: mostShown, reviewed: 'false' }),
      api.list<HostJson>('/client-hosts', { limit: mostRead }),
    ])
    const mayChange = may('apps:write')
    return [
      reviewsTable(text, reviews, mayChange),
      ...links(mayChange && [overview.import, `${home}/import`, true]),
      changesList(text, changes, mayChange),
      unreviewedTable(text, apps),
      hostsTable(text, hosts, mayChange),
      ...links(mayChange && [overview.newHost, `${home}/hosts/new`]),
    ]
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
}
