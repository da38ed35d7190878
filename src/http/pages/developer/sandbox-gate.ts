// What the pages of a sandbox share.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sandboxes } from '../../../core/organizations/sandboxes.ts'
import type { Session } from '../../../core/people/session.ts'
import type { Browser } from '../../browser/browser.ts'
import type { AccountTabsDependencies } from '../account/account-tabs.ts'
import type { Renderer } from '../rendering/render.ts'
import type { Administering } from '../sign-in/administering.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { signInUrl } from '../sign-in/sign-in-page.ts'

export interface DeveloperSandboxDependencies extends AccountTabsDependencies {
  browser: Browser
  renderer: Renderer
  sandboxes: Sandboxes
  administering: Administering
  recentSignIn: RecentSignIn
}

export interface SandboxVisit {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
}

/** For users who own an app or have a sandbox, with a recent sign-in. */
export const sandboxGate = (deps: DeveloperSandboxDependencies) => {
  const { browser, renderer, sandboxes, appOwners, administering, recentSignIn } = deps
  return (work: (visit: SandboxVisit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const session = await browser.session(request)
      const [page = ''] = request.url.split('?', 1)
      if (!session) return reply.header('cache-control', 'no-store').redirect(signInUrl(page), 303)
      const userId = session.user.id
      if (!(await appOwners.ownsApps(userId)) && !(await sandboxes.ofOwner(userId)))
        return renderer.notFound(request, reply)
      if (!administering.mayAdminister(session)) return administering.askForPasskey(reply, page)
      return recentSignIn.isRecent(session)
        ? work({ request, reply, session })
        : recentSignIn.askAgain(reply, page)
    }
}
