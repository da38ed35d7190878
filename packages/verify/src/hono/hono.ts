// `@latchkey-auth/verify/hono`: middleware for Hono, on every runtime. It does not import Hono.
import type { Access } from '../access.ts'
import { createGuards, type GuardOptions, type Reader, type RouteRequirement } from '../guard.ts'

export type { FoundId, GuardOptions, IdIn, RouteRequirement } from '../guard.ts'

/** What is used of a context of Hono. */
export interface HonoContext {
  readonly req: {
    readonly raw: {
      readonly headers: { get(name: string): string | null }
      readonly method: string
      readonly url: string
    }
  }
  set(key: 'access', value: Access): void
}

/** A context as `requireToken` offers it to the functions of a requirement. */
export interface RoutedContext extends HonoContext {
  readonly req: HonoContext['req'] & { param(name: string): string | undefined }
}

/** The type of `new Hono<LatchkeyEnvironment>()`, so that `context.get('access')` has its type. */
export interface LatchkeyEnvironment {
  Variables: { access: Access }
}

const reader: Reader<HonoContext> = {
  headers: ({ req }) => req.raw.headers,
  method: ({ req }) => req.raw.method,
  target: ({ req }) => {
    const { pathname, search } = new URL(req.raw.url)
    return pathname + search
  },
}

/**
 * Returns `requireToken`, which makes middleware that refuses requests without a token for this organization and the
 * rest of the requirement: 401, 403, or 503 when the token cannot be verified now. `context.get('access')` is then set.
 * @throws TypeError when an option or a requirement is incomplete
 */
export const createRequireToken = (options: GuardOptions) => {
  const guards = createGuards(options, reader)
  return <Context extends HonoContext = RoutedContext>(requirement: RouteRequirement<Context>) => {
    const check = guards(requirement)
    return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
      const { access, answer } = await check(context)
      if (answer) {
        const headers = { ...answer.headers, 'content-type': 'application/json; charset=utf-8' }
        return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
      }
      context.set('access', access)
      await next()
      return undefined
    }
  }
}
