import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'
import type { Interface } from '../domain/permissions.ts'
import type {
  Answer,
  AuthorizationRequest,
  AuthorizationRequests,
} from '../services/authorization-requests.ts'
import type { Browser } from './browser.ts'

/** Where a request goes once it is answered, as the last part of its address. */
export const endOf = ({ device, interface: iface }: AuthorizationRequest): Interface | 'device' =>
  device ? 'device' : iface

/**
 * The request that was begun and answered in this browser. What one person has approved goes on only where that
 * person is signed in: a planted browser cookie must not bring the code to another.
 * @throws OAuthError when it is gone, not answered, or somebody else's
 */
export const answeredRequest = async (
  deps: { requests: Pick<AuthorizationRequests, 'find'>; browser: Browser },
  request: FastifyRequest<{ Params: { id: string } }>,
  end: Interface | 'device',
): Promise<AuthorizationRequest & { answer: Answer }> => {
  const { requests, browser } = deps
  const bound = browser.bound(request)
  const pending = bound === null ? null : await requests.find(request.params.id, bound)
  const answer = pending?.answer
  const isOurs =
    answer?.kind !== 'approved' || (await browser.session(request))?.user.id === answer.userId
  if (!pending || endOf(pending) !== end || !answer || !isOurs) {
    throw invalidRequest('this request has expired or was answered already', 'interaction_gone')
  }
  return { ...pending, answer }
}
