import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { endSessionFields, endSessionPath } from '../oauth/end-session-fields.ts'
import { readForm } from '../oauth/form.ts'
import { type AnswerError, answerErrors } from '../oauth/oauth-errors.ts'

/**
 * OpenID Connect RP-Initiated Logout 1.0 §2: an app may also send a form. Browsers send no session cookie with a form
 * of another site, so this endpoint only redirects to the page, which gets the cookie.
 */
export const endSessionForm =
  (deps: { showError: AnswerError }) => async (scope: FastifyInstance) => {
    await scope.register(formbody)
    answerErrors(scope, deps.showError)
    scope.post(endSessionPath, async (request, reply) => {
      const form = readForm(request)
      const query = new URLSearchParams()
      for (const name of endSessionFields) {
        const value = form.get(name)
        if (value !== undefined) query.set(name, value)
      }
      return reply.header('cache-control', 'no-store').redirect(`${endSessionPath}?${query}`, 303)
    })
  }
