import type { FastifyInstance } from 'fastify'
import type { Undo, Undoable } from '../core/grants/undo.ts'
import type { Memberships } from '../core/organizations/memberships.ts'
import { leave } from './rendering/forms/blocks-page.ts'
import { field, localPath } from './rendering/forms/sent-values.ts'
import { createUserGate, type UserPagesDependencies, type UserVisit } from './sign-in/guards.ts'

export interface UndoDependencies extends UserPagesDependencies {
  undo: Undo
  memberships: Pick<Memberships, 'asAdmin'>
  origin: string
}

const path = '/undo'

/** Takes back what this session has done a moment ago, with the rights that its user has now. */
export const undoPage = (scope: FastifyInstance, deps: UndoDependencies) => {
  const { browser, undo, memberships, administering, origin } = deps
  const asUser = createUserGate(deps)

  const isAllowed = async ({ session }: UserVisit, offer: Undoable) =>
    offer.kind === 'reconnect'
      ? offer.connection.userId === session.user.id
      : administering.mayAdminister(session) &&
        (await memberships.asAdmin(session.user.id, offer.install.organizationId)) !== null

  // Reloads a refused form.
  scope.get(path, (_request, reply) => reply.redirect('/', 303))

  scope.post(
    path,
    asUser(
      async (visit) => {
        const { request, cause } = visit
        const offer = await undo.take(field(request, 'undo'), browser.sessionMark(request))
        const isUndone =
          offer !== null && (await isAllowed(visit, offer)) && (await undo.takeBack(offer, cause))
        const back = localPath(field(request, 'return_to'), origin)
        return leave(visit, back, isUndone ? 'undone' : 'too_late')
      },
      () => '/',
    ),
  )
}
