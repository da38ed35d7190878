import type { FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { type PartOfPage, showBlocks, type Words, wordsOf } from '../rendering/forms/blocks-page.ts'
import type { BlocksPage } from '../rendering/view-models/blocks.ts'
import type { OperatorVisit } from './gate.ts'

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

export interface ConsolePage extends Omit<PartOfPage, 'heading' | 'lead'> {
  heading: Words
  lead?: Words | null
}

const tabsOf = ({ text, may }: OperatorVisit, current: ConsoleTab): BlocksPage['tabs'] =>
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

const noticeIn = ({ request, text }: OperatorVisit): BlocksPage['notice'] => {
  const unchanged = { outdated: text.form.changedMeanwhile, decided: text.faults.review_decided }
  const { resent } = text.developer.webhooks.done
  const said = { ...text.done.console, resent, ...unchanged }
  return doneNotice(request, said, Object.keys(unchanged))
}

export const showConsole = (
  visit: OperatorVisit,
  tab: ConsoleTab,
  { heading, lead = null, ...page }: ConsolePage,
): Promise<FastifyReply> =>
  showBlocks(
    visit,
    { tabs: tabsOf(visit, tab), navigation: visit.text.operator.navigation },
    {
      ...page,
      notice: page.notice ?? noticeIn(visit),
      heading: wordsOf(heading),
      lead: lead === null ? null : wordsOf(lead),
    },
  )
