// The operator's console. Every page reads and changes through the Operator API (`api.ts`), with the rights of the person.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorGrants } from '../../core/credentials/operator-grants.ts'
import {
  isPermitted,
  type Operator,
  type OperatorPermission,
} from '../../core/credentials/operator-permissions.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { LogoStore } from '../../core/logos/logo-store.ts'
import type { OneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import type { Session } from '../../core/people/session.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { showBlocks } from '../rendering/forms/blocks-page.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { Administering, RecentSignIn } from '../sign-in/guards.ts'
import { type SignInWays, signInUrl } from '../sign-in/page.ts'
import { type Api, type CallApi, createApi } from './api.ts'

/** A secret that the next page shows once. */
export interface ConsoleSecret {
  name: string
  idLabel: 'client' | 'legacyApp' | 'token' | 'webhook'
  id: string
  secret: string
  backUrl: string
}

export interface OperatorPagesDependencies {
  browser: Browser
  renderer: Renderer
  operators: Pick<OperatorGrants, 'rightsOf'>
  administering: Administering
  recentSignIn: RecentSignIn
  ways: SignInWays
  callApi: CallApi
  oneTimeSecrets: OneTimeSecrets<ConsoleSecret>
  catalogue: Pick<PermissionCatalogue, 'names' | 'find' | 'readPermission'>
  health: () => Promise<Health>
  logos: Pick<LogoStore, 'faultOf'>
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
export interface OperatorVisit {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  text: Text
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

/**
 * Guards every page and POST below `/operator`. A user who is no operator at this moment gets 404, and so does an operator
 * without the permission of the page. An operator has to use a passkey, and to have signed in recently for a change.
 */
export const createOperatorGate =
  (deps: OperatorPagesDependencies) =>
  ({ permission, isRecent }: GateRules, work: (visit: OperatorVisit) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { browser, renderer, administering, recentSignIn } = deps
    // The fields of a form do not survive a redirect, so the operator has to submit it again.
    const returnTo = request.method === 'GET' ? request.url : (request.url.split('?', 1)[0] ?? '')
    const session = await browser.session(request)
    if (!session)
      return reply.header('cache-control', 'no-store').redirect(signInUrl(returnTo), 303)
    const rights = await deps.operators.rightsOf(session.user.id)
    if (!rights || (permission !== null && !isPermitted(rights, permission)))
      return renderer.notFound(request, reply)
    const { navigation, withoutPasskeys } = textOf(request).operator
    if (!administering.mayAdminister(session))
      return deps.ways.passkey
        ? administering.askForPasskey(reply, returnTo)
        : showBlocks(
            renderer,
            { request, reply, session },
            { tabs: [], navigation },
            {
              heading: [withoutPasskeys.heading],
              lead: [withoutPasskeys.lead],
              ...{ blocks: [], isNarrow: true, status: 403 },
            },
          )
    if (isRecent && !recentSignIn.isRecent(session)) return recentSignIn.askAgain(reply, returnTo)
    const origin = {
      operator: rights,
      address: request.ip,
      requestId: request.id,
      releaseSlot: request.releaseSlot,
    }
    try {
      return await work({
        request,
        reply,
        session,
        text: textOf(request),
        rights,
        api: createApi((call) => deps.callApi(origin, call)),
        may: (one) => isPermitted(rights, one),
        parameter: (name) =>
          encodeURIComponent((request.params as Record<string, string | undefined>)[name] ?? ''),
      })
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return renderer.notFound(request, reply)
    }
  }
