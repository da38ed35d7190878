import type { FastifyInstance } from 'fastify'
import {
  type OrganizationActivityDependencies,
  organizationActivity,
} from './organization-activity.ts'
import { type OrganizationAppsDependencies, organizationApps } from './organization-apps.ts'
import {
  type OrganizationDirectoryDependencies,
  organizationDirectory,
} from './organization-directory.ts'
import {
  type OrganizationInspectDependencies,
  organizationInspect,
} from './organization-inspect.ts'
import { type OrganizationKeysDependencies, organizationKeys } from './organization-keys.ts'
import {
  type OrganizationMembersDependencies,
  organizationMembers,
} from './organization-members.ts'
import { type OrganizationPolicyDependencies, organizationPolicy } from './organization-policy.ts'
import { type OrganizationReviewDependencies, organizationReview } from './organization-review.ts'
import {
  type OrganizationSuspendAllDependencies,
  organizationSuspendAll,
} from './organization-suspend-all.ts'

export type OrganizationPagesDependencies = OrganizationAppsDependencies &
  OrganizationSuspendAllDependencies &
  OrganizationMembersDependencies &
  OrganizationKeysDependencies &
  OrganizationActivityDependencies &
  OrganizationDirectoryDependencies &
  OrganizationInspectDependencies &
  OrganizationPolicyDependencies &
  OrganizationReviewDependencies

/** The pages for admins of an organization: apps, members, key sets, activity, the token inspector. */
export const organizationPages = (scope: FastifyInstance, deps: OrganizationPagesDependencies) => {
  organizationApps(scope, deps)
  organizationSuspendAll(scope, deps)
  organizationMembers(scope, deps)
  organizationKeys(scope, deps)
  organizationActivity(scope, deps)
  organizationInspect(scope, deps)
  organizationPolicy(scope, deps)
  organizationReview(scope, deps)
  organizationDirectory(scope, deps)
}
