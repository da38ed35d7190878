import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Memberships, OrganizationMembership } from '../../core/organizations/memberships.ts'
import type { OrganizationApps } from '../../core/organizations/organization-apps.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { Administering } from '../sign-in/administering.ts'

/** One visit of an admin to a page of their organization. */
export interface AdminVisit {
  request: FastifyRequest
  reply: FastifyReply
  text: Text
  session: Session
  /** `toDecide`: apps that wait for a decision of an admin. */
  organization: OrganizationMembership & { toDecide: number }
  cause: Cause
  /** `/organizations/:id`, the prefix of the page's path. */
  base: string
}

export interface OrganizationGateDependencies {
  browser: Browser
  memberships: Pick<Memberships, 'asAdmin'>
  administering: Administering
  organizationApps: Pick<OrganizationApps, 'waiting'>
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
  ({
    browser,
    memberships,
    administering,
    organizationApps,
    renderer,
  }: OrganizationGateDependencies) =>
  (work: (visit: AdminVisit) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await browser.session(request)
    if (!session) {
      const returnTo = encodeURIComponent(request.url)
      return reply.header('cache-control', 'no-store').redirect(`/login?return_to=${returnTo}`, 303)
    }
    const id = parameter(request, 'id')
    const membership = isIdShaped(id) ? await memberships.asAdmin(session.user.id, id) : null
    if (!membership) return renderer.notFound(request, reply)
    const cause = causeOf(request, session)
    const base = `/organizations/${membership.id}`
    if (!administering.mayAdminister(session)) {
      // The fields of a form do not survive the redirect, so the user has to submit it again.
      const returnTo = request.method === 'GET' ? request.url : `${base}/apps`
      return administering.askForPasskey(reply, returnTo)
    }
    try {
      const { requested, widening } = await organizationApps.waiting(membership.id)
      const text = textOf(request)
      const organization = { ...membership, toDecide: requested + widening }
      return await work({ request, reply, text, session, organization, cause, base })
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return renderer.notFound(request, reply)
    }
  }
