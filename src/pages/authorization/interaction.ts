import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import { demandRedirectUri, gone } from '../../http/browser/answered-request.ts'
import { causeOf, signedOf } from '../../http/browser/browser.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { noteWish } from '../../http/browser/reader-language.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { PageServices } from '../sign-in/services.ts'
import { sayTicked } from './decision-pages.ts'
import { createStepAnswers } from './step-answers.ts'

// Bytes. A consent names each ticked workspace: 20,000 of them, with ids of 64 characters, fit.
const longestAnswer = 2 * 1024 * 1024
const usualAnswer = 64 * 1024

interface OneRequest {
  Params: { id: string }
  Querystring: Record<string, unknown>
}

/** The pages between the request of an app and the return to it, the same for both interfaces. */
export const interaction = (scope: FastifyInstance, deps: PageServices) => {
  const { requests, consents, browser } = deps

  const find = async (request: FastifyRequest, id: string) => {
    const bound = browser.bound(request)
    const pending = bound === null ? null : await requests.find(id, bound)
    if (!pending) throw gone()
    noteWish(request, { app: pending.uiLocales ?? null, interaction: id })
    noteConcerned(request, pending)
    return pending
  }

  /** The visit of a signed-in user, and the step that is theirs now; null: they have to sign in first. */
  const visitOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    pending: AuthorizationRequest,
    requested = pending,
  ) => {
    if (pending.answer) throw gone()
    const app = await consents.findApp(pending.clientId)
    if (!app || app.disabled) throw gone()
    if (!pending.device) demandRedirectUri(app, pending)
    const session = await browser.session(request)
    if (!session) return null
    const step = await consents.next(requested, app, signedOf(session))
    if (step.kind === 'sign_in') return null
    const cause = causeOf(request, session)
    const asked = { request, reply, text: textOf(request), session, cause }
    return { step, visit: { ...deps, ...asked, pending, app } }
  }

  const toSignIn = (reply: FastifyReply, { id }: { id: string }) =>
    reply.redirect(`/login?return_to=${encodeURIComponent(`/interaction/${id}`)}`, 303)

  const answers = createStepAnswers(deps, find)

  scope.get<OneRequest>('/interaction/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const pending = await find(request, request.params.id)
    const wantsChoice = request.query.choose !== undefined
    const requested: AuthorizationRequest = wantsChoice
      ? { ...pending, organizationId: null, organizationHint: null, prompts: ['select_account'] }
      : pending
    const now = await visitOf(request, reply, pending, requested)
    return now ? answers.show(now.visit, now.step) : toSignIn(reply, pending)
  })

  /** The sentence of a decision, for the boxes that are ticked now. */
  scope.get<OneRequest>(
    '/interaction/:id/sentence',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const pending = await find(request, request.params.id)
      const now = await visitOf(request, reply, pending)
      if (now?.step.kind !== 'install' && now?.step.kind !== 'consent') throw gone()
      return reply.header('cache-control', 'no-store').send(sayTicked(now.visit, now.step))
    },
  )

  /** Only signed-in users send long answers. Others must not make the server parse megabytes. */
  const demandSession = async (request: FastifyRequest<OneRequest>, reply: FastifyReply) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    const isLong = encoding !== undefined || Number(length) > usualAnswer
    if (isLong && !(await browser.session(request))) return toSignIn(reply, request.params)
  }

  const sized = { bodyLimit: longestAnswer, onRequest: demandSession }
  scope.post<OneRequest>('/interaction/:id', sized, async (request, reply) => {
    const pending = await find(request, request.params.id)
    if (pending.answer) return answers.answeredBefore(request, reply, pending)
    const now = await visitOf(request, reply, pending)
    return now ? answers.decide(now.visit, now.step) : toSignIn(reply, pending)
  })
}
