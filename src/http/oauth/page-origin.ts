// Pages of other origins that call endpoints (CORS).
import type { FastifyReply } from 'fastify'
import type { Form } from './form.ts'

const shape = /^https?:\/\/[A-Za-z0-9.[\]:-]{1,255}$/

/** True when the text has the form of a web origin as browsers send it. */
export const isOrigin = (text: string) => shape.test(text)

/** Lets a page read an answer, with each header that tells what to do next. */
export const letPageRead = (reply: FastifyReply, origin: string) =>
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'dpop-nonce, retry-after, www-authenticate')

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
  if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return
  if (keptFromPages.includes(reason) || bringsCredentials(reply, form) || !isOrigin(origin)) return
  // An unavailable store must not turn a refusal into another error.
  if (await isPublicOrigin(origin).catch(() => false)) letPageRead(reply, origin)
}
