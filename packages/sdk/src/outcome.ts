/** A token was received. */
export interface Connected {
  connected: true
  accessToken: string
  /** Seconds from now. */
  expiresIn: number
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The permissions of the token. */
  permissions: string[]
  /** The organization of the token; null when unknown. */
  organizationId: string | null
  /** The user of the token; null when unknown. */
  userId: string | null
}

/** No token was received. */
export interface NotConnected {
  connected: false
  /** One of the words in docs/for-web-apps.md, or an error code of OAuth. */
  error: string
  description: string
  /** True when `ask()` may help: the user has to do or decide something. */
  canAsk: boolean
  /** Milliseconds until the next automatic try; null when there is none. */
  retryIn: number | null
}

/** The argument of `onConnect`. */
export type ConnectResponse = Connected | NotConnected

/** A failed try, before the next one is planned. */
export interface Failure {
  error: string
  description: string
  canAsk: boolean
  /** The failure is temporary, not a fault of the app or user. */
  isPassing: boolean
}

const askable = /^(login|consent|interaction|account_selection)_required$/
const passing = /^(temporarily_unavailable|server_error|slow_down)$/

/** An OAuth error from the authorization server. */
export const refusal = (error: string, description = ''): Failure => ({
  error,
  description,
  canAsk: askable.test(error),
  isPassing: passing.test(error),
})

/** A temporary problem between frame, page and server. */
export const obstacle = (error: string, description: string): Failure => ({
  error,
  description,
  canAsk: false,
  isPassing: true,
})

/** A fault that must be corrected before it can work. */
export const fault = (error: string, description: string): Failure => ({
  error,
  description,
  canAsk: false,
  isPassing: false,
})
