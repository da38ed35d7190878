import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PasswordRequests } from '../../core/notifications/password-requests.ts'
import { isEmailAddress, normaliseEmail } from '../../core/people/email-address.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { longestEmail, type SignInWays, tooManyFor } from './page.ts'

export interface ForgottenPasswordDependencies {
  passwordRequests: PasswordRequests
  renderer: Renderer
  ways: SignInWays
}

const path = '/forgot-password'

/** A user asks for a link for a new password. The page says the same for every address. */
export const forgottenPassword = (scope: FastifyInstance, deps: ForgottenPasswordDependencies) => {
  const { passwordRequests, renderer, ways } = deps
  if (!ways.passwordByMail) return

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    form: { email?: string; error?: string; status?: number; sentTo?: string } = {},
  ) => {
    const { forgotten } = textOf(request)
    const { email = '', error = null, status, sentTo = null } = form
    const title = sentTo === null ? forgotten.title : forgotten.sentTitle
    const context = { session: null, title, ...(status && { status }) }
    const own = { action: path, email, error, sentTo }
    return renderer.page(request, reply, 'forgotten-password', context, own)
  }

  scope.get(path, (request, reply) => show(request, reply))

  scope.post(path, async (request, reply) => {
    const email = field(request, 'email').trim().slice(0, longestEmail)
    const { incomplete } = textOf(request).forgotten
    if (!isEmailAddress(normaliseEmail(email)))
      return show(request, reply, { email, error: incomplete, status: 400 })
    try {
      await passwordRequests.request(email, { address: request.ip, requestId: request.id })
      return show(request, reply, { sentTo: email })
    } catch (error) {
      return show(request, reply, { email, ...tooManyFor(reply, error) })
    }
  })
}
