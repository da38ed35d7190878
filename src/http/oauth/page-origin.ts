import type { FastifyReply } from 'fastify'
import type { Form } from './form.ts'

const shape = /^https?:\/\/[A-Za-z0-9.[\]:-]{1,255}$/

/** Could this be a web origin, as browsers send it? */
export const isOrigin = (text: string) => shape.test(text)

/** Is this the web origin of a public app of the current interface? */
export type IsPublicOrigin = (origin: string) => Promise<boolean>

/** The app was known and the page not its own, or nobody can be asked whose it is. */
const keptFromPages = ['foreign_origin', 'secret_missing', 'postgres_unavailable']

/** As a confidential app does, which has no business in a browser; also what cannot be read. */
const bringsCredentials = ({ request }: FastifyReply, form: Form | null) =>
  request.headers.authorization !== undefined ||
  form?.has('client_secret') ||
  form?.has('client_assertion')

/**
 * Lets a public app's page read why it is refused. What is refused before the app is known is decided as the preflight is.
 * @param reason of the refusal
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
    // A store that is away must not turn a refusal into anything else.
    if (!(await isPublicOrigin(origin).catch(() => false))) return
    reply.header('access-control-allow-origin', origin)
  }
  if (!reply.hasHeader('access-control-expose-headers'))
    reply.header('access-control-expose-headers', 'retry-after')
}
