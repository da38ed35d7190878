import { secretHint } from '../../core/crypto/identifiers.ts'
import {
  inspectionEvent,
  pastedToken,
  simulationEvent,
} from '../../core/inspection/token-inspection.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { choicesOf } from '../rendering/long-list.ts'
import { showPage } from './frame.ts'
import type { AdminVisit } from './gate.ts'
import { inspectedToken, simulatedToken } from './inspector-items.ts'
import type { AdminRoutes } from './routes.ts'

interface Answered {
  inspected?: ReturnType<typeof inspectedToken>
  simulated?: ReturnType<typeof simulatedToken>
  fault?: { field: string; words: string }
  chosen?: { app: string; person: string }
}

/**
 * Explains tokens to the admins of an organization. A pasted token appears only in the body of a POST. The answer is
 * the page itself, because a redirect would have to carry the token.
 */
export const organizationInspect = ({ get, post, deps }: AdminRoutes) => {
  const { activity, tokenInspection, simulations, audit } = deps

  const namesOf = ({ organization: { id } }: AdminVisit) =>
    Promise.all([activity.apps(id), activity.people(id)])

  const show = async (visit: AdminVisit, answered: Answered) => {
    const { title, simulation } = visit.text.inspector
    const { inspected = null, simulated = null, fault, chosen } = answered
    const [apps, people] = await namesOf(visit)
    return showPage(visit, 'inspect', 'organization-inspect', {
      title,
      status: fault ? 400 : 200,
      action: `${visit.base}/inspect`,
      error: fault?.words ?? null,
      field: fault?.field ?? '',
      inspected,
      simulated,
      apps: choicesOf(simulation.chooseApp, apps, chosen?.app ?? ''),
      people: choicesOf(simulation.itself, people, chosen?.person ?? ''),
    })
  }

  const inspect = async (visit: AdminVisit): Promise<Answered> => {
    const { request, text, organization, cause } = visit
    const token = pastedToken(field(request, 'token'))
    if (token === '') return { fault: { field: '#token', words: text.inspector.form.empty } }
    const { id } = organization
    const inspection = await tokenInspection.inspect(id, token)
    const isOurs = inspection.kind === 'explained'
    audit.record(
      inspectionEvent(cause, {
        organizationId: id,
        facts: isOurs ? inspection.facts : null,
        refused: isOurs ? inspection.refused : inspection.kind,
      }),
    )
    const hint = secretHint(token)
    return { inspected: inspectedToken(visit, inspection, hint, deps.now()) }
  }

  /** Simulates only apps and members of the organization. About others an admin learns nothing. */
  const simulate = async (visit: AdminVisit): Promise<Answered> => {
    const { request, text, organization, cause } = visit
    const [clientId, userId] = [field(request, 'client_id'), field(request, 'user_id')]
    const [apps, people] = await namesOf(visit)
    const app = apps.find(({ id }) => id === clientId)
    const person = people.find(({ id }) => id === userId)
    if (!app || (userId !== '' && !person))
      return { fault: { field: '#client_id', words: text.inspector.simulation.missing } }
    const about = { clientId, organizationId: organization.id, userId: person?.id ?? null }
    const wanted = { scope: undefined, workspaceIds: undefined }
    const simulation = await simulations.run({ ...about, ...wanted })
    audit.record(simulationEvent(cause, about, simulation))
    return {
      simulated: simulatedToken(visit, simulation, app.name, person?.name ?? null),
      chosen: { app: clientId, person: userId },
    }
  }

  get('/inspect', (visit) => show(visit, {}))
  post('/inspect', async (visit) => {
    const wantsSimulation = field(visit.request, 'decision') === 'simulate'
    return show(visit, await (wantsSimulation ? simulate : inspect)(visit))
  })
}
