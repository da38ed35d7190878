import type { ListPosition, Page, PageRequest } from '../language/paging.ts'
import type { Interface } from '../language/permissions.ts'
import type { UnusedPermissions } from './permission-use.ts'

/** Why an install or a consent deserves a look. */
export const reviewFindings = ['never_used', 'unused', 'surplus', 'idle', 'expiring'] as const

/** An install or a user's consent with at least one finding. */
export interface ReviewedAccess {
  clientId: string
  appName: string
  interface: Interface
  /** The user of a consent; null: the install itself */
  person: { id: string; name: string; email: string } | null
  findings: (typeof reviewFindings)[number][]
  /** Permissions of the install that no user's consent contains; empty when that is not known. */
  surplus: string[]
  /** null: of a user's consent. */
  idle: UnusedPermissions | null
  since: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  idleSeconds: number | null
}

/** By the names of the apps and of the persons. The request can ask for those with a `finding`. */
type ReviewList = (organizationId: string, page: PageRequest) => Promise<Page<ReviewedAccess>>

/** By ids, so that a name that changes in between repeats and omits nothing. A page may have fewer items, even none. */
type ReviewScan = ReviewList

export interface AccessReviewStore {
  installs: ReviewList
  consents: ReviewList
  allInstalls: ReviewScan
  allConsents: ReviewScan
}

const batch = 500

async function* pagesOf(scan: ReviewScan, organizationId: string) {
  let after: ListPosition | null = null
  do {
    const page: Page<ReviewedAccess> = await scan(organizationId, { after, limit: batch })
    yield page.items
    after = page.next
  } while (after !== null)
}

/** What an organization has approved and seems not to need: unused for 90 days, never used, too much, ending soon. */
export const createAccessReview = ({ store }: { store: AccessReviewStore }) => ({
  installs: store.installs,
  consents: store.consents,

  /** Everything that the lists contain, in batches. */
  export: async function* (organizationId: string) {
    yield* pagesOf(store.allInstalls, organizationId)
    yield* pagesOf(store.allConsents, organizationId)
  },
})

export type AccessReview = ReturnType<typeof createAccessReview>
