import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthError } from '../../core/language/errors.ts'
import { endSessionFields, endSessionPath } from '../oauth/end-session-fields.ts'
import { readForm } from '../oauth/form.ts'
import { publicError } from '../oauth/oauth-errors.ts'

export interface EndSessionFormDependencies {
  showError(request: FastifyRequest, reply: FastifyReply, error: OAuthError): Promise<FastifyReply>
}

/**
 * OpenID Connect RP-Initiated Logout 1.0 §2: an app may also send a form. Browsers send no session cookie with a form
 * of another site, so this endpoint only redirects to the page, which gets the cookie.
 */
export const endSessionForm =
  (deps: EndSessionFormDependencies) => async (scope: FastifyInstance) => {
    await scope.register(formbody)
    scope.setErrorHandler((error, request, reply) =>
      deps.showError(request, reply, publicError(error)),
    )
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
