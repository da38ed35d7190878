// Installation from a link: GET /install begins a request, and its answer returns to the app's setup URI.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AuthorizationRequest,
  type InstalledAnswer,
  installRequestOf,
} from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { withAnswer } from '../../core/clients/redirect-uri.ts'
import { isClientIdShaped, isIdShaped } from '../../core/crypto/identifiers.ts'
import { invalidRequest, OAuthError } from '../../core/language/errors.ts'
import { parseScope } from '../../core/language/scope.ts'
import { answeredRequest, demandRedirectUri } from '../../http/browser/answered-request.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { demandTopLevel } from '../../http/browser/top-level.ts'
import { requesterOf } from '../../http/oauth/client-request.ts'
import { logRefusal } from '../../http/oauth/oauth-errors.ts'
import { queryPairs } from '../../http/oauth/query.ts'
import type { PageServices } from '../sign-in/services.ts'

const longestState = 4096
const names = ['client_id', 'state', 'organization_id', 'permissions'] as const
type Parameters = Partial<Record<(typeof names)[number], string>>

/** Empty values count as absent, and unknown parameters are ignored. @throws OAuthError for a repeated one */
const readParameters = (request: FastifyRequest): Parameters => {
  const pairs = queryPairs(request).filter(([, value]) => value !== '')
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = pairs.filter(([one]) => one === name).map(([, value]) => value)
      if (values.length > 1) throw invalidRequest(`${name} is repeated`, 'install_link_invalid')
      return values.length === 0 ? [] : [[name, values[0]]]
    }),
  )
}

const unknownApp = () =>
  new OAuthError('invalid_request', 'the client is not valid', { reason: 'client_unknown' })

/** Without a state, the app could not recognise an answer that another browser has planted (RFC 6749 §10.12). */
const demandState = (app: App, { state }: Parameters) => {
  if (state === undefined && app.setupUri !== null)
    throw invalidRequest('state is missing', 'install_link_invalid')
  if (state !== undefined && state.length > longestState)
    throw invalidRequest('state is too long', 'install_link_invalid')
}

/** @throws OAuthError for names that are no permissions of the app */
const permissionsOf = (app: App, text: string | undefined) => {
  try {
    const requested = parseScope(app, text)
    if (requested?.every((one) => app.permissions.includes(one)) !== false) return requested
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
  }
  throw invalidRequest(
    'permissions must be space-separated names of permissions of the app',
    'install_link_permissions',
  )
}

export const installLink = (scope: FastifyInstance, deps: PageServices) => {
  const { requests, consents, browser, limits } = deps

  /** Nothing is redirected before the client is known, and then only to its registered setup URI. */
  const findApp = async (clientId: string | undefined): Promise<App> => {
    const app =
      clientId !== undefined && isClientIdShaped(clientId) ? await consents.findApp(clientId) : null
    if (!app || app.disabled) throw unknownApp()
    return app
  }

  scope.get('/install', { exposeHeadRoute: false }, async (request, reply) => {
    const parameters = readParameters(request)
    const { client_id: clientId } = parameters
    const app = await deps.documentRequests.withClient(clientId, requesterOf(request), () =>
      findApp(clientId),
    )
    noteConcerned(request, app)
    demandState(app, parameters)
    const permissions = permissionsOf(app, parameters.permissions)
    demandTopLevel(request)
    const session = await browser.session(request)
    const countedAs = await limits.authorizationBegun(request.ip, session?.user.id ?? null)
    const { state = null, organization_id: organizationHint = null } = parameters
    const requested = { setupUri: app.setupUri, state, permissions, organizationHint }
    const from = { browser: browser.bind(request, reply), countedAs }
    const { id } = await requests.begin(installRequestOf(app, requested), from)
    return reply.header('cache-control', 'no-store').redirect(`/interaction/${id}`, 303)
  })

  /** The link was opened in the directory, or the app has no setup URI: the admin stays with us. */
  const stay = (reply: FastifyReply, { organizationHint, answer }: AuthorizationRequest) => {
    const target =
      answer?.kind === 'installed'
        ? `/organizations/${answer.organizationId}/apps`
        : organizationHint !== null && isIdShaped(organizationHint)
          ? `/organizations/${organizationHint}/directory`
          : '/'
    return reply.redirect(target, 303)
  }

  const codeFor = ({ codeId, organizationId, installId, userId }: InstalledAnswer, app: App) =>
    deps.installCodes.issue(codeId, { clientId: app.clientId, organizationId, installId, userId })

  const setup = { exposeHeadRoute: false }
  scope.get<{ Params: { id: string } }>('/interaction/:id/setup', setup, async (request, reply) => {
    const pending = await answeredRequest(deps, request, 'setup')
    const app = await findApp(pending.clientId)
    demandRedirectUri(app, pending)
    reply.header('cache-control', 'no-store')
    if (pending.redirectUri === '') return stay(reply, pending)
    const { answer, redirectUri } = pending
    const common = { state: pending.state ?? undefined, iss: deps.issuer }
    if (answer.kind === 'installed') {
      const install_code = await codeFor(answer, app)
      return reply.redirect(withAnswer(redirectUri, { install_code, ...common }), 303)
    }
    const error = answer.kind === 'refused' ? answer.error : 'access_denied'
    logRefusal(request, new OAuthError(error, 'the request was refused'))
    return reply.redirect(withAnswer(redirectUri, { error, ...common }), 303)
  })
}
