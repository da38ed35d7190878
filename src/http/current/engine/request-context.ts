// What lives here: oidc-provider, behind one seam. It validates authorization requests of the current interface,
// keeps pushed requests and interactions, and decides which answer goes where. It never sees a cookie, a secret
// or the network: it is called in process, with what this folder gives it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  AuthorizationParameters,
  ConsentAnswer,
} from '../../../core/authorization/requests.ts'
import type { App } from '../../../core/clients/app.ts'
import type { OAuthErrorCode } from '../../../core/language/errors.ts'
import type { InteractionError } from '../../../core/people/prompt.ts'

export type Decision =
  | { kind: 'approved'; approval: ConsentAnswer }
  | { kind: 'interact'; error: InteractionError }
  | { kind: 'refused'; error: 'access_denied' | 'invalid_scope' | 'login_required' }

/** What the front answers for one authorization request. */
export interface RequestHandler {
  /** Can the app have its answer without a page? Reads only. */
  decide(parameters: AuthorizationParameters, app: App): Promise<Decision>
  /** Before anything of a request is kept for a person. @throws OAuthError when too many wait already */
  admit(): Promise<void>
  /** Keeps the request under this id until a person has answered. */
  begin(parameters: AuthorizationParameters, id: string): Promise<void>
}

/** Where the provider would send its answer, in the request's words. */
export interface Redirect {
  uri: string
  mode: string | undefined
  platform: string | undefined
  state: string | undefined
}

/** What one pass through oidc-provider is given and what it leaves behind. */
export interface ProviderCall {
  handler: RequestHandler | null
  /** Who asks, as the provider was told of it. */
  app: App | null
  parameters: AuthorizationParameters | null
  decision: Decision | null
  /** Our code, issued in place of the provider's. */
  code: string | null
  /** The answer is posted to a page (`response_mode=web_message`). */
  isPosted: boolean
  interaction: string | null
  error: { code: OAuthErrorCode; description: string } | null
  redirect: Redirect | null
  /** A fault of ours inside the provider, to be thrown once we are out of it. */
  failure: unknown
  /** What has been spent on the way, to be given back when we have failed. */
  undo: (() => Promise<unknown>)[]
  /** What is of no more use once there is an answer. */
  afterwards: (() => Promise<unknown>)[]
}

const providerCalls = new AsyncLocalStorage<ProviderCall>()

export const newProviderCall = (part: Partial<ProviderCall>): ProviderCall => ({
  handler: null,
  app: null,
  parameters: null,
  decision: null,
  code: null,
  isPosted: false,
  interaction: null,
  error: null,
  redirect: null,
  failure: null,
  undo: [],
  afterwards: [],
  ...part,
})

export const runProviderCall = <Result>(call: ProviderCall, work: () => Promise<Result>) =>
  providerCalls.run(call, work)

export const currentProviderCall = (): ProviderCall => {
  const call = providerCalls.getStore()
  if (!call) throw new Error('oidc-provider was called from outside the engine')
  return call
}

/** Runs our code inside the provider and remembers its fault, which the provider would turn into an answer. */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const call = providerCalls.getStore()
    if (call) call.failure ??= error
    throw error
  }
}
