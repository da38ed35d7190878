// A document of a host that admits becomes an app, without the operator.
import { auditEvent, type Cause } from '../audit/audit.ts'
import type { Apps } from '../clients/apps.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import { covers } from '../language/permissions.ts'
import { Conflict, Invalid } from '../language/service-errors.ts'
import { newAppOf, withinCeiling } from './app-of-document.ts'
import type { AppReviewStore } from './app-reviews.ts'
import { admits, type ClientHostStore } from './client-hosts.ts'
import { hostOfClient } from './client-url.ts'
import type { ClientDocument } from './document.ts'
import type { ReadDocument } from './read-document.ts'

export interface AdmissionDeps {
  hosts: Pick<ClientHostStore, 'byHost' | 'insertApp'>
  apps: Pick<Apps, 'registerDocument'>
  catalogue: Pick<LivePermissionCatalogue, 'find' | 'refresh'>
  reviews: Pick<AppReviewStore, 'withdraw'>
}

/** The app of a document that was read now. */
export type Admit = (
  clientUrl: string,
  read: ReadDocument & { document: ClientDocument },
  cause: Cause,
) => Promise<boolean>

/** @returns false: the rule of the host does not admit it, so it waits for the operator */
export const createAdmit =
  ({ hosts, apps, catalogue, reviews }: AdmissionDeps): Admit =>
  async (clientUrl, { document, etag, freshSeconds }, cause) => {
    const host = hostOfClient(clientUrl)
    const rule = await hosts.byHost(host)
    if (!admits(rule, clientUrl, 0)) return false
    const { ceiling, defaults } = rule
    await catalogue.refresh()
    const permissions = withinCeiling(ceiling, document).filter((one) =>
      catalogue.find('current', one),
    )
    const draft = newAppOf(catalogue, clientUrl, document, { permissions }, defaults)
    // The rule may have changed meanwhile.
    const insert = hosts.insertApp(
      host,
      (now, count) => admits(now, clientUrl, count) && covers(now.ceiling, permissions),
    )
    const { scopes } = document
    const state = { scopes: scopes ?? ceiling, hasScope: scopes !== null, etag, freshSeconds }
    try {
      await apps.registerDocument(
        { clientId: clientUrl, draft, document: state, admitted: true },
        cause,
        insert,
      )
    } catch (error) {
      if (error instanceof Invalid) return false
      if (error instanceof Conflict) return error.reason === 'id_taken'
      throw error
    }
    await reviews.withdraw(clientUrl)
    return true
  }

/** Why a document was not taken, for the operator. */
export const documentFailed = (clientId: string, reason: string, cause: Cause) =>
  auditEvent(cause, 'app.document_failed', { clientId, detail: { reason } })
