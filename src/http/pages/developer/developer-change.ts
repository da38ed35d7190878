import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppChanges } from '../../../core/clients/app-changes.ts'
import type { LivePermissionCatalogue } from '../../../core/clients/permission-catalogue.ts'
import { isClientUrl } from '../../../core/crypto/identifiers.ts'
import { Conflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import { type AccountTabsDependencies, accountTabs } from '../account/account-tabs.ts'
import { field } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import {
  type ChangeFields,
  faultsIn,
  fieldsOf,
  formOf,
  namesOf,
  patchIn,
  readFields,
} from './developer-change-form.ts'
import {
  createDeveloperGate,
  type DeveloperGateDependencies,
  type OwnerVisit,
} from './developer-gate.ts'

export interface DeveloperChangeDependencies
  extends AccountTabsDependencies,
    Omit<DeveloperGateDependencies, 'appOwners'> {
  appOwners: DeveloperGateDependencies['appOwners'] & AccountTabsDependencies['appOwners']
  appChanges: Pick<AppChanges, 'propose' | 'withdraw'>
  catalogue: LivePermissionCatalogue
  recentSignIn: RecentSignIn
}

/** Shown again after a fault. */
interface Again {
  given: ChangeFields
  /** Names of the fields with faults; null: another owner or the operator has changed the app meanwhile. */
  names: readonly string[] | null
  /** Another reason, in words. */
  error?: string
}

/** The pages on which an owner changes an app, or asks the operator for the change. */
export const developerChange = (scope: FastifyInstance, deps: DeveloperChangeDependencies) => {
  const { renderer, appChanges, appOwners, catalogue, recentSignIn } = deps
  const asOwner = createDeveloperGate(deps)

  const leave = ({ reply, base }: OwnerVisit, done: string) =>
    reply.header('cache-control', 'no-store').redirect(`${base}?done=${done}`, 303)

  const form = async (visit: OwnerVisit, again?: Again): Promise<FastifyReply> => {
    const { request, reply, session, owned, base } = visit
    const text = textOf(request)
    const words = text.developer.changes
    const { faults, error } = again?.names
      ? faultsIn(text, again.names)
      : { faults: {}, error: again ? (again.error ?? words.conflict) : null }
    const status = again ? { status: again.names ? 400 : 409 } : {}
    return renderer.page(
      request,
      reply,
      'developer-change',
      { session, title: words.title, ...status },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        action: `${base}/change`,
        backUrl: base,
        heading: words.heading(owned.app.name),
        isDocument: isClientUrl(owned.app.clientId),
        ...formOf(text, catalogue, owned.app, again?.given ?? fieldsOf(owned.app)),
        faults,
        error,
      },
    )
  }

  const withRecentSignIn =
    (work: (visit: OwnerVisit) => Promise<FastifyReply>) => async (visit: OwnerVisit) =>
      recentSignIn.isRecent(visit.session)
        ? work(visit)
        : recentSignIn.askAgain(visit.reply, `${visit.base}/change`)

  const propose = async (visit: OwnerVisit, given: ChangeFields): Promise<FastifyReply> => {
    const { request, session, owned, cause } = visit
    const { clientId } = owned.app
    const { patch, unreadable } = patchIn(owned.app, given)
    if (unreadable.length > 0) return form(visit, { given, names: unreadable })
    const change = { patch, shown: field(request, 'version'), reason: given.reason || null }
    try {
      const { kind } = await appChanges.propose(session.user.id, clientId, change, cause)
      return leave(visit, kind)
    } catch (error) {
      if (error instanceof Invalid) return form(visit, { given, names: namesOf(error.faults) })
      if (!(error instanceof Conflict)) throw error
      if (error.reason === 'change_waits') {
        const { waits } = textOf(request).developer.changes
        return form(visit, { given, names: null, error: waits })
      }
      const now = await appOwners.read(session.user.id, clientId)
      return form({ ...visit, owned: now }, { given: fieldsOf(now.app), names: null })
    }
  }

  const withdraw = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const { request, session, owned, cause } = visit
    try {
      const id = field(request, 'change_id')
      await appChanges.withdraw(session.user.id, owned.app.clientId, id, cause)
      return leave(visit, 'withdrawn')
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return leave(visit, 'decided')
    }
  }

  const path = '/developer/apps/:client_id/change'
  scope.get(path, asOwner(withRecentSignIn((visit) => form(visit))))
  scope.post(path, asOwner(withRecentSignIn((visit) => propose(visit, readFields(visit.request)))))
  scope.post(`${path}/withdraw`, asOwner(withRecentSignIn(withdraw)))
}
