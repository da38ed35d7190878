/** Data of the templates for the review. */
import type { TabbedPage } from '../organization-page.ts'
import type { ListLinks, Moment, Notice, ShownEnd } from './frame.ts'

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

export type PolicyPages = {
  'organization-review': TabbedPage & {
    notice: Notice | null
    downloadUrl: string
    installs: ReviewRow[]
    consents: ReviewRow[]
    hasSurplus: boolean
    installList: ListLinks
    consentList: ListLinks
  }
}
