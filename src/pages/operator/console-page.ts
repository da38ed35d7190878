import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { type Chosen, filteredUrl } from '../rendering/activity/filter.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { type PartOfPage, showBlocks } from '../rendering/forms/blocks-page.ts'
import { asLeft } from '../rendering/left-lists.ts'
import { searchField } from '../rendering/search-page.ts'
import { type Group, type TabGroup, tabGroups } from '../rendering/tab-groups.ts'
import type { OperatorVisit } from './gate.ts'

/** The tabs, with the permission that shows each (null: always) and their group. */
const tabs = {
  overview: ['', null, 'daily'],
  organizations: ['/organizations', 'organizations:read', 'daily'],
  apps: ['/apps', 'apps:read', 'daily'],
  people: ['/people', 'users:read', 'daily'],
  servers: ['/resource-servers', 'keys:read', 'setup'],
  permissions: ['/permissions', 'permissions:read', 'setup'],
  webhooks: ['/webhooks', 'webhooks:read', 'setup'],
  keys: ['/keys', 'keys:read', 'setup'],
  tokens: ['/tokens', '*', 'setup'],
  audit: ['/audit', 'audit:read', 'check'],
  health: ['/health', 'keys:read', 'check'],
} as const satisfies Record<
  string,
  [path: string, permission: OperatorPermission | null, group: Group]
>

export type ConsoleTab = keyof typeof tabs

export const home = '/operator'
export const searchUrl = `${home}/search`
export const tabUrl = (tab: ConsoleTab) => `${home}${tabs[tab][0]}`

/** The audit page with a filter, for the page of what it names. */
export const activityUrl = (filter: Partial<Chosen>): string => filteredUrl(tabUrl('audit'), filter)

/** The page that finds a request by its id. */
export const requestsUrl = `${home}/requests`

/** The page that explains one request. @param requestId of an answer (`X-Request-Id`) or of an error page */
export const requestUrl = (requestId: string) => `${requestsUrl}/${encodeURIComponent(requestId)}`

const tabsOf = ({ text, may }: OperatorVisit, current: ConsoleTab): TabGroup[] => {
  const shown = (Object.keys(tabs) as ConsoleTab[]).flatMap((name) => {
    const [, permission, group] = tabs[name]
    const tab = { label: text.operator.tabs[name], href: tabUrl(name), count: null, group }
    return permission === null || may(permission) ? [{ ...tab, isCurrent: name === current }] : []
  })
  return tabGroups(text, shown)
}

const noticeIn = ({ request, text }: OperatorVisit) => {
  const unchanged = { outdated: text.form.changedMeanwhile, decided: text.faults.review_decided }
  const { resent } = text.developer.webhooks.done
  const said = { ...text.done.console, resent, ...unchanged }
  return doneNotice(request, said, Object.keys(unchanged))
}

export const showConsole = (visit: OperatorVisit, tab: ConsoleTab, page: PartOfPage) =>
  showBlocks(
    visit,
    {
      tabs: tabsOf(visit, tab),
      navigation: visit.text.operator.navigation,
      search: searchField(visit.request, searchUrl),
    },
    {
      ...page,
      notice: page.notice ?? noticeIn(visit),
      back: page.back && { ...page.back, href: asLeft(visit.request, page.back.href) },
    },
  )
