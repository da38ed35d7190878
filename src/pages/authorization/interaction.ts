import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import { demandRedirectUri, gone } from '../../http/browser/answered-request.ts'
import { signedOf } from '../../http/browser/browser.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { noteWish } from '../../http/browser/reader-language.ts'
import { textOf } from '../rendering/reader-text.ts'
import { sayTicked } from './decision-pages.ts'
import { createStepAnswers, type StepAnswersDependencies } from './step-answers.ts'

// Bytes. A consent names each ticked workspace: 20,000 of them, with ids of 64 characters, fit.
const longestAnswer = 2 * 1024 * 1024
const usualAnswer = 64 * 1024

interface OneRequest {
  Params: { id: string }
  Querystring: Record<string, unknown>
}

/** The pages between the request of an app and the return to it, the same for both interfaces. */
export const interaction = (scope: FastifyInstance, deps: StepAnswersDependencies) => {
  const { requests, consents, browser } = deps

  const find = async (request: FastifyRequest, id: string) => {
    const bound = browser.bound(request)
    const pending = bound === null ? null : await requests.find(id, bound)
    if (!pending) throw gone()
    noteWish(request, { app: pending.uiLocales ?? null, interaction: id })
    noteConcerned(request, pending)
    return pending
  }

  const open = async (request: FastifyRequest, pending: AuthorizationRequest) => {
    if (pending.answer) throw gone()
    const app = await consents.findApp(pending.clientId)
    if (!app || app.disabled) throw gone()
    if (!pending.device) demandRedirectUri(app, pending)
    return { app, session: await browser.session(request) }
  }

  const toSignIn = (reply: FastifyReply, { id }: { id: string }) =>
    reply.redirect(`/login?return_to=${encodeURIComponent(`/interaction/${id}`)}`, 303)

  const answers = createStepAnswers(deps, find)

  scope.get<OneRequest>('/interaction/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const pending = await find(request, request.params.id)
    const { app, session } = await open(request, pending)
    if (!session) return toSignIn(reply, pending)
    const wantsChoice = request.query.choose !== undefined
    const requested: AuthorizationRequest = wantsChoice
      ? { ...pending, organizationId: null, organizationHint: null, prompts: ['select_account'] }
      : pending
    const step = await consents.next(requested, app, signedOf(session))
    if (step.kind === 'sign_in') return toSignIn(reply, pending)
    const text = textOf(request)
    return answers.show({ ...deps, request, reply, text, pending, app, session }, step)
  })

  /** The sentence of a decision, for the boxes that are ticked now. */
  scope.get<OneRequest>(
    '/interaction/:id/sentence',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const pending = await find(request, request.params.id)
      const { app, session } = await open(request, pending)
      const step = session && (await consents.next(pending, app, signedOf(session)))
      if (step?.kind !== 'install' && step?.kind !== 'consent') throw gone()
      const text = textOf(request)
      const visit = { ...deps, request, reply, text, pending, app, session: session! }
      return reply.header('cache-control', 'no-store').send(sayTicked(visit, step))
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
    const { app, session } = await open(request, pending)
    if (!session) return toSignIn(reply, pending)
    const step = await consents.next(pending, app, signedOf(session))
    if (step.kind === 'sign_in') return toSignIn(reply, pending)
    const text = textOf(request)
    return answers.decide({ ...deps, request, reply, text, pending, app, session }, step)
  })
}
