// The pages that ask before apps stop.
import { found } from '../../../core/language/service-errors.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import type { SuspensionCounts } from '../../../core/organizations/suspend-all.ts'
import type { Phrase } from '../../../words/phrase.ts'
import { tell, tellUndo } from '../../rendering/done-notice.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { type AdminVisit, installIn, userIdOf } from '../gate.ts'
import { type AdminRoutes, type Confirmation, confirmation, showConfirmation } from '../routes.ts'
import { appUrl } from './items.ts'
import { appOfVisit } from './page.ts'

type Words = AdminVisit['text']['organization']['stop']
type AudienceWords = AdminVisit['text']['organization']['audience']
type Asked = Omit<Confirmation, 'action' | 'cancelUrl'>

/** The pages that ask before an app is suspended or uninstalled, and before one person's access ends. */
export const organizationAppStops = ({ get, deps }: AdminRoutes) => {
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
    const key = { ...installIn(visit, clientId), userId }
    const person = found(await deps.organizationApps.person(key), 'user')
    return {
      title: words.title,
      heading: words.heading(name, person.name),
      points: [words.atOnce(name, person.name), [words.others], words.again(person.name)],
      submit: words.confirm,
      decision: 'end',
      hidden: { user_id: userId },
    }
  })

  /** @param points what the decision about one member means */
  const askAbout = (
    decision: 'deny' | 'admit',
    points: (words: AudienceWords, app: string, person: string) => Phrase[],
  ) =>
    ask(`people/:user_id/${decision}`, async (visit, { app: { name } }) => {
      const userId = userIdOf(visit)
      const member = found(await deps.memberships.member(visit.organization.id, userId), 'user')
      const { audience } = visit.text.organization
      return {
        title: audience[decision].title,
        heading: audience[decision].heading(member.name, name),
        points: points(audience, name, member.name),
        submit: audience[decision].confirm(member.name),
        decision,
        hidden: { user_id: userId },
        isDanger: decision === 'deny',
      }
    })

  askAbout('deny', ({ deny: { atOnce, stays, others } }, app, person) => [
    atOnce(app, person),
    stays(person),
    [others],
  ])
  askAbout('admit', ({ admit: { again, ended } }, _app, person) => [again(person), [ended]])
}

const switches = {
  suspend: ({ suspendAll: words }: Words, { active }: SuspensionCounts) => ({
    words,
    points: [[words.apps(active)], [words.nothingLost], [words.before], [words.keys]],
  }),
  resume: ({ resumeAll: words }: Words, { suspendedTogether }: SuspensionCounts) => ({
    words,
    points: [[words.apps(suspendedTogether)], [words.alone]],
  }),
}

/** The pages on which an admin suspends every app of the organization, and resumes these. */
export const organizationSuspendAll = ({ form, deps }: AdminRoutes) => {
  const { suspendAll } = deps
  for (const name of ['suspend', 'resume'] as const) {
    const decision = `${name}_all`
    form(`/${name}-all`, async (visit) => {
      const { request, text, organization, cause, base } = visit
      const counts = await suspendAll.counts(organization.id)
      const { words, points } = switches[name](text.organization.stop, counts)
      return {
        tab: 'apps',
        ...confirmation({
          title: words.title,
          heading: words.heading(organization.name),
          points,
          submit: words.confirm,
          decision,
          action: `${base}/${name}-all`,
          cancelUrl: `${base}/apps`,
          isDanger: name === 'suspend',
        }),
        work: async () => {
          if (field(request, 'decision') !== decision) return `${base}/apps`
          await suspendAll[name](organization.id, cause)
          tell(request, { names: { organization: organization.name } })
          if (name === 'suspend') await tellUndo(visit, deps)
          return `${base}/apps?done=${name === 'suspend' ? 'suspended' : 'resumed'}_all`
        },
      }
    })
  }
}
