/** A token has come. */
export interface Connected {
  connected: true
  accessToken: string
  /** Seconds from now. */
  expiresIn: number
  /** Milliseconds since 1970. */
  expiresAt: number
  /** What the token may do. */
  permissions: string[]
  /** Where it is good; null: nobody has said. */
  organizationId: string | null
  /** Whom it stands for; null: nobody has said. */
  userId: string | null
}

/** No token has come. */
export interface NotConnected {
  connected: false
  /** One of the words in docs/for-web-apps.md, or an error code of OAuth. */
  error: string
  description: string
  /** `ask()` may help: a person has something to do or to decide. */
  canAsk: boolean
  /** Milliseconds until the next try; null: there will be none by itself. */
  retryIn: number | null
}

/** What `onConnect` receives. */
export type ConnectResponse = Connected | NotConnected

/** A try that failed, before anybody has thought about the next one. */
export interface Failure {
  error: string
  description: string
  canAsk: boolean
  /** Nothing is wrong with app or person; later it may work. */
  isPassing: boolean
}

const askable = /^(login|consent|interaction|account_selection)_required$/
const passing = /^(temporarily_unavailable|server_error|slow_down)$/

/** An error in the words of OAuth, as the authorization server has said it. */
export const refusal = (error: string, description = ''): Failure => ({
  error,
  description,
  canAsk: askable.test(error),
  isPassing: passing.test(error),
})

/** Something in the way between frame, page and server. */
export const obstacle = (error: string, description: string): Failure => ({
  error,
  description,
  canAsk: false,
  isPassing: true,
})

/** Somebody has to change something before it can work. */
export const fault = (error: string, description: string): Failure => ({
  error,
  description,
  canAsk: false,
  isPassing: false,
})
