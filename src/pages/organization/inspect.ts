import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Activity, Named } from '../../core/audit/activity.ts'
import type { AuditTrail } from '../../core/audit/audit.ts'
import { secretHint } from '../../core/crypto/identifiers.ts'
import type { Simulations } from '../../core/inspection/simulation.ts'
import {
  inspectionEvent,
  pastedToken,
  simulationEvent,
  type TokenInspection,
} from '../../core/inspection/token-inspection.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Choice } from '../rendering/view-models/activity.ts'
import type { InspectedToken, SimulatedToken } from '../rendering/view-models/inspector.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from './gate.ts'
import { inspectedToken, simulatedToken } from './inspector-items.ts'
import { organizationTabs } from './tabs.ts'

export interface OrganizationInspectDependencies extends OrganizationGateDependencies {
  activity: Pick<Activity, 'apps' | 'people'>
  tokenInspection: TokenInspection
  simulations: Simulations
  audit: AuditTrail
  catalogue: PermissionCatalogue
  /** Milliseconds since 1970. */
  now: () => number
}

/** Results on the page, beside its forms. */
interface Answered {
  inspected?: InspectedToken
  simulated?: SimulatedToken
  fault?: { field: string; words: string }
  /** The choice for the simulation. */
  chosen?: { app: string; person: string }
}

const path = '/organizations/:id/inspect'

const choices = (first: string, options: readonly Named[], chosen = ''): Choice[] =>
  [{ id: '', name: first }, ...options].map(({ id, name }) => ({
    value: id,
    label: name,
    isChosen: id === chosen,
  }))

/**
 * Explains tokens to the admins of an organization. A pasted token appears only in the body of a POST. The answer is
 * the page itself, because a redirect would have to carry the token.
 */
export const organizationInspect = (
  scope: FastifyInstance,
  deps: OrganizationInspectDependencies,
) => {
  const { activity, tokenInspection, simulations, renderer, audit, catalogue } = deps
  const asAdmin = createOrganizationGate(deps)

  const show = async (visit: AdminVisit, answered: Answered): Promise<FastifyReply> => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const words = text.inspector
    const { inspected, simulated, fault, chosen } = answered
    const [apps, people] = await Promise.all([
      activity.apps(organization.id),
      activity.people(organization.id),
    ])
    return renderer.page(
      request,
      reply,
      'organization-inspect',
      { session, title: words.title, ...(fault && { status: 400 }) },
      {
        ...organizationTabs(text, organization, 'inspect'),
        action: `${base}/inspect`,
        error: fault?.words ?? null,
        field: fault?.field ?? '',
        inspected: inspected ?? null,
        simulated: simulated ?? null,
        apps: choices(words.simulation.chooseApp, apps, chosen?.app),
        people: choices(words.simulation.itself, people, chosen?.person),
      },
    )
  }

  const inspect = async (visit: AdminVisit): Promise<Answered> => {
    const text = textOf(visit.request)
    const token = pastedToken(field(visit.request, 'token'))
    if (token === '') return { fault: { field: '#token', words: text.inspector.form.empty } }
    const { id, name } = visit.organization
    const inspection = await tokenInspection.inspect(id, token)
    const isOurs = inspection.kind === 'explained'
    audit.record(
      inspectionEvent(visit.cause, {
        organizationId: id,
        facts: isOurs ? inspection.facts : null,
        refused: isOurs ? inspection.refused : inspection.kind,
      }),
    )
    const hint = secretHint(token)
    return { inspected: inspectedToken(text, catalogue, inspection, hint, name, deps.now()) }
  }

  /** Simulates only apps and members of the organization. About others an admin learns nothing. */
  const simulate = async ({ request, organization, cause }: AdminVisit): Promise<Answered> => {
    const text = textOf(request)
    const [clientId, userId] = [field(request, 'client_id'), field(request, 'user_id')]
    const [apps, people] = await Promise.all([
      activity.apps(organization.id),
      activity.people(organization.id),
    ])
    const app = apps.find(({ id }) => id === clientId)
    const person = people.find(({ id }) => id === userId)
    if (!app || (userId !== '' && !person))
      return { fault: { field: '#client_id', words: text.inspector.simulation.missing } }
    const about = { clientId, organizationId: organization.id, userId: person?.id ?? null }
    const asked = { scope: undefined, workspaceIds: undefined }
    const simulation = await simulations.run({ ...about, ...asked })
    audit.record(simulationEvent(cause, about, simulation))
    return {
      simulated: simulatedToken(text, catalogue, simulation, app.name, person?.name ?? null),
      chosen: { app: clientId, person: userId },
    }
  }

  scope.get(
    path,
    asAdmin((visit) => show(visit, {})),
  )

  scope.post(
    path,
    asAdmin(async (visit) => {
      const wantsSimulation = field(visit.request, 'decision') === 'simulate'
      return show(visit, await (wantsSimulation ? simulate : inspect)(visit))
    }),
  )
}
