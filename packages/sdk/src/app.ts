import { type Authorization, createAuthorization, unanswered } from './authorization.ts'
import { type AppConfiguration, type Configuration, readConfiguration } from './configuration.ts'
import { type Connected, type ConnectResponse, type Failure, fault, obstacle } from './outcome.ts'
import { type PlatformLink, reachPlatform } from './platform-link.ts'
import { type PageMessage, requireBrowser, scriptServer } from './protocol.ts'
import { createRenewal } from './renewal.ts'

export type { Connected, ConnectResponse, NotConnected } from './outcome.ts'

/** Options of `init` (specification §5.1), all optional. */
export interface Options {
  /** The app of this page; default: the app that the platform names. */
  appId?: string
  /** Called after a token was generated or its generation has failed. */
  onConnect?(response: ConnectResponse): void
  /** Receives the ids of the selected rows. */
  onSelection?(ids: string[]): void
  /** Receives the current filter. */
  onFilter?(filter: object): void
  /** Receives whether "Show Only Selected" is ticked. */
  onShowSelected?(on: boolean): void
  /** The authorization server, such as `https://auth.example.com`; default: the server of this script. */
  issuer?: string
}

export interface Latchkey {
  /** The valid access token; null when there is none. */
  accessToken(): string | null
  /**
   * After a failure with `canAsk`: shows the required pages to the user in a window. Call it from a click.
   * @returns false when there is nothing to ask or the browser has blocked the window
   */
  ask(): boolean
  /** Fetches another token now, for example after `token-invalid`. */
  renew(): void
  /** Stops for good: no callback is called and no token is fetched any more. */
  close(): void
}

type Registered = AppConfiguration & { redirect_uri: string }

const ownServer = scriptServer()

const unreachable = () => obstacle('unreachable', 'the authorization server could not be reached')
const unknownApp = () => fault('unknown_app', 'the app does not exist')
const somebodyElse = () => fault('somebody_else', 'another user has signed in; load the page again')
const mismatch = () => fault('app_mismatch', 'the platform shows this page as another app')

/** The reason why this page cannot get tokens for the app; null when it can. */
const faultOf = (app: Configuration): Failure | null => {
  if (!app.redirect_uri)
    return fault('origin_not_registered', 'no redirect URI of the app has the origin of this page')
  // It would need its secret, which must not be in a page.
  if (app.interface === 'current' && app.client_type === 'confidential')
    return fault('not_public', 'the app is registered as confidential')
  return null
}

const configurationOf = (issuer: string, appId: string | null) =>
  readConfiguration(issuer, appId).then((found) => found ?? unknownApp(), unreachable)

/** The app to request tokens for, and the platform page to do it through. */
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

/** Connects this page to the platform around it and keeps an access token fresh. */
export const init = (options: Options = {}): Latchkey => {
  requireBrowser('init')
  const issuer = options.issuer ?? ownServer
  if (issuer === null) throw new TypeError('issuer is missing')
  let authorization: Authorization | null = null
  /** The user of the first token. */
  let userId: string | null = null
  let isClosed = false
  let round = new AbortController()

  /** Cancels everything that was started with the page around this frame. */
  const cancelAll = () => {
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
        cancelAll()
        renewal.restart()
    }
  }

  const accept = (outcome: Connected | Failure): void => {
    const other = 'connected' in outcome ? outcome.userId : null
    userId ??= other
    const isSame = other === null || other === userId
    // The page shows data of the first user. It must not continue as another one.
    if (!isSame) renewal.forget()
    renewal.accept(isSame ? outcome : somebodyElse())
  }

  const giveUp = () => {
    cancelAll()
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
      cancelAll()
      renewal.stop()
    },
  }
}
