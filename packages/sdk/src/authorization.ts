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

const silentTimeout = 20_000 // ms: only an answer without a page is expected

export const unanswered = () => obstacle('no_answer', 'the authorization server did not answer')

/** One authorization request, from its state to its token. */
interface Request {
  parameters: AuthorizationParameters
  /** PKCE; null on the legacy interface. */
  verifier: string | null
  /** The user has to be asked first. */
  isRefused: boolean
}

export interface Authorization {
  /** Requests a token without a page. The outcome comes through `settle`, once or (after `ask`) several times. */
  attempt(): Promise<void>
  /**
   * Shows the pages of the refused request to the user. @returns false when there is none or the window was blocked
   * @returns false when there is none, or the window was blocked
   */
  ask(): boolean
  /** The platform page reports that no answer can arrive. */
  unanswered(state: string): void
  /** Stops and disconnects from the page. No outcome follows. */
  stop(): void
}

/** Callbacks for the outcome. */
export interface AuthorizationEvents {
  settle(outcome: Connected | Failure): void
  /** Neither the server nor the page has answered. The page may be a different one by now. */
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

/** The subject of an access token (RFC 9068 §2.2); null when unreadable. */
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

/** @returns the answer of the token endpoint, or the failure */
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
    // The code has expired. Another one may arrive in time.
    return refused.error === 'invalid_grant' ? { ...refused, isPassing: true } : refused
  } catch {
    return obstacle('unreachable', 'the authorization server could not be reached')
  }
}

/**
 * Gets tokens through the page around this frame. The page opens the request, and the authorization server answers only
 * to this origin.
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
    // A request that the user can complete stays open: its answer may still come from a window.
    if (open && failure.canAsk) open.isRefused = true
    else close()
    settle(failure)
  }

  const refuse = (request: Request, error: string, description?: string) => {
    const failure = refusal(error, description)
    // A user who denied in one window may allow in the next.
    const isChoice = request.isRefused && error === 'access_denied'
    fail({ ...failure, canAsk: failure.canAsk || isChoice })
  }

  const take = async (request: Request, response: AuthorizationResponse['response']) => {
    if (response.error) return refuse(request, response.error, response.error_description)
    close() // once: a second answer to this request is ignored
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
