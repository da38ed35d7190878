// The first page of the console: first steps, what waits, figures, what ends soon, and what fails.
import { type DayCounts, type Ending, mostCounted } from '../../core/audit/console-overview.ts'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { linked, marked, type Shown, table, timed } from '../rendering/forms/blocks.ts'
import type { Block, Figure } from '../rendering/view-models/blocks.ts'
import { appUrl } from './apps/app.ts'
import { home, tabUrl } from './console-page.ts'
import { stepsBlocks } from './first-steps.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './gate.ts'
import { organizationUrl } from './organizations/path.ts'
import type { Tab } from './tab.ts'
import { webhookUrl } from './webhooks/webhooks.ts'

type Part = (visit: OperatorVisit, deps: OperatorPagesDependencies) => Promise<Block[]>

/** Something with a link; what its reader may not see is left out. */
type Row = [right: OperatorPermission, label: string, href: string, state: Shown]

const rowsFor = ({ may }: OperatorVisit, rows: readonly Row[]) =>
  rows.filter(([right]) => may(right)).map(([, label, href, state]) => [linked(label, href), state])

const waiting: Part = async (visit, { consoleOverview }) => {
  const { overview, changes: said } = visit.text.operator
  const { reviews, changes, notReviewed, requests } = await consoleOverview.waiting()
  const all = [
    ['apps:read', overview.reviews, `${home}/reviews`, reviews],
    ['apps:read', said.waiting, `${home}/changes`, changes],
    ['apps:read', overview.notReviewed, `${home}/not-reviewed`, notReviewed],
    ...requests.map(
      ({ id, name, count }) =>
        ['organizations:read', overview.requestsIn(name), organizationUrl(id), count] as const,
    ),
  ] as const
  const rows = all.flatMap(([right, label, href, count]): Row[] => {
    const words = count < mostCounted ? visit.text.activity.number(count) : overview.orMore(count)
    return count === 0 ? [] : [[right, label, href, words]]
  })
  const columns = [overview.what, overview.howMany]
  const [heading, empty] = [overview.waiting, overview.nothingWaits]
  return [table({ id: 'waiting', heading, columns, rows: rowsFor(visit, rows), empty })]
}

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`

const figures: Part = async ({ text, may }, { consoleOverview }) => {
  if (!may('audit:read')) return []
  const { heading, labels, bar } = text.operator.overview.figures
  const { number, shortDay } = text.activity
  const days = await consoleOverview.figures()
  const figureOf = (name: keyof DayCounts): Figure => {
    const most = Math.max(1, ...days.map((one) => one[name]))
    const bars = days.map(({ day, [name]: count }, at) => ({
      ...{ x: percent((at + 0.1) / days.length), width: percent(0.8 / days.length) },
      ...{ y: percent(1 - count / most), height: percent(count / most) },
      title: bar(shortDay(new Date(day)), count),
    }))
    return {
      ...{ label: labels[name], summary: bars.map(({ title }) => title).join(', '), bars },
      total: number(days.reduce((sum, one) => sum + one[name], 0)),
    }
  }
  const shown = (['issued', 'refused', 'signedIn', 'connected'] as const).map(figureOf)
  return [{ kind: 'figures', heading, figures: shown }]
}

const rightsOf: Record<Ending['kind'], readonly OperatorPermission[]> = {
  app: ['apps:read'],
  key_set: ['key_sets:read', 'organizations:read'],
  operator_token: ['*'],
  install: ['installs:read'],
}

const endingUrl = ({ kind, id, organizationId }: Ending) => {
  if (kind === 'operator_token') return tabUrl('tokens')
  if (organizationId === null) return appUrl(id)
  const part = kind === 'install' ? 'installs' : 'key-sets'
  return `${organizationUrl(organizationId)}/${part}/${encodeURIComponent(id)}`
}

const ending: Part = async ({ text, may }, { consoleOverview }) => {
  const { overview, columns } = text.operator
  const { heading, kinds } = overview.ending
  const all = await consoleOverview.ending()
  const rows = all
    .filter(({ kind }) => rightsOf[kind].every(may))
    .map((one) => [
      linked(one.name, endingUrl(one)),
      kinds[one.kind],
      one.organizationName ?? text.form.none,
      timed(text, one.expiresAt.toISOString()),
    ])
  const headings = [columns.name, columns.type, columns.organization, columns.ends]
  return rows.length === 0
    ? []
    : [table({ id: 'ending', heading, columns: headings, rows, empty: '' })]
}

const failing: Part = async (visit, { consoleOverview, checkStores }) => {
  const { states, overview, columns, health: server } = visit.text.operator
  const { heading, retries, mails: unsent } = overview.failing
  const [{ webhooks, mails, silent }, stores] = await Promise.all([
    consoleOverview.failing(),
    checkStores(),
  ])
  const healthUrl = tabUrl('health')
  const down = stores.filter(({ isUp }) => !isUp).map(({ name }) => name as 'postgres' | 'redis')
  const count = marked(visit.text.activity.number(mails))
  const rows = rowsFor(visit, [
    ...webhooks.map(({ id, url, isDisabled }): Row => {
      const state = marked(isDisabled ? states.disabled : retries)
      return ['webhooks:read', url, webhookUrl(id), state]
    }),
    ...down.map((name): Row => ['keys:read', server.labels[name], healthUrl, marked(server.down)]),
    ...silent.map(
      ({ name }): Row => ['keys:read', name, tabUrl('servers'), marked(overview.failing.silent)],
    ),
    ...(mails === 0 ? [] : [['keys:read', unsent, healthUrl, count] satisfies Row]),
  ])
  const headings = [overview.what, columns.state]
  return rows.length === 0
    ? []
    : [table({ id: 'failing', heading, columns: headings, rows, empty: '' })]
}

/** Authorizations of an earlier server. */
const moved: Part = async ({ text, may }, { consoleOverview }) => {
  if (!may('installs:read')) return []
  const { heading, labels } = text.operator.overview.moved
  const { what, howMany } = text.operator.overview
  const counts = await consoleOverview.takenOver()
  const rows = (['all', 'used', 'left'] as const).map((name) => [
    labels[name],
    text.activity.number(counts[name]),
  ])
  const columns = [what, howMany]
  return counts.all === 0 ? [] : [table({ id: 'moved', heading, columns, rows, empty: '' })]
}

const parts: readonly Part[] = [stepsBlocks, waiting, figures, ending, failing, moved]

export const operatorOverview = ({ page, deps }: Tab) =>
  page(home, null, async (visit) => {
    const blocks = await Promise.all(parts.map((part) => part(visit, deps)))
    return { heading: visit.text.operator.overview.heading, blocks: blocks.flat() }
  })
