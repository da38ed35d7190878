/** Data of the templates for the review. */
import type { OrganizationTabs } from '../organization-page.ts'
import type { ListLinks, Moment, Notice, PageFrame, ShownEnd, SignedInUser } from './frame.ts'

type OrganizationPage = PageFrame & OrganizationTabs & { user: SignedInUser; notice: Notice | null }

export type ReviewRow = {
  app: string
  appUrl: string
  person: { name: string; email: string } | null
  findings: string[]
  surplus: string | null
  lastUsed: Moment | null
  since: Moment
  end: ShownEnd | null
}

export type ReviewPage = OrganizationPage & {
  downloadUrl: string
  installs: ReviewRow[]
  consents: ReviewRow[]
  hasSurplus: boolean
  installList: ListLinks
  consentList: ListLinks
}

export type PolicyPages = {
  'organization-review': ReviewPage
}
