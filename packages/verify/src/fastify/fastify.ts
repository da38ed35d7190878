// `@latchkey-auth/verify/fastify`: the verifier as a Fastify plugin.
import type { FastifyPluginAsync, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import type { Access } from '../access.ts'
import { answerTo, type ChallengeOptions } from '../answers.ts'
import { authorize } from '../authorize.ts'
import { bearerToken, type Credential, credentialIn } from '../credentials.ts'
import { InsufficientScope } from '../errors.ts'
import { isText } from '../json.ts'
import { type IdOf, type Requirement, readRequirement } from '../requirement.ts'
import type { Verifier } from '../verifier.ts'

/**
 * An id, or a function that finds it in the request after the token was verified. A request without an id is refused.
 */
export type IdIn =
  | string
  | ((request: FastifyRequest, access: Access) => string | undefined | Promise<string | undefined>)

interface Needs extends Pick<Requirement, 'permissions'> {
  /** The organization that owns the requested data. */
  organization: IdIn
  /** The workspace of the requested data. */
  workspace?: IdIn
}

/** The token is in `Authorization`, which carries tokens of the current interface only. */
interface InHeader extends Needs, Partial<Pick<Requirement, 'interface'>> {
  token?: never
}

/** The token is in another place. */
interface InRequest extends Needs, Pick<Requirement, 'interface'> {
  token: (request: FastifyRequest) => Credential | null
}

/** The requirement of a route. */
export type RouteRequirement = InHeader | InRequest

export interface LatchkeyVerifyOptions extends Omit<ChallengeOptions, 'dpop'> {
  /** Closed together with the Fastify instance. */
  verifier: Verifier
  /**
   * The public address of this API without a path: `https://api.example.com`. With it, key-bound tokens are accepted
   * (`Authorization: DPoP`). Proofs contain the address, and the Host header cannot be trusted.
   */
  publicUrl?: string
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

/** Reads all sent values of a header, because Node keeps only the first. */
const credentialOf =
  (publicUrl: string | undefined) =>
  ({ raw, headers, method, originalUrl }: FastifyRequest) => {
    const all = raw.headersDistinct ?? headers
    return publicUrl === undefined
      ? bearerToken(all)
      : credentialIn(all, { method, url: publicUrl + originalUrl })
  }

/**
 * The request decides whether there is an id, so a missing id is the caller's fault (403). It may also be a mistake in
 * the route, which the log shows.
 */
const idOf = (name: 'organization' | 'workspace', idIn: IdIn, request: FastifyRequest): IdOf => {
  if (typeof idIn === 'string') return idIn
  return async (access) => {
    const id = await idIn(request, access)
    if (isText(id)) return id
    request.log.warn(`requireToken: the function \`${name}\` found no id in the request`)
    throw new InsufficientScope(name)
  }
}

const readRoute = (requirement: RouteRequirement) => {
  const { token, ...rest } = { ...requirement }
  if (Object.hasOwn({ ...requirement }, 'token') && typeof token !== 'function')
    throw new TypeError('`token` must be a function of the request, or be left out')
  const needs = (
    token === undefined ? { interface: 'current', ...rest } : rest
  ) as RouteRequirement & Requirement
  readRequirement(needs)
  return { token, needs }
}

const requireToken = (
  { verifier, publicUrl, ...options }: LatchkeyVerifyOptions,
  requirement: RouteRequirement,
) => {
  const { token: given, needs } = readRoute(requirement)
  const tokenOf = given ?? credentialOf(publicUrl?.replace(/\/+$/, ''))
  const { organization, workspace } = needs as Needs
  const requirementOf = (request: FastifyRequest): Requirement => ({
    ...needs,
    organization: idOf('organization', organization, request),
    ...(workspace !== undefined && { workspace: idOf('workspace', workspace, request) }),
  })
  const challenges = { ...options, dpop: publicUrl !== undefined }
  return async (...[request, reply]: Parameters<preHandlerAsyncHookHandler>) => {
    try {
      const token = tokenOf(request)
      request.access = await authorize(verifier, token, requirementOf(request))
    } catch (error) {
      const answer = answerTo(error, challenges)
      if (!answer) throw error
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    }
  }
}

const plugin: FastifyPluginAsync<LatchkeyVerifyOptions> = async (fastify, options) => {
  fastify.decorateRequest('access', null)
  fastify.decorate('requireToken', (requirement: RouteRequirement) =>
    requireToken(options, requirement),
  )
  fastify.addHook('onClose', () => options.verifier.close())
}

/** Adds `requireToken` to the instance and `access` to its requests. */
export const latchkeyVerify = Object.assign(plugin, {
  // As the package fastify-plugin does: the decorations are for the whole instance, not for this plugin alone.
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'latchkey-verify',
})
