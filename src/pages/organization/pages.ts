import type { FastifyInstance } from 'fastify'
import type { PageServices } from '../sign-in/services.ts'
import { organizationActivity } from './activity/activity.ts'
import { organizationStreams } from './activity/streams.ts'
import { organizationApps } from './apps/apps.ts'
import { organizationDirectory } from './apps/directory.ts'
import { organizationSuspendAll } from './apps/stops.ts'
import { organizationInspect } from './inspect.ts'
import { organizationKeys } from './keys/keys.ts'
import { organizationMembers } from './members/members.ts'
import { organizationPolicy } from './policy.ts'
import { organizationReview } from './review.ts'
import { createAdminRoutes } from './routes.ts'
import { organizationSearch } from './search.ts'
import { organizationStop } from './stop.ts'

/** The pages for admins of an organization: apps, members, key sets, activity, the token inspector. */
export const organizationPages = (scope: FastifyInstance, deps: PageServices) => {
  const routes = createAdminRoutes(scope, deps)
  organizationApps(routes)
  organizationSuspendAll(routes)
  organizationMembers(routes)
  organizationKeys(routes)
  organizationActivity(routes)
  organizationStreams(routes)
  organizationInspect(routes)
  organizationPolicy(routes)
  organizationReview(routes)
  organizationSearch(routes)
  organizationStop(routes)
  organizationDirectory(scope, deps)
}
