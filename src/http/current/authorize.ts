import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Step } from '../../core/authorization/consent-steps.ts'
import type { Consents } from '../../core/authorization/consents.ts'
import type { AppInOrganization } from '../../core/authorization/places.ts'
import type { AuthorizationRequests } from '../../core/authorization/requests.ts'
import type { RequestStanding, Standings } from '../../core/authorization/standing.ts'
import type { DocumentRequests } from '../../core/client-documents/document-requests.ts'
import { receiverOf, withAnswer } from '../../core/clients/redirect-uri.ts'
import { invalidRequest, OAuthError } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { interactionError } from '../../core/people/prompt.ts'
import { answeredRequestWithApp, type InteractionRequest } from '../browser/answered-request.ts'
import type { Browser } from '../browser/browser.ts'
import { noteConcerned } from '../browser/concerned.ts'
import { demandTopLevel } from '../browser/top-level.ts'
import { type AnswerPageText, sendWebMessage } from '../browser/web-message.ts'
import { requesterOf } from '../oauth/client-request.ts'
import { type LegacyEndpoint, legacyAnswerFor } from '../oauth/either-interface.ts'
import { readPairs } from '../oauth/form.ts'
import { type AnswerError, answerErrors, logRefusal } from '../oauth/oauth-errors.ts'
import { queryPairs } from '../oauth/query.ts'
import type { Engine, EngineAnswer } from './engine/engine.ts'
import { demandShort, longestRequest } from './engine/parameters.ts'
import type { Decision, RequestHandler } from './engine/request-context.ts'

export interface CurrentAuthorizeDependencies {
  issuer: string
  engine: Engine
  consents: Consents
  standings: Standings
  requests: AuthorizationRequests
  limits: Pick<Limits, 'authorizationBegun'>
  browser: Browser
  answerPageText(request: FastifyRequest): AnswerPageText
  documentRequests: DocumentRequests
  /** Answers apps of the legacy interface at aliases. */
  legacy: LegacyEndpoint
  showError: AnswerError
}

const decisionOf = (step: Step<AppInOrganization>): Decision => {
  if (step.kind !== 'answered') return { kind: 'interact', error: interactionError(step.kind) }
  return step.answer.kind === 'approved'
    ? { kind: 'approved', approval: step.answer }
    : { kind: 'refused', error: step.answer.error }
}

const clientIdIn = (pairs: readonly [string, string][]) => {
  const ids = pairs.flatMap(([name, value]) => (name === 'client_id' ? [value] : []))
  return ids.length === 1 ? ids[0] : undefined
}

export const currentAuthorize =
  (deps: CurrentAuthorizeDependencies) => async (scope: FastifyInstance) => {
    const { engine, consents, standings, requests, limits, browser } = deps
    await scope.register(formbody)

    const handlerOf = (request: FastifyRequest, reply: FastifyReply): RequestHandler => {
      let standing: RequestStanding | null = null
      let countedAs = ''
      return {
        findApp: async (clientId) => {
          standing = await standings.find(clientId, browser.sessionToken(request))
          if (standing) noteConcerned(request, standing.app)
          return standing?.app ?? null
        },
        decide: async (parameters) => {
          if (!standing) throw new Error('a decision before the app was found')
          return decisionOf(await consents.decide(parameters, standing))
        },
        admit: async () => {
          demandTopLevel(request)
          countedAs = await limits.authorizationBegun(request.ip, standing?.signed?.userId ?? null)
        },
        begin: async (parameters, id) => {
          await requests.begin(parameters, { browser: browser.bind(request, reply), countedAs }, id)
        },
      }
    }

    const send = (request: FastifyRequest, reply: FastifyReply, answer: EngineAnswer) => {
      reply.header('cache-control', 'no-store')
      if (answer.kind === 'interaction') return reply.redirect(`/interaction/${answer.id}`, 303)
      const { redirectUri, parameters, mode, webMessage } = answer
      if (parameters.error) {
        const code = parameters.error as OAuthError['code']
        logRefusal(request, new OAuthError(code, parameters.error_description ?? ''))
      }
      // A redirect has no words, so it chooses no language.
      if (mode === 'query' && !webMessage)
        return reply.redirect(withAnswer(redirectUri, parameters), 303)
      const text = deps.answerPageText(request)
      if (webMessage) return sendWebMessage(reply, webMessage, parameters, text)
      const fields = Object.entries(parameters).filter(([, value]) => value !== undefined)
      return reply
        .header(
          'content-security-policy',
          // No form-action (decision 0109): it would also apply to the redirects of the app.
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
        )
        .view('pages/form-post', { text, action: receiverOf(redirectUri), fields })
    }

    /**
     * A form of another site arrives without cookies (`SameSite=Lax`). A redirect to the same request as GET arrives
     * with them.
     */
    const sendAgain = (reply: FastifyReply, pairs: [string, string][]) => {
      const path = reply.request.raw.alias ?? '/authorize'
      const address = `${path}?${new URLSearchParams(pairs)}`
      if (address.length > longestRequest) {
        throw invalidRequest(
          'the request is too long for a form of another site; push it first',
          'request_too_long',
        )
      }
      return reply.header('cache-control', 'no-store').redirect(address, 303)
    }

    const { origin: own } = new URL(deps.issuer)
    const isOfOtherSite = ({ headers }: FastifyRequest) => {
      const site = headers['sec-fetch-site']
      // Browsers without Fetch Metadata still send the origin of a form.
      if (site === undefined) return headers.origin !== undefined && headers.origin !== own
      return site === 'cross-site'
    }

    /** An unknown client whose id is a URL: its document makes an app of it, or may wait for the operator's review. */
    const authorize = (request: FastifyRequest, reply: FastifyReply, pairs: [string, string][]) => {
      return deps.documentRequests.withClient(clientIdIn(pairs), requesterOf(request), () =>
        engine.authorize(pairs, handlerOf(request, reply)),
      )
    }

    const finish = async (request: InteractionRequest, reply: FastifyReply) => {
      const pending = await answeredRequestWithApp(deps, request, 'current')
      return send(request, reply, await engine.resume(pending.id, pending.answer))
    }

    answerErrors(scope, deps.showError)

    const legacyAnswer = (request: FastifyRequest, pairs: [string, string][]) =>
      legacyAnswerFor({ ...deps, ...consents }, request, () => clientIdIn(pairs))

    scope.get('/authorize', { exposeHeadRoute: false }, async (request, reply) => {
      const pairs = queryPairs(request)
      const answer = await legacyAnswer(request, pairs)
      if (answer) return answer(request, reply)
      return send(request, reply, await authorize(request, reply, pairs))
    })
    scope.post('/authorize', async (request, reply) => {
      if (queryPairs(request).length > 0) {
        throw invalidRequest(
          'parameters are either in the query or in the body',
          'split_parameters',
        )
      }
      const pairs = readPairs(request)
      // The legacy interface takes a request from the query only.
      if (isOfOtherSite(request) || (await legacyAnswer(request, pairs)))
        return sendAgain(reply, pairs)
      demandShort(pairs)
      return send(request, reply, await authorize(request, reply, pairs))
    })
    scope.get('/interaction/:id/current', { exposeHeadRoute: false }, finish)
  }
