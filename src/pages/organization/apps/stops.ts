import { found } from '../../../core/language/service-errors.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { type Confirmation, showConfirmation } from '../form.ts'
import { type AdminVisit, userIdOf } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { appUrl } from './items.ts'
import { appOfVisit } from './page.ts'

type Words = AdminVisit['text']['organization']['stop']
type Asked = Pick<Confirmation, 'title' | 'heading' | 'points' | 'submit' | 'decision' | 'hidden'>

/** The pages that ask before an app is suspended or uninstalled, and before one person's access ends. */
export const organizationAppStops = ({ get }: AdminRoutes, deps: OrganizationPagesDependencies) => {
  const ask = (
    page: string,
    specify: (visit: AdminVisit, one: InstalledAppWithWidening) => Asked | Promise<Asked>,
  ) =>
    get(`/apps/:client_id/${page}`, async (visit) => {
      const one = await appOfVisit(deps, visit)
      const { hidden, ...rest } = await specify(visit, one)
      const { clientId } = one.app
      const url = appUrl(visit.base, clientId)
      return showConfirmation(visit, 'apps', {
        ...rest,
        hidden: { client_id: clientId, ...hidden },
        action: url,
        cancelUrl: url,
      })
    })

  /** @param effects what happens, beside the loss for everyone who uses the app */
  const askForAll = (decision: 'suspend' | 'uninstall', effects: (words: Words) => string[]) =>
    ask(decision, ({ text, organization }, { app: { name }, people }) => {
      const { uses, [decision]: words } = text.organization.stop
      const loss = uses(name, organization.name, people)
      return {
        title: words.title,
        heading: words.heading(name, organization.name),
        points: [loss, ...effects(text.organization.stop).map((one) => [one])],
        submit: words.confirm(name),
        decision,
      }
    })

  askForAll('uninstall', ({ uninstall: { atOnce, again, copies } }) => [atOnce, again, copies])
  askForAll('suspend', ({ suspend: { atOnce, nothingLost } }) => [atOnce, nothingLost])

  ask('people/:user_id/end', async (visit, { app: { name, clientId } }) => {
    const words = visit.text.organization.stop.end
    const userId = userIdOf(visit)
    const known = await deps.organizationApps.person(visit.organization.id, clientId, userId)
    const person = found(known, 'user')
    return {
      title: words.title,
      heading: words.heading(name, person.name),
      points: [words.atOnce(name, person.name), [words.others], words.again(person.name)],
      submit: words.confirm,
      decision: 'end',
      hidden: { user_id: userId },
    }
  })
}
