import { type Static, Type } from 'typebox'
import type { SuspendAll } from '../../../core/organizations/suspend-all.ts'
import { causeOf } from '../guard.ts'
import { operations } from '../operation.ts'
import { closed, component, pathIds } from '../schemas.ts'
import type { OperatorScope } from '../scope.ts'

export const switchedInstallsSchema = component(
  'SwitchedInstalls',
  'The effect on the apps of an organization.',
  { apps: Type.Integer({ description: 'How many apps were suspended or resumed.' }) },
)
export type SwitchedInstallsJson = Static<typeof switchedInstallsSchema>

const on = operations({
  tag: 'installs',
  read: 'installs:read',
  write: 'installs:write',
  schema: 'SwitchedInstalls',
  one: 'How many apps were changed.',
})
const request = { params: pathIds('organization_id'), body: closed({}) }

const suspend = on.act('suspendAllInstalls', 'Suspend every app of an organization', {
  description:
    'Suspends each installed app that is not suspended yet. Their tokens are refused at once; no approval is lost. ' +
    'Key sets keep working, and so does an app that is installed afterwards.',
  ...request,
})

const resume = on.act('resumeAllInstalls', 'Resume the apps that were suspended together', {
  description: 'An app that was suspended by itself stays suspended.',
  ...request,
})

/** All apps of an organization at once. */
export const suspendAllRoutes = (scope: OperatorScope, suspendAll: SuspendAll) => {
  const path = '/organizations/:organization_id'
  scope.post(`${path}/suspend-all`, suspend, async (request) => ({
    apps: await suspendAll.suspend(request.params.organization_id, causeOf(request)),
  }))
  scope.post(`${path}/resume-all`, resume, async (request) => ({
    apps: await suspendAll.resume(request.params.organization_id, causeOf(request)),
  }))
}
