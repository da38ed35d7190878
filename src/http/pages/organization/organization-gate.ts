import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../../core/audit/audit.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type {
  Memberships,
  OrganizationMembership,
} from '../../../core/organizations/memberships.ts'
import type { Session } from '../../../core/people/session.ts'
import { type Browser, causeOf } from '../../browser/browser.ts'
import type { Renderer } from '../rendering/render.ts'
import type { Administering } from '../sign-in/administering.ts'

/** One visit of an admin to a page of their organization. */
export interface AdminVisit {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  organization: OrganizationMembership
  cause: Cause
  /** `/organizations/:id`, the prefix of the page's path. */
  base: string
}

export interface OrganizationGateDependencies {
  browser: Browser
  memberships: Pick<Memberships, 'asAdmin'>
  administering: Administering
  renderer: Renderer
}

export const parameter = (request: FastifyRequest, name: string): string =>
  (request.params as Record<string, string | undefined>)[name] ?? ''

/**
 * Guards every page and POST below `/organizations/:id`. A user who is not an admin there at this moment gets the same
 * 404 for foreign and unknown organizations and for missing parts of them. An admin who must use a passkey is asked for
 * it first.
 */
export const createOrganizationGate =
  ({ browser, memberships, administering, renderer }: OrganizationGateDependencies) =>
  (work: (visit: AdminVisit) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await browser.session(request)
    if (!session) {
      const returnTo = encodeURIComponent(request.url)
      return reply.header('cache-control', 'no-store').redirect(`/login?return_to=${returnTo}`, 303)
    }
    const id = parameter(request, 'id')
    const organization = isIdShaped(id) ? await memberships.asAdmin(session.user.id, id) : null
    if (!organization) return renderer.notFound(request, reply)
    const cause = causeOf(request, session)
    const base = `/organizations/${organization.id}`
    if (!administering.mayAdminister(session)) {
      // The fields of a form do not survive the redirect, so the user has to submit it again.
      const returnTo = request.method === 'GET' ? request.url : `${base}/apps`
      return administering.askForPasskey(reply, returnTo)
    }
    try {
      return await work({ request, reply, session, organization, cause: cause, base })
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return renderer.notFound(request, reply)
    }
  }
