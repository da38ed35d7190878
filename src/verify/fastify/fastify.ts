// What lives here: `latchkey/verify/fastify`, the verifier as a Fastify plugin.
import type { FastifyPluginAsync, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import type { Access } from '../access.ts'
import { answerTo, type ChallengeOptions } from '../answers.ts'
import { authorize, type Requirement } from '../authorize.ts'
import { bearerToken, type Credential, credentialIn } from '../credentials.ts'
import type { Verifier } from '../verifier.ts'

/** What a route needs; the workspace may depend on the request. */
export interface RouteRequirement extends Omit<Requirement, 'workspace'> {
  workspace?: string | ((request: FastifyRequest) => string | undefined)
  /** Where the token is; by default `Authorization`, which takes tokens of the current interface only. */
  token?: (request: FastifyRequest) => Credential | null
}

export interface LatchkeyVerifyOptions extends Omit<ChallengeOptions, 'dpop'> {
  /** Closed together with the Fastify instance. */
  verifier: Verifier
  /**
   * The public address of this API, without the path of a request: `https://api.example.com`. With it, tokens that
   * are bound to a key are taken (`Authorization: DPoP`): a proof names the address, and the Host of a request is
   * its sender's word.
   */
  publicUrl?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** A preHandler that lets nobody through without a token that is good for this. */
    requireToken(requirement?: RouteRequirement): preHandlerAsyncHookHandler
  }
  interface FastifyRequest {
    /** Who acts; null where no token was required. */
    access: Access | null
  }
}

/** All values that were sent, where Node itself keeps only the first. */
const credentialOf =
  (publicUrl: string | undefined) =>
  ({ raw, headers, method, originalUrl }: FastifyRequest) => {
    const all = raw.headersDistinct ?? headers
    return publicUrl === undefined
      ? bearerToken(all)
      : credentialIn(all, { method, url: publicUrl + originalUrl })
  }

const requirementOf = (
  { workspace, token, ...rest }: RouteRequirement,
  request: FastifyRequest,
): Requirement => {
  const id = typeof workspace === 'function' ? workspace(request) : workspace
  return {
    ...(token === undefined && { interface: 'current' as const }),
    ...rest,
    ...(id !== undefined && { workspace: id }),
  }
}

const requireToken = (
  { verifier, publicUrl, ...options }: LatchkeyVerifyOptions,
  requirement: RouteRequirement,
) => {
  const { token: tokenOf = credentialOf(publicUrl?.replace(/\/+$/, '')) } = requirement
  const challenges = { ...options, dpop: publicUrl !== undefined }
  return async (...[request, reply]: Parameters<preHandlerAsyncHookHandler>) => {
    try {
      const token = tokenOf(request)
      request.access = await authorize(verifier, token, requirementOf(requirement, request))
    } catch (error) {
      const answer = answerTo(error, challenges)
      if (!answer) throw error
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    }
  }
}

const plugin: FastifyPluginAsync<LatchkeyVerifyOptions> = async (fastify, options) => {
  fastify.decorateRequest('access', null)
  fastify.decorate('requireToken', (requirement: RouteRequirement = {}) =>
    requireToken(options, requirement),
  )
  fastify.addHook('onClose', () => options.verifier.close())
}

/** Adds `requireToken` to the instance and `access` to its requests. */
export const latchkeyVerify = Object.assign(plugin, {
  // What the package fastify-plugin does: the decorations are for the whole instance, not for this plugin alone.
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'latchkey-verify',
})
