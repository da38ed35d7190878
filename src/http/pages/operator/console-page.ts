import type { FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import { queried } from '../rendering/forms.ts'
import type { Block, OperatorPage } from '../rendering/operator-view-models.ts'
import type { Renderer } from '../rendering/render.ts'
import type { OperatorVisit } from './operator-gate.ts'

/** The tabs, with the permission that shows each; null: always. */
const tabs = {
  overview: ['', null],
  apps: ['/apps', 'apps:read'],
  organizations: ['/organizations', 'organizations:read'],
  people: ['/people', 'users:read'],
  servers: ['/resource-servers', 'keys:read'],
  permissions: ['/permissions', 'permissions:read'],
  keys: ['/keys', 'keys:read'],
  webhooks: ['/webhooks', 'webhooks:read'],
  audit: ['/audit', 'audit:read'],
  health: ['/health', 'keys:read'],
  tokens: ['/tokens', '*'],
} as const satisfies Record<string, [path: string, permission: OperatorPermission | null]>

export type ConsoleTab = keyof typeof tabs

export const home = '/operator'
export const tabUrl = (tab: ConsoleTab) => `${home}${tabs[tab][0]}`

export interface ConsolePage {
  tab: ConsoleTab
  heading: string
  subject?: string | null
  lead?: string | null
  error?: string | null
  field?: string | null
  status?: number
  blocks: Block[]
  /** A form or a single thing; tables use the whole width. */
  isNarrow?: boolean
  back?: OperatorPage['back']
}

const tabsOf = ({ text, may }: OperatorVisit, current: ConsoleTab): OperatorPage['tabs'] =>
  (Object.keys(tabs) as ConsoleTab[])
    .filter((name) => {
      const [, permission] = tabs[name]
      return permission === null || may(permission)
    })
    .map((name) => ({
      label: text.operator.tabs[name],
      href: tabUrl(name),
      isCurrent: name === current,
    }))

const noticeIn = ({ request, text }: OperatorVisit): OperatorPage['notice'] => {
  const done = queried(request, 'done')
  const { changedMeanwhile, faults } = text.operator
  const notices = { ...text.operator.notices, resent: text.developer.webhooks.done.resent }
  if (done === 'outdated') return { words: changedMeanwhile, tone: 'plain' }
  if (done === 'decided') return { words: faults.conflicts.review_decided, tone: 'plain' }
  return Object.hasOwn(notices, done)
    ? { words: notices[done as keyof typeof notices], tone: 'good' }
    : null
}

export const showConsole = (
  renderer: Renderer,
  visit: OperatorVisit,
  page: ConsolePage,
): Promise<FastifyReply> => {
  const { request, reply, session } = visit
  const { tab, heading, blocks, isNarrow = false, back = null, error = null } = page
  return renderer.page(
    request,
    reply,
    'operator',
    {
      session,
      title: heading,
      ...(page.status !== undefined && { status: page.status }),
      withScript: blocks.some(({ kind }) => kind === 'secret'),
    },
    {
      tabs: tabsOf(visit, tab),
      heading,
      subject: page.subject ?? null,
      lead: page.lead ?? null,
      notice: noticeIn(visit),
      error,
      field: page.field ?? null,
      blocks,
      isNarrow,
      back,
    },
  )
}

/** The address of the page, without a query. */
export const ownPath = ({ request }: OperatorVisit) => request.url.split('?', 1)[0] ?? ''

export const leave = ({ reply }: OperatorVisit, path: string, done?: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .redirect(done === undefined ? path : `${path}?done=${done}`, 303)
