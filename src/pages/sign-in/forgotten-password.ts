import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'
import type { PasswordRequests } from '../../core/notifications/password-requests.ts'
import { isEmailAddress, normaliseEmail } from '../../core/people/email-address.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { type SignInWays, tooManyAttempts } from './page.ts'

export interface ForgottenPasswordDependencies {
  passwordRequests: PasswordRequests
  renderer: Renderer
  ways: SignInWays
}

const path = '/forgot-password'
const longestEmail = 320

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
    return renderer.page(
      request,
      reply,
      'forgotten-password',
      {
        session: null,
        title: sentTo === null ? forgotten.title : forgotten.sentTitle,
        ...(status && { status }),
      },
      { action: path, email, error, sentTo },
    )
  }

  scope.get(path, (request, reply) => show(request, reply))

  scope.post(path, async (request, reply) => {
    const email = field(request, 'email').trim().slice(0, longestEmail)
    const text = textOf(request)
    if (!isEmailAddress(normaliseEmail(email)))
      return show(request, reply, { email, error: text.forgotten.incomplete, status: 400 })
    try {
      await passwordRequests.request(email, { address: request.ip, requestId: request.id })
      return show(request, reply, { sentTo: email })
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status !== 429) throw error
      const words = tooManyAttempts(reply, error)
      return show(request, reply, { email, error: words, status: 429 })
    }
  })
}
