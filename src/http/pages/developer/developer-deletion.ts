import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppSecrets } from '../../../core/clients/app-secrets.ts'
import type { Secret } from '../../../core/credentials/secrets.ts'
import { anyVersion } from '../../../core/language/precondition.ts'
import { Conflict, NotFound } from '../../../core/language/service-errors.ts'
import { type AccountTabsDependencies, accountTabs } from '../account/account-tabs.ts'
import { field } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import {
  createDeveloperGate,
  type DeveloperGateDependencies,
  type OwnerVisit,
} from './developer-gate.ts'

export interface DeveloperDeletionDependencies
  extends AccountTabsDependencies,
    Omit<DeveloperGateDependencies, 'appOwners'> {
  appOwners: DeveloperGateDependencies['appOwners'] & AccountTabsDependencies['appOwners']
  appSecrets: Pick<AppSecrets, 'remove'>
  recentSignIn: RecentSignIn
}

const secretIdOf = ({ request }: OwnerVisit) => (request.params as { secret_id: string }).secret_id

const pageOf = ({ base }: OwnerVisit, secretId: string) =>
  `${base}/secrets/${encodeURIComponent(secretId)}/delete`

/** The pages on which an owner deletes one secret of an app. */
export const developerDeletion = (scope: FastifyInstance, deps: DeveloperDeletionDependencies) => {
  const { renderer, appSecrets, recentSignIn } = deps
  const asOwner = createDeveloperGate(deps)

  const leave = ({ reply, base }: OwnerVisit, done: 'deleted' | 'outdated') =>
    reply.header('cache-control', 'no-store').redirect(`${base}?done=${done}`, 303)

  const form = async (visit: OwnerVisit, secret: Secret): Promise<FastifyReply> => {
    const { request, reply, session, owned, base } = visit
    const text = textOf(request)
    const words = text.developer.deletion
    return renderer.page(
      request,
      reply,
      'developer-delete',
      { session, title: words.title },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        action: pageOf(visit, secret.id),
        backUrl: base,
        replaceUrl: `${base}/replace`,
        heading: words.heading(owned.app.name, secret.hint),
        isLast: owned.secrets.length === 1,
      },
    )
  }

  const remove = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const { request, session, owned, cause } = visit
    // The page of the last secret has a warning, and says so in the form.
    const hasOthersShown = field(request, 'last') !== 'yes'
    const owner = { userId: session.user.id, hasOthersShown }
    try {
      await appSecrets.remove(owned.app.clientId, secretIdOf(visit), cause, anyVersion, owner)
      return leave(visit, 'deleted')
    } catch (error) {
      if (error instanceof Conflict) return leave(visit, 'outdated')
      // The second click of a double click finds no secret.
      if (error instanceof NotFound && error.what === 'secret') return leave(visit, 'deleted')
      throw error
    }
  }

  const path = '/developer/apps/:client_id/secrets/:secret_id/delete'
  /** A secret that is not active has no page. */
  const withSecret =
    (work: (visit: OwnerVisit, secret: Secret) => Promise<FastifyReply>) =>
    async (visit: OwnerVisit) => {
      const secret = visit.owned.secrets.find(({ id }) => id === secretIdOf(visit))
      if (!secret) return leave(visit, 'outdated')
      return work(visit, secret)
    }
  const withRecentSignIn =
    (work: (visit: OwnerVisit) => Promise<FastifyReply>) => async (visit: OwnerVisit) =>
      recentSignIn.isRecent(visit.session)
        ? work(visit)
        : recentSignIn.askAgain(visit.reply, pageOf(visit, secretIdOf(visit)))

  scope.get(path, asOwner(withRecentSignIn(withSecret(form))))
  scope.post(path, asOwner(withRecentSignIn(remove)))
}
