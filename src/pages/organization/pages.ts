import type { FastifyInstance } from 'fastify'
import { organizationActivity } from './activity/activity.ts'
import { explainedRequests } from './activity/request.ts'
import { organizationStreams } from './activity/streams.ts'
import { organizationApps } from './apps/apps.ts'
import { organizationDirectory } from './apps/directory.ts'
import { organizationSuspendAll } from './apps/stops.ts'
import type { OrganizationPagesDependencies } from './dependencies.ts'
import { organizationInspect } from './inspect.ts'
import { organizationKeys } from './keys/keys.ts'
import { organizationMembers } from './members/members.ts'
import { organizationPolicy } from './policy.ts'
import { organizationReview } from './review.ts'
import { createAdminRoutes } from './routes.ts'
import { organizationSearch } from './search.ts'

/** The pages for admins of an organization: apps, members, key sets, activity, the token inspector. */
export const organizationPages = (scope: FastifyInstance, deps: OrganizationPagesDependencies) => {
  const routes = createAdminRoutes(scope, deps)
  organizationApps(routes, deps)
  organizationSuspendAll(routes, deps)
  organizationMembers(routes, deps)
  organizationKeys(routes, deps)
  organizationActivity(routes, deps)
  explainedRequests(routes, deps)
  organizationStreams(routes, deps)
  organizationInspect(routes, deps)
  organizationPolicy(routes, deps)
  organizationReview(routes, deps)
  organizationSearch(routes, deps)
  organizationDirectory(scope, deps)
}
