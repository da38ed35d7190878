// The operator's console. Every page reads and changes through the Operator API (`api.ts`), with the rights of the person,
// except that the audit trail is read as organizations read theirs (decision 0116).
import type { FastifyRequest } from 'fastify'
import type { Activity } from '../../core/audit/activity.ts'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { ConsoleOverview } from '../../core/audit/console-overview.ts'
import type { OperatorGrants } from '../../core/credentials/operator-grants.ts'
import {
  isPermitted,
  type Operator,
  type OperatorPermission,
} from '../../core/credentials/operator-permissions.ts'
import type { Connections } from '../../core/grants/connections.ts'
import type { Undo } from '../../core/grants/undo.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { LogoStore } from '../../core/logos/logo-store.ts'
import type { LogoUploads } from '../../core/logos/logo-uploads.ts'
import type { DeletionCounts } from '../../core/organizations/deletion-counts.ts'
import type { Memberships } from '../../core/organizations/memberships.ts'
import type { OneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import type { SuspendAll } from '../../core/organizations/suspend-all.ts'
import { ownPath, showBlocks } from '../rendering/forms/blocks-page.ts'
import {
  createUserGate,
  orNotFound,
  type UserPagesDependencies,
  type UserVisit,
  type Work,
} from '../sign-in/guards.ts'
import type { SignInWays } from '../sign-in/page.ts'
import { type Api, type CallApi, createApi } from './api.ts'

/** A secret that the next page shows once. */
export interface ConsoleSecret {
  name: string
  idLabel: 'client' | 'legacyApp' | 'token' | 'webhook'
  id: string
  secret: string
  backUrl: string
}

export interface OperatorPagesDependencies extends UserPagesDependencies {
  operators: Pick<OperatorGrants, 'rightsOf'>
  ways: SignInWays
  callApi: CallApi
  oneTimeSecrets: OneTimeSecrets<ConsoleSecret>
  undo: Undo
  catalogue: PermissionCatalogue
  activity: Activity
  audit: AuditTrail
  limits: Pick<Limits, 'exportBegun'>
  consoleOverview: ConsoleOverview
  checkStores: () => Promise<Health['stores']>
  health: () => Promise<Health>
  deletionCounts: DeletionCounts
  memberships: Pick<Memberships, 'all' | 'appsOfMember'>
  connections: Pick<Connections, 'list'>
  suspendAll: Pick<SuspendAll, 'counts'>
  logos: Pick<LogoStore, 'stateOf'>
  logoUploads: LogoUploads
  /** Milliseconds since 1970. */
  now(): number
  /** The address of the server, without a final slash. */
  origin: string
}

/** The state of the server and its stores. */
export interface Health {
  stores: readonly { name: string; isUp: boolean }[]
  warnings: readonly string[]
  /** Messages of webhooks that wait for delivery. */
  waitingWebhooks: number
  /** The name of the latest one. */
  migration: string
  version: string
}

/** One visit of an operator to a page of the console. */
export interface OperatorVisit extends UserVisit {
  rights: Operator
  /** Calls with the rights of this operator. */
  api: Api
  may(permission: OperatorPermission): boolean
  /** A parameter of the page's path, as a segment of a path of the API. */
  parameter(name: string): string
}

interface GateRules {
  /** Without it the page does not exist for the operator. null: each operator may open it. */
  permission: OperatorPermission | null
  /** The page changes something. */
  isRecent?: true
}

/** The fields of a form do not survive a redirect, so the operator has to submit it again. */
const returnPath = (request: FastifyRequest) =>
  request.method === 'GET' ? request.url : ownPath({ request })

/** For an operator who needs a passkey where no browser offers one. */
const showWithoutPasskeys = (visit: UserVisit) => {
  const { navigation, withoutPasskeys } = visit.text.operator
  const { heading, lead } = withoutPasskeys
  const page = { heading: [heading], lead: [lead], blocks: [], isNarrow: true, status: 403 }
  return showBlocks(visit, { tabs: [], navigation }, page)
}

/**
 * Guards every page and POST below `/operator`. A user who is no operator at this moment gets 404, and so does an operator
 * without the permission of the page. An operator has to use a passkey, and to have signed in recently for a change.
 */
export const createOperatorGate = (deps: OperatorPagesDependencies) => {
  const { operators, administering, recentSignIn, ways, callApi } = deps
  const asUser = createUserGate(deps)
  return ({ permission, isRecent }: GateRules, work: Work<OperatorVisit>) =>
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
