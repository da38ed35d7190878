// What the pages of a sandbox share.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Sandboxes } from '../../core/organizations/sandboxes.ts'
import type { Session } from '../../core/people/session.ts'
import type { FormVisit } from '../rendering/forms/form-page.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Administering } from '../sign-in/administering.ts'
import { signInUrl } from '../sign-in/page.ts'
import type { DeveloperFormDependencies } from './form.ts'

export interface DeveloperSandboxDependencies extends DeveloperFormDependencies {
  sandboxes: Sandboxes
  administering: Administering
}

export interface SandboxVisit extends FormVisit {
  session: Session
}

export type SandboxWork = (visit: SandboxVisit) => Promise<FastifyReply>

/** For users who own an app or have a sandbox. */
export const sandboxGate = (deps: DeveloperSandboxDependencies) => {
  const { browser, renderer, sandboxes, appOwners, administering } = deps
  return (work: SandboxWork) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const session = await browser.session(request)
      const [page = ''] = request.url.split('?', 1)
      if (!session) return reply.header('cache-control', 'no-store').redirect(signInUrl(page), 303)
      const userId = session.user.id
      if (!(await appOwners.ownsApps(userId)) && !(await sandboxes.ofOwner(userId)))
        return renderer.notFound(request, reply)
      if (!administering.mayAdminister(session)) return administering.askForPasskey(reply, page)
      try {
        return await work({ request, reply, text: textOf(request), session })
      } catch (error) {
        if (!(error instanceof NotFound)) throw error
        return renderer.notFound(request, reply)
      }
    }
}
