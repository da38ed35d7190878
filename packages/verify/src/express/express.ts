// `@latchkey-auth/verify/express`: middleware for Express 4 and 5. It imports neither.
import type { Access } from '../access.ts'
import { createGuards, type GuardOptions, type Reader, type RouteRequirement } from '../guard.ts'
import { sendAnswer, type WritableResponse } from '../node/node.ts'

export type { FoundId, GuardOptions, IdIn, RouteRequirement } from '../guard.ts'

declare global {
  // The types of Express have this namespace for it.
  namespace Express {
    interface Request {
      /** The actor of the request and its rights, once `requireToken` has let it through. */
      access?: Access
    }
  }
}

/** What is used of a request of Express. */
export interface ExpressRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly headersDistinct?: { readonly [name: string]: string[] | undefined }
  readonly method: string
  readonly originalUrl: string
  access?: Access
}

/** A request as `requireToken` offers it to the functions of a requirement. */
export interface RoutedRequest extends ExpressRequest {
  readonly params: { readonly [name: string]: string | string[] }
  readonly query: { readonly [name: string]: unknown }
  // biome-ignore lint/suspicious/noExplicitAny: as Express has it
  readonly body: any
}

/** Middleware of Express. */
export type ExpressMiddleware<Request extends ExpressRequest = RoutedRequest> = (
  request: Request,
  response: WritableResponse,
  next: (error?: unknown) => void,
) => void

const reader: Reader<ExpressRequest> = {
  headers: ({ headersDistinct, headers }) => headersDistinct ?? headers,
  method: ({ method }) => method,
  target: ({ originalUrl }) => originalUrl,
}

/**
 * Returns `requireToken`, which makes middleware that refuses requests without a token for this organization and the
 * rest of the requirement: 401, 403, or 503 when the token cannot be verified now. `request.access` is then set.
 * @throws TypeError when an option or a requirement is incomplete
 */
export const createRequireToken = (options: GuardOptions) => {
  const guards = createGuards(options, reader)
  return <Request extends ExpressRequest = RoutedRequest>(
    requirement: RouteRequirement<Request>,
  ): ExpressMiddleware<Request> => {
    const check = guards(requirement)
    return (request, response, next) => {
      check(request).then(
        ({ access, answer }) => {
          if (answer) return sendAnswer(response, answer)
          request.access = access
          next()
        },
        // Express 4 does not wait for middleware.
        (error) => next(error),
      )
    }
  }
}
