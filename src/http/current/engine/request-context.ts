// oidc-provider behind one interface. It validates authorization requests of the current interface, stores pushed
// requests and interactions, and decides where each answer goes. It never sees a cookie, a secret or the network: it is
// called in process with data from this folder.
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  AuthorizationParameters,
  ConsentAnswer,
  RefusedBy,
} from '../../../core/authorization/requests.ts'
import type { App } from '../../../core/clients/app.ts'
import type { OAuthErrorCode } from '../../../core/language/errors.ts'
import type { InteractionError } from '../../../core/people/prompt.ts'

export type Decision =
  | { kind: 'approved'; approval: ConsentAnswer }
  | { kind: 'interact'; error: InteractionError }
  | { kind: 'refused'; error: RefusedBy }

/** Callbacks of the front for one authorization request. */
export interface RequestHandler {
  /** Reads the app, and all that the decision will need. Called once, first. null: unknown */
  findApp(clientId: string): Promise<App | null>
  /** Decides whether the app gets an answer without a page. Only reads. */
  decide(parameters: AuthorizationParameters): Promise<Decision>
  /** Called before a request is stored for the user. @throws OAuthError when too many wait already */
  admit(): Promise<void>
  /** Stores the request under this id until the user has answered. */
  begin(parameters: AuthorizationParameters, id: string): Promise<void>
}

/** The target of the provider's answer, in the request's parameters. */
export interface Redirect {
  uri: string
  mode: string | undefined
  platform: string | undefined
  state: string | undefined
}

export type FindApp = (clientId: string) => Promise<App | null>

/** Input and output of one call of oidc-provider. */
export interface ProviderCall {
  handler: RequestHandler | null
  /** Finds an enabled app of the current interface. */
  findApp: FindApp
  /** The app of the request, once it is found. */
  app: App | null
  /** The provider only validates. It knows the app by the name that stands for all of them. */
  onlyValidates: boolean
  /** The request is one that the client has pushed. */
  isPushed: boolean
  parameters: AuthorizationParameters | null
  decision: Decision | null
  /** RFC 9449 §10 */
  dpopJkt: string | null
  /** Our code, issued instead of the provider's. */
  code: string | null
  /** The answer is posted to a page (`response_mode=web_message`). */
  isPosted: boolean
  interaction: string | null
  error: { code: OAuthErrorCode; description: string } | null
  redirect: Redirect | null
  /** An error of our code inside the provider, thrown again after the call. */
  failure: unknown
  /** Undoes what the call consumed, when it fails. */
  undo: (() => Promise<unknown>)[]
  /** Deletes records that are useless once there is an answer. */
  afterwards: (() => Promise<unknown>)[]
}

const providerCalls = new AsyncLocalStorage<ProviderCall>()

export const newProviderCall = (part: Partial<ProviderCall>): ProviderCall => ({
  handler: null,
  findApp: async () => null,
  app: null,
  onlyValidates: false,
  isPushed: false,
  parameters: null,
  decision: null,
  dpopJkt: null,
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

/** Runs our code inside the provider and records its error, which the provider would turn into an answer. */
export const rememberFailure = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const call = providerCalls.getStore()
    if (call) call.failure ??= error
    throw error
  }
}
