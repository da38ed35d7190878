// Pages of other origins that call endpoints (CORS).
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Form } from './form.ts'

const shape = /^https?:\/\/[A-Za-z0-9.[\]:-]{1,255}$/

/** True when the text has the form of a web origin as browsers send it. */
export const isOrigin = (text: string) => shape.test(text)

/** Tells whether an origin belongs to a redirect URI of a public app of the current interface. */
export type IsPublicOrigin = (origin: string) => Promise<boolean>

/**
 * Refusals without CORS headers: the app is known but the page is not its own, or the store that knows the app is
 * unavailable.
 */
const keptFromPages = ['foreign_origin', 'secret_missing', 'postgres_unavailable']

/** True for requests with credentials, readable or not. Confidential apps send them and must not run in a browser. */
const bringsCredentials = ({ request }: FastifyReply, form: Form | null) =>
  request.headers.authorization !== undefined ||
  form?.has('client_secret') ||
  form?.has('client_assertion')

/**
 * Lets the page of a public app read why its request is refused. Before the app is known, the same rule as for the
 * preflight decides.
 * @param reason sub-reason of the refusal
 */
export const showRefusal = async (
  reply: FastifyReply,
  form: Form | null,
  reason: string,
  isPublicOrigin: IsPublicOrigin,
) => {
  const { origin } = reply.request.headers
  if (origin === undefined) return
  if (!reply.hasHeader('access-control-allow-origin')) {
    if (keptFromPages.includes(reason) || bringsCredentials(reply, form) || !isOrigin(origin))
      return
    // An unavailable store must not turn a refusal into another error.
    if (!(await isPublicOrigin(origin).catch(() => false))) return
    reply.header('access-control-allow-origin', origin)
  }
  if (!reply.hasHeader('access-control-expose-headers'))
    reply.header('access-control-expose-headers', 'retry-after')
}

const endpoints = {
  '/api/oauth/token': { methods: 'POST', headers: 'content-type', proves: true },
  '/api/oauth/par': { methods: 'POST', headers: 'content-type', proves: true },
  '/api/oauth/revoke': { methods: 'POST', headers: 'content-type', proves: false },
  '/userinfo': { methods: 'GET, POST', headers: 'authorization, content-type', proves: true },
}

/** Only pages that use DPoP (RFC 9449) need this header. */
const asksForProof = (wanted: string | undefined) =>
  wanted?.split(',').some((name) => name.trim().toLowerCase() === 'dpop') ?? false

/** CORS preflight of the endpoints that a public client's page may call (Fetch standard, §3.2). */
export const preflight =
  (deps: { isPublicOrigin: IsPublicOrigin }) => async (scope: FastifyInstance) => {
    for (const [url, { methods, headers, proves }] of Object.entries(endpoints)) {
      scope.options(url, async (request, reply) => {
        const { origin, 'access-control-request-headers': wanted } = request.headers
        reply.code(204).header('vary', 'Origin, Access-Control-Request-Headers')
        if (origin !== undefined && isOrigin(origin) && (await deps.isPublicOrigin(origin))) {
          reply
            .header('access-control-allow-origin', origin)
            .header('access-control-allow-methods', methods)
            .header(
              'access-control-allow-headers',
              proves && asksForProof(wanted) ? `${headers}, dpop` : headers,
            )
            .header('access-control-max-age', '600')
        }
        return reply.send()
      })
    }
  }
