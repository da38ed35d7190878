import type { Text } from '../../words/text.ts'
import type { OrganizationTab, OrganizationTabs } from '../rendering/organization-page.ts'
import type { AdminVisit } from './gate.ts'

/** In their order. The name of a page is also the last part of its path; its label is in `en/organization.ts`. */
const names = ['apps', 'members', 'keys', 'activity', 'review', 'policy', 'inspect'] as const

/** The tabs above every page of an organization; `views/partials/organization-tabs.eta` draws them. */
export const organizationTabs = (
  text: Text,
  { id, name, toDecide }: AdminVisit['organization'],
  current: (typeof names)[number],
): OrganizationTabs => ({
  organization: { id, name },
  tabs: names.map(
    (one): OrganizationTab => ({
      label: text.organization.tabs[one],
      href: `/organizations/${id}/${one}`,
      isCurrent: one === current,
      count: one === 'apps' && toDecide > 0 ? text.organization.toDecide(toDecide) : null,
    }),
  ),
})
