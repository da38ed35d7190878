import type { FastifyInstance } from 'fastify'
import { Conflict, NotFound } from '../../../core/language/service-errors.ts'
import { causeOf } from '../../browser/browser.ts'
import { accountTabs } from '../account/account-tabs.ts'
import type { DeveloperConfirmPage } from '../rendering/developer-view-models.ts'
import { textOf } from '../rendering/reader-text.ts'
import {
  type DeveloperSandboxDependencies,
  type SandboxVisit,
  sandboxGate,
} from './sandbox-gate.ts'

const path = '/developer/sandbox'

/** The pages on which an owner of an app creates and deletes a sandbox. */
export const developerSandbox = (scope: FastifyInstance, deps: DeveloperSandboxDependencies) => {
  const { renderer, sandboxes } = deps

  const guarded = sandboxGate(deps)

  const leave = ({ reply }: SandboxVisit, done: string) =>
    reply.header('cache-control', 'no-store').redirect(`/developer?done=sandbox_${done}`, 303)

  const confirm = async (
    { request, reply, session }: SandboxVisit,
    title: string,
    own: Pick<DeveloperConfirmPage, 'heading' | 'lead' | 'submit' | 'cancel' | 'isDanger'>,
  ) => {
    const [action = path] = request.url.split('?', 1)
    const tabs = await accountTabs(textOf(request), 'developer', session, deps)
    const page = { tabs, action, backUrl: '/developer', ...own }
    return renderer.page(request, reply, 'developer-confirm', { session, title }, page)
  }

  const askCreate = async (visit: SandboxVisit) => {
    if (await sandboxes.ofOwner(visit.session.user.id)) return leave(visit, 'exists')
    const { title, heading, lead, submit, cancel } = textOf(visit.request).developer.sandbox
      .creation
    const own = { heading: [heading], lead: [lead], submit, cancel, isDanger: false }
    return confirm(visit, title, own)
  }

  const create = async (visit: SandboxVisit) => {
    const { request, session } = visit
    const { names } = textOf(request).developer.sandbox
    try {
      await sandboxes.create(session.user.id, names, causeOf(request, session))
      return leave(visit, 'created')
    } catch (error) {
      if (error instanceof NotFound) return renderer.notFound(request, visit.reply)
      // The second click of a double click finds the sandbox that the first one made.
      if (error instanceof Conflict) return leave(visit, 'exists')
      throw error
    }
  }

  const askDelete = async (visit: SandboxVisit) => {
    const sandbox = await sandboxes.ofOwner(visit.session.user.id)
    if (!sandbox) return leave(visit, 'deleted')
    const words = textOf(visit.request).developer.sandbox.deletion
    const { title, heading, lead, submit, cancel } = words
    const own = { heading: heading(sandbox.name), lead: [lead], submit, cancel, isDanger: true }
    return confirm(visit, title, own)
  }

  const remove = async (visit: SandboxVisit) => {
    const { request, session } = visit
    try {
      await sandboxes.remove(session.user.id, causeOf(request, session))
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
    return leave(visit, 'deleted')
  }

  scope.get(path, guarded(askCreate))
  scope.post(path, guarded(create))
  scope.get(`${path}/delete`, guarded(askDelete))
  scope.post(`${path}/delete`, guarded(remove))
}
