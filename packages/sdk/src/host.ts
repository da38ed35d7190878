import { type AppConfiguration, authorizationUrl, readConfiguration } from './configuration.ts'
import {
  type AuthorizationParameters,
  type FrameMessage,
  type Hello,
  messageOf,
  type PageMessage,
  type RelayRequest,
  type RelayResponse,
  requireBrowser,
  scriptServer,
  version,
  type Welcome,
} from './protocol.ts'

export interface AttachOptions {
  /** The app that the frame shows. */
  appId: string
  /** The organization in which the user works. The app is authorized there. Default: the user is asked. */
  organizationId?: string
  /** Origin of the app's pages; default: that of the frame's `src`. */
  origin?: string
  /** The authorization server, such as `https://auth.example.com`; default: the server of this script. */
  issuer?: string
}

/** A frame that shows an app. */
export interface Host {
  /** Sends the selected rows to the app. */
  select(ids: readonly string[]): void
  /** Sends the current filter to the app. */
  filter(filter: object): void
  /** Sends to the app whether "Show Only Selected" is ticked. */
  showSelected(on: boolean): void
  /** Disconnects from the frame. */
  detach(): void
}

const ownServer = scriptServer()
const rest = 500 // ms between two requests of one frame, which may be hostile
const grace = 2_000 // ms after the server's page has loaded within which it must send a message
const urlSafe = /^[\w-]{1,128}$/

const originOf = (url: unknown) => {
  try {
    return new URL(String(url)).origin
  } catch {
    return null
  }
}

type Sent = Partial<Record<keyof AuthorizationParameters, unknown>>

/** Reads the request of a frame field by field: it comes from an app's page, which is not trusted. */
const readParameters = (sent: unknown, origin: string): AuthorizationParameters | null => {
  const { redirect_uri, state, code_challenge, organization_id } = (sent ?? {}) as Sent
  if (typeof redirect_uri !== 'string' || originOf(redirect_uri) !== origin) return null
  if (typeof state !== 'string' || !urlSafe.test(state)) return null
  const optional = { code_challenge, organization_id }
  for (const one of Object.values(optional)) {
    if (one !== undefined && (typeof one !== 'string' || !urlSafe.test(one))) return null
  }
  return { redirect_uri, state, ...(optional as Partial<AuthorizationParameters>) }
}

/** An authorization request in a hidden frame. */
interface Asked {
  state: string
  frame: HTMLIFrameElement
  server: string
  hasSpoken: boolean
}

/** Serves the app in this frame: sends it the selection and opens its authorization requests. */
export const attach = (frame: HTMLIFrameElement, options: AttachOptions): Host => {
  requireBrowser('attach')
  const { appId, organizationId = null } = options
  const issuer = options.issuer ?? ownServer
  if (issuer === null) throw new TypeError('issuer is missing')
  const origin = options.origin ?? originOf(frame.src)
  if (origin === null || origin === 'null') throw new TypeError('the origin of the app is missing')

  let port: MessagePort | null = null
  let asked: Asked | null = null
  /** The state of the frame's last request, and when it was opened (ms). */
  let wanted: string | null = null
  let openedAt = Number.NEGATIVE_INFINITY
  /** The nonce of the frame's last hello. */
  let welcomed: string | null = null
  let known: Promise<AppConfiguration> | null = null
  /** The last message of each kind, for a frame that connects later or again. */
  const said = new Map<PageMessage['type'], PageMessage>()

  const configuration = () => {
    known ??= readConfiguration(issuer, appId).then((found) => {
      if (!found) throw new Error(`there is no app ${appId}`)
      return found as AppConfiguration
    })
    known.catch(() => {
      known = null // the next request tries again
    })
    return known
  }

  const tell = (message: PageMessage) => {
    said.set(message.type, message)
    port?.postMessage(message)
  }

  const forget = () => {
    asked?.frame.remove()
    asked = null
    wanted = null
  }

  /** Tells the app that no answer will arrive. */
  const giveUp = (state: string) => {
    if (asked?.state === state) forget()
    port?.postMessage({ type: 'unanswered', state } satisfies PageMessage)
  }

  const authorize = async (parameters: AuthorizationParameters, asker: MessagePort) => {
    const { state } = parameters
    forget()
    wanted = state
    const app = await configuration().catch(() => null)
    await new Promise((rested) => setTimeout(rested, openedAt + rest - performance.now()))
    if (asker !== port || wanted !== state) return
    if (!app) return giveUp(state)
    openedAt = performance.now()
    const url = authorizationUrl(
      app,
      // Only the platform page decides the organization.
      { ...parameters, ...(organizationId !== null && { organization_id: organizationId }) },
      { platform: location.origin, isSilent: true },
    )
    const mine: Asked = {
      state,
      frame: document.createElement('iframe'),
      server: new URL(url).origin,
      hasSpoken: false,
    }
    asked = mine
    mine.frame.hidden = true
    mine.frame.title = ''
    mine.frame.src = url
    // Browsers also fire `load` for their own error pages.
    mine.frame.addEventListener('load', () =>
      setTimeout(() => {
        if (asked === mine && !mine.hasSpoken) giveUp(state)
      }, grace),
    )
    document.body.append(mine.frame)
  }

  const receive = (message: FrameMessage, asker: MessagePort) => {
    if (message?.type === 'finished' && message.state === wanted) forget()
    if (message?.type !== 'authorize') return
    const parameters = readParameters(message.parameters, origin)
    if (parameters) void authorize(parameters, asker)
  }

  /** A reloaded frame connects again. Requests of the previous page end. */
  const welcome = ({ nonce }: Hello) => {
    // The same hello again: the answer is on its way, and its port must stay open.
    if (nonce === welcomed) return
    welcomed = nonce
    port?.close()
    forget()
    const channel = new MessageChannel()
    port = channel.port1
    port.onmessage = (event) => receive(event.data, channel.port1)
    const answer: Welcome = { type: 'latchkey_welcome', version, nonce, appId, organizationId }
    frame.contentWindow?.postMessage(answer, origin, [channel.port2])
    for (const message of said.values()) port.postMessage(message)
  }

  /** The server's page has an answer and asks for the frame of the app. The reply goes only to the server's origin. */
  const relay = ({ state }: RelayRequest, { server, frame: own }: Asked) => {
    const place = Array.from({ length: window.length }, (_, at) => at).find(
      (at) => window[at] === frame.contentWindow,
    )
    if (place === undefined) return
    const answer: RelayResponse = { type: 'relay_response', version, state, frame: place }
    own.contentWindow?.postMessage(answer, server)
  }

  const listen = (event: MessageEvent) => {
    const { source, data } = event
    if (source === null) return
    if (source === frame.contentWindow && event.origin === origin) {
      const hello = messageOf<Hello>('latchkey_hello', data)
      if (hello && typeof hello.nonce === 'string') welcome(hello)
    } else if (asked && source === asked.frame.contentWindow && event.origin === asked.server) {
      const request = messageOf<RelayRequest>('relay_request', data)
      if (request?.state !== asked.state) return
      asked.hasSpoken = true
      relay(request, asked)
    }
  }
  window.addEventListener('message', listen)

  return {
    select: (ids) => tell({ type: 'selection', ids: ids.map(String) }),
    filter: (filter) => tell({ type: 'filter', filter }),
    showSelected: (on) => tell({ type: 'show_selected', on: Boolean(on) }),
    detach: () => {
      window.removeEventListener('message', listen)
      port?.postMessage({ type: 'gone' } satisfies PageMessage)
      port?.close()
      port = null
      forget()
    },
  }
}
