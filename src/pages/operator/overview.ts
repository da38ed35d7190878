// The first page of the console: first steps, what waits, figures, what ends soon, and what fails.
import { type DayCounts, type Ending, mostCounted } from '../../core/audit/console-overview.ts'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { daysOf } from '../../core/language/period.ts'
import { linked, marked, plain, timed } from '../rendering/forms/blocks.ts'
import type { Block, Cell, Figure } from '../rendering/view-models/blocks.ts'
import { appUrl } from './apps/app.ts'
import { home, tabUrl } from './console-page.ts'
import { stepsBlocks } from './first-steps.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './gate.ts'
import { type Column, itemTable } from './list-table.ts'
import { organizationUrl } from './organizations/path.ts'
import type { Tab } from './tab.ts'
import { webhookUrl } from './webhooks/webhooks.ts'

type Part = (visit: OperatorVisit, deps: OperatorPagesDependencies) => Promise<Block[]>

const waitingBlocks: Part = async ({ text, may }, { consoleOverview }) => {
  const { overview } = text.operator
  const { reviews, changes, notReviewed, requests } = await consoleOverview.waiting()
  const countOf = (count: number) =>
    count < mostCounted ? text.activity.number(count) : overview.orMore(mostCounted)
  const apps: [label: string, href: string, count: number][] = [
    [overview.reviews, `${home}/reviews`, reviews],
    [text.operator.changes.waiting, `${home}/changes`, changes],
    [overview.notReviewed, `${home}/not-reviewed`, notReviewed],
  ]
  const rows: [Cell, Cell][] = [
    ...(may('apps:read') ? apps : []),
    ...(may('organizations:read')
      ? requests.map(({ id, name, count }): (typeof apps)[number] => [
          overview.requestsIn(name),
          organizationUrl(id),
          count,
        ])
      : []),
  ].flatMap(([label, href, count]) =>
    count === 0 ? [] : [[linked(label, href), plain(countOf(count))]],
  )
  return [
    itemTable(
      rows,
      [
        [overview.what, ([what]) => what],
        [overview.howMany, ([, count]) => count],
      ],
      { id: 'waiting', heading: overview.waiting, empty: overview.nothingWaits },
    ),
  ]
}

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`

const figuresBlocks: Part = async ({ text, may }, { consoleOverview }) => {
  if (!may('audit:read')) return []
  const { figures: said } = text.operator.overview
  const { number, shortDay } = text.activity
  const { period, counts } = await consoleOverview.figures()
  const days = daysOf(period)
  const figureOf = (name: keyof DayCounts): Figure => {
    const ofDays = days.map((day) => counts.find((one) => one.day === day)?.[name] ?? 0)
    const [total, most] = [ofDays.reduce((sum, one) => sum + one, 0), Math.max(1, ...ofDays)]
    const titles = days.map((day, at) => said.bar(shortDay(new Date(day)), ofDays[at] ?? 0))
    return {
      label: said.labels[name],
      total: number(total),
      summary: titles.join(', '),
      bars: ofDays.map((count, at) => ({
        x: percent((at + 0.1) / days.length),
        y: percent(1 - count / most),
        width: percent(0.8 / days.length),
        height: percent(count / most),
        title: titles[at] ?? '',
      })),
    }
  }
  const figures = (['issued', 'refused', 'signedIn', 'connected'] as const).map(figureOf)
  return [{ kind: 'figures', heading: said.heading, figures }]
}

/** For each kind: the rights to read it, and its page. */
const endings = {
  app: [['apps:read'], ({ id }) => appUrl(id)],
  key_set: [
    ['key_sets:read', 'organizations:read'],
    ({ id, organizationId }) => `${organizationUrl(organizationId ?? '')}/key-sets/${id}`,
  ],
  operator_token: [['*'], () => tabUrl('tokens')],
  install: [
    ['installs:read'],
    ({ id, organizationId }) =>
      `${organizationUrl(organizationId ?? '')}/installs/${encodeURIComponent(id)}`,
  ],
} as const satisfies Record<
  Ending['kind'],
  [rights: readonly OperatorPermission[], urlOf: (one: Ending) => string]
>

const endingBlocks: Part = async ({ text, may }, { consoleOverview }) => {
  const { overview, columns } = text.operator
  const all = await consoleOverview.ending()
  const shown = all.filter(({ kind }) => endings[kind][0].every(may))
  return shown.length === 0
    ? []
    : [
        itemTable(
          shown,
          [
            [columns.name, (one) => linked(one.name, endings[one.kind][1](one))],
            [columns.type, ({ kind }) => plain(overview.ending.kinds[kind])],
            [columns.organization, (one) => plain(one.organizationName ?? text.form.none)],
            [columns.ends, (one) => timed(text, one.expiresAt.toISOString())],
          ],
          { id: 'ending', heading: overview.ending.heading, empty: text.form.none },
        ),
      ]
}

const failingBlocks: Part = async ({ text, may }, { consoleOverview, health }) => {
  const { states, overview, health: server } = text.operator
  const { heading, retries, mails: mailsWords } = overview.failing
  const [{ webhooks, mails }, { stores }] = await Promise.all([consoleOverview.failing(), health()])
  const healthUrl = tabUrl('health')
  const ofServer: [Cell, Cell][] = [
    ...stores
      .filter(({ isUp }) => !isUp)
      .map(({ name }): [Cell, Cell] => [
        linked(server.labels[name as 'postgres' | 'redis'], healthUrl),
        marked(server.down),
      ]),
    ...(mails === 0
      ? []
      : [[linked(mailsWords, healthUrl), marked(text.activity.number(mails))] as [Cell, Cell]]),
  ]
  const ofHooks = webhooks.map(({ id, url, isDisabled }): [Cell, Cell] => [
    linked(url, webhookUrl(id)),
    marked(isDisabled ? states.disabled : retries),
  ])
  const rows = [...(may('webhooks:read') ? ofHooks : []), ...(may('keys:read') ? ofServer : [])]
  const columns: Column<[Cell, Cell]>[] = [
    [overview.what, ([what]) => what],
    [text.operator.columns.state, ([, state]) => state],
  ]
  return rows.length === 0
    ? []
    : [itemTable(rows, columns, { id: 'failing', heading, empty: text.form.none })]
}

const parts: readonly Part[] = [
  stepsBlocks,
  waitingBlocks,
  figuresBlocks,
  endingBlocks,
  failingBlocks,
]

export const operatorOverview = ({ page }: Tab, deps: OperatorPagesDependencies) =>
  page(home, null, async (visit) => {
    const { overview } = visit.text.operator
    const blocks = await Promise.all(parts.map((part) => part(visit, deps)))
    return { heading: overview.heading, blocks: blocks.flat() }
  })
