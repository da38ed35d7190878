import { stopPage, stopPath } from '../rendering/stop-page.ts'
import { showParts } from './frame.ts'
import type { AdminRoutes } from './routes.ts'

export const organizationStop = ({ get, deps }: AdminRoutes) =>
  get(stopPath, async (visit) =>
    showParts(visit, null, await stopPage(visit, deps, [visit.organization.id])),
  )
