import type { OrganizationTab, OrganizationTabs } from '../rendering/organization-view-models.ts'
import type { Text } from '../rendering/text.ts'
import type { OrganizationName } from '../rendering/view-models.ts'

const names = ['apps', 'keys', 'activity', 'inspect'] as const

/** The tabs above every page of an organization; `views/partials/organization-tabs.eta` draws them. */
export const organizationTabs = (
  text: Text,
  { id, name }: OrganizationName,
  current: (typeof names)[number],
): OrganizationTabs => ({
  organization: { id, name },
  tabs: names.map(
    (one): OrganizationTab => ({
      label: text.organization.tabs[one],
      href: `/organizations/${id}/${one}`,
      isCurrent: one === current,
    }),
  ),
})
