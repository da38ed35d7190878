import type { SuspensionCounts } from '../../../core/organizations/suspend-all.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { type AdminForm, confirmation } from '../form.ts'
import type { AdminVisit } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'

type Stop = AdminVisit['text']['organization']['stop']

/** What each of the two decisions says. */
const switches = {
  suspend: ({ suspendAll: words }: Stop, { active }: SuspensionCounts) => ({
    words,
    points: [[words.apps(active)], [words.nothingLost], [words.before], [words.keys]],
  }),
  resume: ({ resumeAll: words }: Stop, { suspendedTogether }: SuspensionCounts) => ({
    words,
    points: [[words.apps(suspendedTogether)], [words.alone]],
  }),
}

/** The pages on which an admin suspends every app of the organization, and resumes these. */
export const organizationSuspendAll = (
  { get, post, form }: AdminRoutes,
  { suspendAll }: OrganizationPagesDependencies,
) => {
  for (const name of ['suspend', 'resume'] as const) {
    const decision = `${name}_all`
    const ask = async (visit: AdminVisit): Promise<AdminForm> => {
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
          return `${base}/apps?done=${name === 'suspend' ? 'suspended' : 'resumed'}_all`
        },
      }
    }
    get(`/${name}-all`, form.show(ask))
    post(`/${name}-all`, form.send(ask))
  }
}
