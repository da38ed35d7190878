import type { FastifyInstance } from 'fastify'
import { type OrganizationActivityDependencies, organizationActivity } from './activity/activity.ts'
import { type OrganizationAppsDependencies, organizationApps } from './apps/apps.ts'
import { type OrganizationDirectoryDependencies, organizationDirectory } from './apps/directory.ts'
import {
  type OrganizationSuspendAllDependencies,
  organizationSuspendAll,
} from './apps/suspend-all.ts'
import { type OrganizationInspectDependencies, organizationInspect } from './inspect.ts'
import { type OrganizationKeysDependencies, organizationKeys } from './keys/keys.ts'
import { type OrganizationMembersDependencies, organizationMembers } from './members/members.ts'
import { type OrganizationPolicyDependencies, organizationPolicy } from './policy.ts'
import { type OrganizationReviewDependencies, organizationReview } from './review.ts'

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
