/** Data of the templates for the rules of an organization and for the review. */
import type { OrganizationTabs } from './organization-page.ts'
import type { ListLinks, Moment, Notice, Page, ShownEnd, SignedInUser } from './view-models.ts'

type OrganizationPage = Page & OrganizationTabs & { user: SignedInUser; notice: Notice | null }

export type PolicyPage = OrganizationPage & {
  action: string
  /** The rules that the form has shown. */
  version: string
  rules: { value: string; label: string; hint: string; isChosen: boolean }[]
  expiresDays: string
  idleDays: string
  most: number
  /** The first field with a fault. */
  field: string | null
  error: string | null
  expiresError: string | null
  idleError: string | null
}

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
  'organization-policy': PolicyPage
  'organization-review': ReviewPage
}
