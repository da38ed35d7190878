import { type Authorization, createAuthorization, unanswered } from './authorization.ts'
import { type AppConfiguration, type Configuration, readConfiguration } from './configuration.ts'
import { type Connected, type ConnectResponse, type Failure, fault, obstacle } from './outcome.ts'
import { type PlatformLink, reachPlatform } from './platform-link.ts'
import { type PageMessage, scriptOrigin } from './protocol.ts'
import { createRenewal } from './renewal.ts'

export type { Connected, ConnectResponse, NotConnected } from './outcome.ts'

/** What `init` takes (specification §5.1); everything is optional. */
export interface Options {
  /** As which app this page is registered; default: as which the platform has it. */
  appId?: string
  /** After a token was generated, or its generation has failed. */
  onConnect?(response: ConnectResponse): void
  /** The ids of the rows that are selected now. */
  onSelection?(ids: string[]): void
  /** The filter that is set now. */
  onFilter?(filter: object): void
  /** Whether "Show Only Selected" is ticked now. */
  onShowSelected?(on: boolean): void
  /** The authorization server, such as `https://auth.example.com`; default: where this script came from. */
  issuer?: string
}

export interface Latchkey {
  /** The access token that is good now; null: there is none. */
  accessToken(): string | null
  /**
   * After a failure with `canAsk`: shows the person the pages that are needed, in a window. Call it from a click.
   * @returns false when there is nothing to ask, or the browser has blocked the window
   */
  ask(): boolean
  /** Fetches another token now, for example after `token-invalid`. */
  renew(): void
  /** Stops for good: no callback is called any more, and no token is fetched. */
  close(): void
}

type Registered = AppConfiguration & { redirect_uri: string }

const ownOrigin = scriptOrigin()

const unreachable = () => obstacle('unreachable', 'the authorization server could not be reached')
const unknownApp = () => fault('unknown_app', 'there is no such app')
const somebodyElse = () =>
  fault('somebody_else', 'another person has signed in; load the page again')
const mismatch = () => fault('app_mismatch', 'the platform has this page as another app')

/** Is this page one that can have tokens for the app? */
const faultOf = (app: Configuration): Failure | null => {
  if (!app.redirect_uri)
    return fault('origin_not_registered', 'no redirect URI of the app has the origin of this page')
  // It would need its secret, which has no place in a page.
  if (app.interface === 'current' && app.client_type === 'confidential')
    return fault('not_public', 'the app is registered as confidential')
  return null
}

const configurationOf = (issuer: string, appId: string | null) =>
  readConfiguration(issuer, appId).then((found) => found ?? unknownApp(), unreachable)

/** Whom to ask for tokens, and through which page. */
interface Reached {
  app: Registered
  link: PlatformLink
}

const reach = async (
  issuer: string,
  named: string | null,
  receive: (message: PageMessage) => void,
  signal: AbortSignal,
): Promise<Reached | Failure> => {
  if (!window.isSecureContext) return fault('insecure_context', 'this page is not on https')
  const known = await configurationOf(issuer, named)
  if ('error' in known) return known
  const early = named === null ? null : faultOf(known)
  if (early) return early
  const link = await reachPlatform(known.platform_origins, receive, signal)
  if ('error' in link) return link
  const isOther = named !== null && named !== link.appId
  const app = named === null ? await configurationOf(issuer, link.appId) : known
  const failure = isOther ? mismatch() : 'error' in app ? app : faultOf(app)
  if (failure) link.close()
  return failure ?? { app: app as Registered, link }
}

/** Connects this page to the platform around it, and keeps an access token fresh. */
export const init = (options: Options = {}): Latchkey => {
  const issuer = options.issuer ?? ownOrigin
  if (issuer === null) throw new TypeError('issuer is missing')
  let authorization: Authorization | null = null
  /** Whom the first token was for. */
  let userId: string | null = null
  let isClosed = false
  let round = new AbortController()

  /** What was begun with the page around this frame has no outcome any more. */
  const letGo = () => {
    round.abort()
    round = new AbortController()
    authorization?.stop()
    authorization = null
  }

  const receive = (message: PageMessage): void => {
    switch (message.type) {
      case 'selection':
        options.onSelection?.(message.ids)
        break
      case 'filter':
        options.onFilter?.(message.filter)
        break
      case 'show_selected':
        options.onShowSelected?.(message.on)
        break
      case 'unanswered':
        authorization?.unanswered(message.state)
        break
      case 'gone':
        letGo()
        renewal.restart()
    }
  }

  const accept = (outcome: Connected | Failure): void => {
    const other = 'connected' in outcome ? outcome.userId : null
    userId ??= other
    const isSame = other === null || other === userId
    // What the page shows is the one person's; it must not go on as the other.
    if (!isSame) renewal.forget()
    renewal.accept(isSame ? outcome : somebodyElse())
  }

  const giveUp = () => {
    letGo()
    accept(unanswered())
  }

  const attempt = async (): Promise<void> => {
    const { signal } = round
    if (!authorization) {
      const reached = await reach(
        issuer,
        options.appId ?? null,
        (message) => {
          if (!signal.aborted) receive(message)
        },
        signal,
      )
      if (signal.aborted) return 'link' in reached ? reached.link.close() : undefined
      if ('error' in reached) return accept(reached)
      authorization = createAuthorization(reached.app, reached.link, {
        settle: accept,
        giveUp,
      })
    }
    await authorization.attempt()
  }

  const renewal = createRenewal(attempt, (response) => {
    if (!isClosed) options.onConnect?.(response)
  })
  renewal.run()

  return {
    accessToken: () => renewal.token()?.accessToken ?? null,
    ask: () => {
      const isShown = authorization?.ask() ?? false
      if (isShown) renewal.personAsked()
      return isShown
    },
    renew: () => {
      if (!isClosed) renewal.run()
    },
    close: () => {
      isClosed = true
      letGo()
      renewal.stop()
    },
  }
}
