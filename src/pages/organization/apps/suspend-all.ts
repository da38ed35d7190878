import type { FastifyInstance } from 'fastify'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { SuspendAll } from '../../../core/organizations/suspend-all.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { showConfirmation } from '../form.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from '../gate.ts'

export type OrganizationSuspendAllDependencies = OrganizationGateDependencies & {
  suspendAll: SuspendAll
}

const path = '/organizations/:id'

/** The pages on which an admin suspends every app of the organization, and resumes these. */
export const organizationSuspendAll = (
  scope: FastifyInstance,
  deps: OrganizationSuspendAllDependencies,
) => {
  const { renderer, suspendAll } = deps
  const asAdmin = createOrganizationGate(deps)

  const switchAll = (
    decision: 'suspend_all' | 'resume_all',
    work: (organizationId: string, cause: AdminVisit['cause']) => Promise<number>,
  ) =>
    asAdmin(async ({ request, reply, organization, cause, base }) => {
      const named = field(request, 'organization_id')
      if (named !== '' && named !== organization.id) throw new NotFound('organization')
      const isMeant = field(request, 'decision') === decision
      if (isMeant) await work(organization.id, cause)
      const done = isMeant
        ? `?done=${decision === 'suspend_all' ? 'suspended' : 'resumed'}_all`
        : ''
      return reply.header('cache-control', 'no-store').redirect(`${base}/apps${done}`, 303)
    })

  scope.get(
    `${path}/suspend-all`,
    asAdmin(async (visit) => {
      const { organization, base } = visit
      const words = visit.text.organization.stop.suspendAll
      const { active } = await suspendAll.counts(organization.id)
      return showConfirmation(renderer, visit, 'apps', {
        title: words.title,
        heading: words.heading(organization.name),
        points: [[words.apps(active)], [words.nothingLost], [words.before], [words.keys]],
        submit: words.confirm,
        decision: 'suspend_all',
        action: `${base}/suspend-all`,
        cancelUrl: `${base}/apps`,
      })
    }),
  )
  scope.post(`${path}/suspend-all`, switchAll('suspend_all', suspendAll.suspend))

  scope.get(
    `${path}/resume-all`,
    asAdmin(async (visit) => {
      const { organization, base } = visit
      const words = visit.text.organization.stop.resumeAll
      const { suspendedTogether } = await suspendAll.counts(organization.id)
      return showConfirmation(renderer, visit, 'apps', {
        title: words.title,
        heading: words.heading(organization.name),
        points: [[words.apps(suspendedTogether)], [words.alone]],
        submit: words.confirm,
        decision: 'resume_all',
        action: `${base}/resume-all`,
        cancelUrl: `${base}/apps`,
        isDanger: false,
      })
    }),
  )
  scope.post(`${path}/resume-all`, switchAll('resume_all', suspendAll.resume))
}
