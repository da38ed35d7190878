// `@latchkey-auth/verify/fastify`: the verifier as a Fastify plugin.
import type { FastifyPluginAsync, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import type { Access } from '../access.ts'
import * as guard from '../guard.ts'
import type { Verifier } from '../verifier.ts'

/** An id, or a function that finds it in the request after the token was verified. */
export type IdIn = guard.IdIn<FastifyRequest>

/** The requirement of a route. */
export type RouteRequirement = guard.RouteRequirement<FastifyRequest>

export interface LatchkeyVerifyOptions extends guard.GuardOptions {
  /** Closed together with the Fastify instance. */
  verifier: Verifier
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * A preHandler that refuses requests without a token for this organization and the rest of the requirement.
     * @throws TypeError when the requirement is incomplete
     */
    requireToken(requirement: RouteRequirement): preHandlerAsyncHookHandler
  }
  interface FastifyRequest {
    /** The actor of the request and its rights; null when no token was required. */
    access: Access | null
  }
}

const reader: guard.Reader<FastifyRequest> = {
  headers: ({ raw, headers }) => raw.headersDistinct ?? headers,
  method: ({ method }) => method,
  target: ({ originalUrl }) => originalUrl,
}

const plugin: FastifyPluginAsync<LatchkeyVerifyOptions> = async (fastify, options) => {
  const guards = guard.createGuards(options, reader)
  fastify.decorateRequest('access', null)
  fastify.decorate('requireToken', (requirement: RouteRequirement) => {
    const check = guards(requirement)
    return async (...[request, reply]: Parameters<preHandlerAsyncHookHandler>) => {
      const { access, answer } = await check(request)
      request.access = access
      return answer && reply.code(answer.status).headers(answer.headers).send(answer.body)
    }
  })
  fastify.addHook('onClose', () => options.verifier.close())
}

/** Adds `requireToken` to the instance and `access` to its requests. */
export const latchkeyVerify = Object.assign(plugin, {
  // As the package fastify-plugin does: the decorations are for the whole instance, not for this plugin alone.
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'latchkey-verify',
})
