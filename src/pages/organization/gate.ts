import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { found, NotFound } from '../../core/language/service-errors.ts'
import type { Memberships, OrganizationMembership } from '../../core/organizations/memberships.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { createUserGate, orNotFound, type UserVisit, type Work } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'

/** One visit of a member to a page of their organization. */
export interface MemberVisit extends UserVisit {
  organization: OrganizationMembership
  /** `/organizations/:id`, the prefix of the page's path. */
  base: string
}

/** One visit of an admin. `toDecide`: apps that wait for a decision of an admin. */
export interface AdminVisit extends MemberVisit {
  organization: OrganizationMembership & { toDecide: number }
}

export const parameter = ({ params }: { params: unknown }, name: string): string =>
  (params as Record<string, string | undefined>)[name] ?? ''

/** The install of an app in the organization, by its key. */
export const installIn = ({ organization }: MemberVisit, clientId: string) => ({
  ...{ organizationId: organization.id, clientId },
})

/** The user whom the address names. @throws NotFound */
export const userIdOf = ({ request }: AdminVisit): string => {
  const userId = parameter(request, 'user_id')
  if (!isIdShaped(userId)) throw new NotFound('user')
  return userId
}

/**
 * Guards every page and POST below `/organizations/:id`. A user who is not a member, or not an admin, there at this
 * moment gets the same 404 for foreign and unknown organizations and for missing parts of them.
 */
export const createOrganizationGates = (deps: PageServices) => {
  const { memberships, administering, organizationApps } = deps
  const asUser = createUserGate(deps)

  const guarded = (membership: Memberships['asMember'], work: Work<MemberVisit>) =>
    asUser(
      orNotFound(async (visit) => {
        const id = parameter(visit.request, 'id')
        const known = isIdShaped(id) ? await membership(visit.session.user.id, id) : null
        const organization = found(known, 'organization')
        noteConcerned(visit.request, { organizationId: id })
        return work({ ...visit, organization, base: `/organizations/${id}` })
      }),
    )

  return {
    asMember: (work: Work<MemberVisit>) => guarded(memberships.asMember, work),
    /** An admin who must use a passkey is asked for it first. */
    asAdmin: (work: Work<AdminVisit>) =>
      guarded(memberships.asAdmin, async (visit) => {
        const { request, reply, session, base } = visit
        if (!administering.mayAdminister(session)) {
          // The fields of a form do not survive the redirect, so the user has to submit it again.
          const returnTo = request.method === 'GET' ? request.url : `${base}/apps`
          return administering.askForPasskey(reply, returnTo)
        }
        const { requested, widening } = await organizationApps.waiting(visit.organization.id)
        const organization = { ...visit.organization, toDecide: requested + widening }
        return work({ ...visit, organization })
      }),
  }
}
