import type { FastifyInstance } from 'fastify'
import { isPermitted, type OperatorPermission } from '../core/credentials/operator-permissions.ts'
import type { OfferedUndo, Undoable } from '../core/grants/undo.ts'
import { leave } from './rendering/forms/blocks-page.ts'
import { field, localPath } from './rendering/forms/sent-values.ts'
import { createUserGate, type UserVisit } from './sign-in/guards.ts'
import type { PageServices } from './sign-in/services.ts'

const path = '/undo'

const permissions: Partial<Record<Undoable['kind'], OperatorPermission>> = {
  resume: 'installs:write',
  enable: 'users:write',
  leave: 'organizations:write',
  rejoin: 'organizations:write',
}

/** The organization whose admin made the change; null: no admin did. */
const organizationOf = (one: Undoable): string | null => {
  if (one.kind === 'resume') return one.organizationId
  return 'install' in one ? one.install.organizationId : null
}

/** Undoes the last change of this session, with the rights that its user has now. */
export const undoPage = (scope: FastifyInstance, deps: PageServices) => {
  const { browser, undo, memberships, operators, administering, origin } = deps
  const asUser = createUserGate(deps)

  const isAllowed = async ({ session }: UserVisit, one: Undoable) => {
    if (one.kind === 'reconnect') return one.connection.userId === session.user.id
    const organizationId = organizationOf(one)
    return (
      organizationId !== null &&
      administering.mayAdminister(session) &&
      (await memberships.asAdmin(session.user.id, organizationId)) !== null
    )
  }

  /** The cause of the person with the rights that they acted with; null: they have lost these. */
  const causeFor = async (visit: UserVisit, { all, byOperator }: OfferedUndo) => {
    const { session, cause } = visit
    if (!byOperator) {
      for (const one of all) if (!(await isAllowed(visit, one))) return null
      return cause
    }
    const rights = administering.mayAdminister(session)
      ? await operators.rightsOf(session.user.id)
      : null
    const isPermittedAll = all.every(({ kind }) => {
      const permission = permissions[kind]
      return rights !== null && permission !== undefined && isPermitted(rights, permission)
    })
    return rights && isPermittedAll
      ? { ...cause, actor: { kind: 'operator' as const, id: rights.id }, rights }
      : null
  }

  // Reloads a refused form.
  scope.get(path, (_request, reply) => reply.redirect('/', 303))

  scope.post(
    path,
    asUser(
      async (visit) => {
        const { request } = visit
        const offer = await undo.take(field(request, 'undo'), browser.sessionMark(request))
        const cause = offer && (await causeFor(visit, offer))
        const outcome = offer && cause ? await undo.takeBack(offer.all, cause) : 'too_late'
        return leave(visit, localPath(field(request, 'return_to'), origin), outcome)
      },
      () => '/',
    ),
  )
}
