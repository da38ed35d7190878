import { type AppConfiguration, authorizationUrl, longestWait } from './configuration.ts'
import { type Connected, type Failure, fault, obstacle, refusal } from './outcome.ts'
import type { PlatformLink } from './platform-link.ts'
import {
  type AuthorizationParameters,
  type AuthorizationResponse,
  base64url,
  messageOf,
  randomText,
} from './protocol.ts'

const silentTimeout = 20_000 // ms: sign-in pages are not waited for, only an answer without one

export const unanswered = () => obstacle('no_answer', 'the authorization server did not answer')

/** One authorization request, from its state to its token. */
interface Request {
  parameters: AuthorizationParameters
  /** PKCE; null on the legacy interface. */
  verifier: string | null
  /** A person has to be asked first. */
  isRefused: boolean
}

export interface Authorization {
  /** Asks for a token without a page. The outcome comes through `settle`, once or (after `ask`) more often. */
  attempt(): Promise<void>
  /** Shows the person the pages of the request that has just been refused. @returns false when there is none, or the window was blocked */
  ask(): boolean
  /** The page has seen that nothing came which could be an answer. */
  unanswered(state: string): void
  /** Lets go of the page, too; there is no outcome any more. */
  stop(): void
}

/** What is told to whoever wants the tokens. */
export interface AuthorizationEvents {
  settle(outcome: Connected | Failure): void
  /** Neither the server nor the page has said anything: it may be another page by now. */
  giveUp(): void
}

const newRequest = async (
  app: AppConfiguration & { redirect_uri: string },
  organizationId: string | null,
): Promise<Request> => {
  const parameters: AuthorizationParameters = {
    redirect_uri: app.redirect_uri,
    state: randomText(),
    ...(organizationId !== null && { organization_id: organizationId }),
  }
  if (app.token_endpoint === null) return { parameters, verifier: null, isRefused: false }
  const verifier = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = base64url(new Uint8Array(digest))
  return {
    parameters: { ...parameters, code_challenge: challenge },
    verifier,
    isRefused: false,
  }
}

interface Tokens {
  access_token: string
  expires_in: string | number
  scope?: string
  organization_id?: string
}

/** Of whom an access token speaks (RFC 9068 §2.2); null: it does not say, or not so. */
const subjectOf = (token: string): string | null => {
  try {
    const [, claims = ''] = token.split('.')
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))).sub ?? null
  } catch {
    return null
  }
}

const connected = (tokens: Tokens): Connected => {
  const expiresIn = Number(tokens.expires_in)
  return {
    connected: true,
    accessToken: tokens.access_token,
    expiresIn,
    expiresAt: Date.now() + expiresIn * 1000,
    permissions: tokens.scope?.split(' ').filter(Boolean) ?? [],
    organizationId: tokens.organization_id ?? null,
    userId: subjectOf(tokens.access_token),
  }
}

/** @returns the token endpoint's answer, or why there is none */
const exchange = async (
  app: AppConfiguration,
  { parameters }: Request,
  verifier: string,
  code: string,
): Promise<Tokens | Failure> => {
  try {
    const response = await fetch(app.token_endpoint as string, {
      method: 'POST',
      credentials: 'omit',
      signal: AbortSignal.timeout(longestWait),
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app.client_id,
        redirect_uri: parameters.redirect_uri,
        code,
        code_verifier: verifier,
      }),
    })
    const body = await response.json()
    if (response.ok) return body
    const refused = refusal(String(body.error), body.error_description)
    // The code has come too late; another one may come in time.
    return refused.error === 'invalid_grant' ? { ...refused, isPassing: true } : refused
  } catch {
    return obstacle('unreachable', 'the authorization server could not be reached')
  }
}

/**
 * Gets tokens through the page around this frame: it opens the request, and the authorization server answers to this
 * origin alone.
 */
export const createAuthorization = (
  app: AppConfiguration & { redirect_uri: string },
  link: PlatformLink,
  events: AuthorizationEvents,
): Authorization => {
  const server = new URL(app.authorization_endpoint).origin
  let open: Request | null = null
  let { organizationId } = link
  let timer = 0
  let isStopped = false

  const settle = (outcome: Connected | Failure) => {
    if (!isStopped) events.settle(outcome)
  }

  const close = () => {
    clearTimeout(timer)
    if (open) link.send({ type: 'finished', state: open.parameters.state })
    open = null
  }

  const fail = (failure: Failure) => {
    clearTimeout(timer)
    // What a person can help with stays open: its answer may still come, from a window.
    if (open && failure.canAsk) open.isRefused = true
    else close()
    settle(failure)
  }

  const refuse = (request: Request, error: string, description?: string) => {
    const failure = refusal(error, description)
    // Who has said no in a window may say yes in the next one.
    const isChoice = request.isRefused && error === 'access_denied'
    fail({ ...failure, canAsk: failure.canAsk || isChoice })
  }

  const take = async (request: Request, response: AuthorizationResponse['response']) => {
    if (response.error) return refuse(request, response.error, response.error_description)
    close() // once: a second answer to this request finds nobody
    const tokens =
      request.verifier === null
        ? (response as Tokens)
        : await exchange(app, request, request.verifier, response.code ?? '')
    if ('error' in tokens) return settle(tokens)
    const outcome = connected(tokens)
    const { organizationId: chosen } = outcome
    if (link.organizationId !== null && chosen !== null && chosen !== link.organizationId)
      return settle(fault('other_organization', 'the platform shows another organization'))
    organizationId = chosen ?? organizationId
    settle(outcome)
  }

  // The server answers from a frame beside this one.
  const isBeside = (source: MessageEventSource | null) =>
    (source as Window | null)?.parent === window.parent

  const listen = ({ origin, source, data }: MessageEvent) => {
    if (origin !== server || !isBeside(source)) return
    const message = messageOf<AuthorizationResponse>('authorization_response', data)
    if (!message || !open || message.response?.state !== open.parameters.state) return
    void take(open, message.response)
  }
  window.addEventListener('message', listen)

  return {
    attempt: async () => {
      close()
      const request = await newRequest(app, organizationId)
      if (isStopped) return
      open = request
      link.send({ type: 'authorize', parameters: request.parameters })
      timer = window.setTimeout(events.giveUp, silentTimeout)
    },
    unanswered: (state) => {
      if (open?.parameters.state === state && !open.isRefused) fail(unanswered())
    },
    ask: () => {
      if (!open?.isRefused) return false
      const context = { platform: link.origin, isSilent: false }
      const url = authorizationUrl(app, open.parameters, context)
      return window.open(url, '_blank', 'popup,width=520,height=760') !== null
    },
    stop: () => {
      isStopped = true
      close()
      link.close()
      window.removeEventListener('message', listen)
    },
  }
}
