import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../core/clients/app.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'

/** Answers a request whose body is parsed. */
export type AnswerRequest = (request: FastifyRequest, reply: FastifyReply) => unknown

/** The endpoint of the legacy interface, for the endpoint of the current one at an alias of both. */
export interface LegacyEndpoint {
  answer: AnswerRequest
  /** The Host on which it answers; null: every Host. */
  host: RegExp | null
}

/**
 * At an alias, the app decides which interface answers. Each interface checks client and request as on its own path, so
 * the client id need not be authenticated here.
 * @param named the client id of the request, which may be malformed
 * @returns the answer of the legacy endpoint; null when the current one has to answer
 * @throws StoreUnavailable
 */
export const legacyAnswerFor = async (
  { legacy, findApp }: { legacy: LegacyEndpoint; findApp(id: string): Promise<App | null> },
  { raw, headers }: FastifyRequest,
  named: () => string | undefined,
): Promise<AnswerRequest | null> => {
  const clientId = raw.alias === undefined ? undefined : named()
  if (clientId === undefined || !isClientIdShaped(clientId)) return null
  const { host, answer } = legacy
  if (host !== null && !host.test(headers.host ?? '')) return null
  return (await findApp(clientId))?.interface === 'legacy' ? answer : null
}
