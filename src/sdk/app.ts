import { type Authorization, createAuthorization } from './authorization.ts'
import { type AppConfiguration, type Configuration, readConfiguration } from './configuration.ts'
import { type ConnectResponse, type Failure, fault, obstacle } from './outcome.ts'
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

type Reached = AppConfiguration & { redirect_uri: string }

const ownOrigin = scriptOrigin()

const unreachable = () => obstacle('unreachable', 'the authorization server could not be reached')
const unknownApp = () => fault('unknown_app', 'there is no such app')

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

/** Connects this page to the platform around it, and keeps an access token fresh. */
export const init = (options: Options = {}): Latchkey => {
  const issuer = options.issuer ?? ownOrigin
  if (issuer === null) throw new TypeError('issuer is missing')
  let authorization: Authorization | null = null
  let link: PlatformLink | null = null
  let isClosed = false

  const letGo = () => {
    authorization?.stop()
    link?.close()
    authorization = null
    link = null
  }

  const receive = (message: PageMessage) => {
    if (isClosed) return
    switch (message.type) {
      case 'selection':
        return options.onSelection?.(message.ids)
      case 'filter':
        return options.onFilter?.(message.filter)
      case 'show_selected':
        return options.onShowSelected?.(message.on)
      case 'unanswered':
        return authorization?.unanswered(message.state)
      case 'gone':
        letGo()
        return renewal.run()
    }
  }

  /** @returns null when everything is there that an authorization needs */
  const prepare = async (): Promise<Failure | null> => {
    if (!window.isSecureContext) return fault('insecure_context', 'this page is not on https')
    const { appId: named = null } = options
    const known = await configurationOf(issuer, named)
    if ('error' in known) return known
    const early = named === null ? null : faultOf(known)
    if (early) return early
    const reached = await reachPlatform(known.platform_origins, receive)
    if ('error' in reached) return reached
    const { appId } = reached
    if (named !== null && named !== appId)
      return fault('app_mismatch', 'the platform has this page as another app')
    const app = named === null ? await configurationOf(issuer, appId) : known
    if ('error' in app) return app
    const late = faultOf(app)
    if (late) return late
    link = reached
    authorization = createAuthorization(app as Reached, reached, settle)
    return null
  }

  const settle: Parameters<typeof createAuthorization>[2] = (outcome) => {
    if (!isClosed) renewal.accept(outcome)
  }

  const renewal = createRenewal(
    async () => {
      const failure = authorization ? null : await prepare()
      if (failure) settle(failure)
      else await authorization?.attempt()
    },
    (response) => options.onConnect?.(response),
  )
  renewal.run()

  return {
    accessToken: () => renewal.token()?.accessToken ?? null,
    ask: () => {
      const isShown = authorization?.ask() ?? false
      if (isShown) renewal.personAsked()
      return isShown
    },
    renew: renewal.run,
    close: () => {
      isClosed = true
      renewal.stop()
      letGo()
    },
  }
}
