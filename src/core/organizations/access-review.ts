import type { Interface } from '../language/permissions.ts'

/** Why an install or a consent deserves a look. */
export const reviewFindings = ['never_used', 'unused', 'surplus', 'expiring'] as const
export type ReviewFinding = (typeof reviewFindings)[number]

/** An install or a user's consent with at least one finding. */
export interface ReviewedAccess {
  clientId: string
  appName: string
  interface: Interface
  /** The user of a consent; null: the install itself */
  person: { name: string; email: string } | null
  findings: ReviewFinding[]
  /** Permissions of the install that no user's consent contains; empty when that is not known. */
  surplus: string[]
  since: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  idleSeconds: number | null
}

export interface AccessReviewStore {
  /** By name. @param limit at most this many */
  installs(organizationId: string, limit: number): Promise<ReviewedAccess[]>
  consents(organizationId: string, limit: number): Promise<ReviewedAccess[]>
}

/** What an organization has approved and seems not to need: unused for 90 days, never used, too much, ending soon. */
export const createAccessReview = ({ store }: { store: AccessReviewStore }) => ({
  find: async (organizationId: string, limit: number) => {
    const [installs, consents] = await Promise.all([
      store.installs(organizationId, limit),
      store.consents(organizationId, limit),
    ])
    return { installs, consents }
  },
})

export type AccessReview = ReturnType<typeof createAccessReview>
