// `@latchkey-auth/verify/node`: for `node:http` without a framework.
import type { Access } from '../access.ts'
import type { GuardAnswer } from '../answers.ts'
import { createGuards, type GuardOptions, type Reader, type RouteRequirement } from '../guard.ts'

export type { FoundId, GuardOptions, IdIn, RouteRequirement } from '../guard.ts'

/** What is used of an `IncomingMessage`. */
export interface ReceivedRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly headersDistinct?: { readonly [name: string]: string[] | undefined }
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** What is used of a `ServerResponse`. */
export interface WritableResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

const reader: Reader<ReceivedRequest> = {
  headers: ({ headersDistinct, headers }) => headersDistinct ?? headers,
  method: ({ method = '' }) => method,
  target: ({ url = '' }) => url,
}

/** Writes the answer to a refused request. */
export const sendAnswer = (response: WritableResponse, answer: GuardAnswer): void => {
  response.statusCode = answer.status
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(answer.body))
}

/**
 * Returns `requireToken`, which makes a function of request and response. It resolves to the access, or to null after
 * it has refused the request: 401, 403, or 503 when the token cannot be verified now.
 * @throws TypeError when an option or a requirement is incomplete
 */
export const createRequireToken = (options: GuardOptions) => {
  const guards = createGuards(options, reader)
  return <Request extends ReceivedRequest = ReceivedRequest>(
    requirement: RouteRequirement<Request>,
  ): ((request: Request, response: WritableResponse) => Promise<Access | null>) => {
    const check = guards(requirement)
    return async (request, response) => {
      const { access, answer } = await check(request)
      if (answer) sendAnswer(response, answer)
      return access
    }
  }
}
