// Who may open the pages for owners of apps.
import type { OwnedApp } from '../../core/clients/app-owners.ts'
import { isClientIdShaped, isIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Webhook } from '../../core/webhooks/webhooks.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { ownPath } from '../rendering/forms/blocks-page.ts'
import { createUserGate, orNotFound, type UserVisit, type Work } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'

export interface OwnerVisit extends UserVisit {
  owned: OwnedApp
  /** `/developer/apps/:client_id`, the prefix of the page's path. */
  base: string
}

export interface WebhookVisit extends OwnerVisit {
  webhook: Webhook & { clientId: string }
  at: string
}

export type Gate<Visit> = (work: Work<Visit>) => ReturnType<ReturnType<typeof createUserGate>>

/**
 * Guards every page and POST below `/developer/apps/:client_id`. A user who is not an owner at this moment gets the same
 * 404 for an app of others and for an unknown one. An owner who must use a passkey is asked for it first.
 */
export const ownerGate =
  (deps: PageServices): Gate<OwnerVisit> =>
  (work) =>
    createUserGate(deps)(
      orNotFound(async (visit) => {
        const { request, reply, session } = visit
        const { client_id: clientId } = request.params as { client_id: string }
        if (!isClientIdShaped(clientId)) throw new NotFound('app')
        const owned = await deps.appOwners.read(session.user.id, clientId)
        noteConcerned(request, { clientId })
        const base = `/developer/apps/${encodeURIComponent(clientId)}`
        if (!deps.administering.mayAdminister(session)) {
          // The fields of a form do not survive the redirect, so the user has to submit it again.
          const returnTo = request.method === 'GET' ? request.url : base
          return deps.administering.askForPasskey(reply, returnTo)
        }
        return work({ ...visit, owned, base })
      }),
    )

/** Guards the pages of one webhook. A webhook of another app is the same 404 as an unknown one. */
export const webhookGate =
  (deps: PageServices): Gate<WebhookVisit> =>
  (work) =>
    ownerGate(deps)(async (visit) => {
      const { webhook_id: id } = visit.request.params as { webhook_id: string }
      if (!isIdShaped(id)) throw new NotFound('webhook')
      const webhook = await deps.appWebhooks.read({ clientId: visit.owned.app.clientId, id })
      return work({ ...visit, webhook, at: `${visit.base}/webhooks/${id}` })
    })

/** For users who own an app or have a sandbox. */
export const sandboxGate =
  (deps: PageServices): Gate<UserVisit> =>
  (work) =>
    createUserGate(deps)(
      orNotFound(async (visit) => {
        const { sandboxes, appOwners, administering } = deps
        const { reply, session } = visit
        const userId = session.user.id
        if (!(await appOwners.ownsApps(userId)) && !(await sandboxes.ofOwner(userId)))
          throw new NotFound('sandbox')
        return administering.mayAdminister(session)
          ? work(visit)
          : administering.askForPasskey(reply, ownPath(visit))
      }),
      (request) => ownPath({ request }),
    )
