// What is around the content of each page for an organization's admins.
import { doneNotice, type Sentence } from '../rendering/done-notice.ts'
import { createFramedPages, type PartOfPage, showBlocks } from '../rendering/forms/blocks-page.ts'
import type { OrganizationTabs } from '../rendering/organization-page.ts'
import { searchField } from '../rendering/search-page.ts'
import { type Group, tabGroups } from '../rendering/tab-groups.ts'
import type { AdminVisit } from './gate.ts'

/** In their order. The name of a page is also the last part of its path; its label is in `en/organization.ts`. */
const groups = {
  ...{ apps: 'daily', members: 'daily', keys: 'setup', policy: 'setup' },
  ...{ activity: 'check', review: 'check', inspect: 'check' },
} as const satisfies Record<string, Group>
export type Tab = keyof typeof groups

/** The tabs above every page of an organization; `views/partials/organization-tabs.eta` draws them. */
const tabsOf = (
  { request, text, organization: { id, name, toDecide } }: AdminVisit,
  current: Tab | null,
): OrganizationTabs => ({
  search: searchField(request, `/organizations/${id}/search`),
  organization: { id, name },
  tabs: tabGroups(
    text,
    (Object.keys(groups) as Tab[]).map((one) => ({
      label: text.organization.tabs[one],
      href: `/organizations/${id}/${one}`,
      isCurrent: one === current,
      count: one === 'apps' && toDecide > 0 ? text.organization.toDecide(toDecide) : null,
      group: groups[one],
    })),
  ),
})

export const showPage = createFramedPages(tabsOf)

/** @param tab null: it belongs to none */
export const showParts = (visit: AdminVisit, tab: Tab | null, part: PartOfPage) => {
  const { navigation } = visit.text.organization
  return showBlocks(visit, { ...tabsOf(visit, tab), navigation }, part)
}

/**
 * What the page says after a decision, whose outcome is the `done` of its address.
 * @param said the words for each outcome
 */
export const noticeOf = ({ request, text }: AdminVisit, said: Readonly<Record<string, Sentence>>) =>
  doneNotice(request, { ...said, outdated: text.organization.outdated }, ['outdated'])
