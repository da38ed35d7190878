// The operator's console. Every page reads and changes through the Operator API (`api.ts`), with the rights of the person,
// except that the audit trail is read as organizations read theirs (decision 0116).
import type { FastifyRequest } from 'fastify'
import type { ConsoleOverview } from '../../core/audit/console-overview.ts'
import {
  isPermitted,
  type Operator,
  type OperatorPermission,
} from '../../core/credentials/operator-permissions.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { DeletionCounts } from '../../core/organizations/deletion-counts.ts'
import type { OneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import type { createInProcessApi } from '../../http/operator/in-process.ts'
import { ownPath, showBlocks } from '../rendering/forms/blocks-page.ts'
import { createUserGate, orNotFound, type UserVisit, type Work } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { type Api, createApi } from './api.ts'

/** A secret that the next page shows once. */
export interface ConsoleSecret {
  name: string
  idLabel: 'client' | 'legacyApp' | 'token' | 'webhook'
  id: string
  secret: string
  backUrl: string
}

export interface OperatorPagesDependencies extends PageServices {
  /** Calls the Operator API in this process. */
  callApi: ReturnType<typeof createInProcessApi>
  oneTimeOperatorSecrets: OneTimeSecrets<ConsoleSecret>
  consoleOverview: ConsoleOverview
  checkStores: () => Promise<Health['stores']>
  health: () => Promise<Health>
  deletionCounts: DeletionCounts
}

export interface Health {
  stores: readonly { name: string; isUp: boolean }[]
  warnings: readonly string[]
  /** Messages of webhooks that wait for delivery. */
  waitingWebhooks: number
  /** The name of the latest one. */
  migration: string
  version: string
}

export interface OperatorVisit extends UserVisit {
  rights: Operator
  /** Calls with the rights of this operator. */
  api: Api
  may(permission: OperatorPermission): boolean
  /** A parameter of the page's path, as a segment of a path of the API. */
  parameter(name: string): string
}

/** The fields of a form do not survive a redirect, so the operator has to submit it again. */
const returnPath = (request: FastifyRequest) =>
  request.method === 'GET' ? request.url : ownPath({ request })

/** For an operator who needs a passkey where no browser offers one. */
const showWithoutPasskeys = (visit: UserVisit) => {
  const { navigation, withoutPasskeys } = visit.text.operator
  const { heading, lead } = withoutPasskeys
  const page = { heading, lead, blocks: [], isNarrow: true, status: 403 }
  return showBlocks(visit, { tabs: [], navigation }, page)
}

/**
 * Guards every page and POST below `/operator`. A user who is no operator at this moment gets 404, and so does an operator
 * without the permission of the page. An operator has to use a passkey, and to have signed in recently for a change.
 */
export const createOperatorGate = (deps: OperatorPagesDependencies) => {
  const { operators, administering, recentSignIn, ways, callApi } = deps
  const asUser = createUserGate(deps)
  /** @param permission without it the page does not exist for the operator; null: each operator may open it */
  return (permission: OperatorPermission | null, work: Work<OperatorVisit>, isRecent = false) =>
    asUser(
      orNotFound(async (visit) => {
        const { request, reply, session } = visit
        const rights = await operators.rightsOf(session.user.id)
        if (!rights || (permission !== null && !isPermitted(rights, permission)))
          throw new NotFound('page')
        const returnTo = returnPath(request)
        if (!administering.mayAdminister(session))
          return ways.passkey
            ? administering.askForPasskey(reply, returnTo)
            : showWithoutPasskeys(visit)
        if (isRecent && !recentSignIn.isRecent(session))
          return recentSignIn.askAgain(reply, returnTo)
        const { ip: address, id: requestId, releaseSlot } = request
        const origin = { operator: rights, address, requestId, releaseSlot }
        return work({
          ...visit,
          rights,
          api: createApi((call) => callApi(origin, call)),
          may: (one) => isPermitted(rights, one),
          parameter: (name) =>
            encodeURIComponent((request.params as Record<string, string | undefined>)[name] ?? ''),
        })
      }),
      returnPath,
    )
}
