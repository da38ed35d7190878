import type { FastifyInstance } from 'fastify'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import { showConfirmation } from '../form.ts'
import { type AdminVisit, createOrganizationGate, parameter } from '../gate.ts'
import { appUrl } from './items.ts'
import { type AppPageDependencies, appOfVisit } from './page.ts'

const path = '/organizations/:id/apps/:client_id'

/** The pages that ask before an app is suspended or uninstalled, and before one person's access ends. */
export const organizationAppStops = (scope: FastifyInstance, deps: AppPageDependencies) => {
  const { renderer, organizationApps } = deps
  const asAdmin = createOrganizationGate(deps)

  const about = async (visit: AdminVisit) => {
    const one = await appOfVisit(organizationApps, visit)
    const { clientId, name } = one.app
    const url = appUrl(visit.base, clientId)
    const words = visit.text.organization.stop
    const uses = words.uses(name, visit.organization.name, one.people)
    const form = {
      hidden: { client_id: clientId },
      action: url,
      cancelUrl: url,
    } as const
    return { name, clientId, words, uses, form }
  }

  scope.get(
    `${path}/uninstall`,
    asAdmin(async (visit) => {
      const { name, words, uses, form } = await about(visit)
      const { title, heading, atOnce, again, copies, confirm } = words.uninstall
      return showConfirmation(renderer, visit, 'apps', {
        ...form,
        title,
        heading: heading(name, visit.organization.name),
        points: [uses, [atOnce], [again], [copies]],
        submit: confirm(name),
        decision: 'uninstall',
      })
    }),
  )

  scope.get(
    `${path}/suspend`,
    asAdmin(async (visit) => {
      const { name, words, uses, form } = await about(visit)
      const { title, heading, atOnce, nothingLost, confirm } = words.suspend
      return showConfirmation(renderer, visit, 'apps', {
        ...form,
        title,
        heading: heading(name, visit.organization.name),
        points: [uses, [atOnce], [nothingLost]],
        submit: confirm(name),
        decision: 'suspend',
      })
    }),
  )

  scope.get(
    `${path}/people/:user_id/end`,
    asAdmin(async (visit) => {
      const { name, clientId, words, form } = await about(visit)
      const userId = parameter(visit.request, 'user_id')
      if (!isIdShaped(userId)) throw new NotFound('user')
      const person = found(
        await organizationApps.person(visit.organization.id, clientId, userId),
        'user',
      )
      const { title, heading, atOnce, others, again, confirm } = words.end
      return showConfirmation(renderer, visit, 'apps', {
        ...form,
        title,
        heading: heading(name, person.name),
        points: [atOnce(name, person.name), [others], again(person.name)],
        submit: confirm,
        decision: 'end',
        hidden: { ...form.hidden, user_id: userId },
      })
    }),
  )
}
