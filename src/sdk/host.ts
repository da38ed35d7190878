import { type AppConfiguration, authorizationUrl, readConfiguration } from './configuration.ts'
import {
  type AuthorizationParameters,
  type FrameMessage,
  type Hello,
  messageOf,
  type PageMessage,
  type RelayRequest,
  type RelayResponse,
  scriptOrigin,
  version,
  type Welcome,
} from './protocol.ts'

export interface AttachOptions {
  /** The app that the frame shows. */
  appId: string
  /** In which organization the person is at work; the app is authorized there. Default: the person is asked. */
  organizationId?: string
  /** Of the app's pages; default: that of the frame's `src`. */
  origin?: string
  /** The authorization server, such as `https://auth.example.com`; default: where this script came from. */
  issuer?: string
}

/** One frame with an app in it. */
export interface Host {
  /** Tells the app which rows are selected. */
  select(ids: readonly string[]): void
  /** Tells the app which filter is set. */
  filter(filter: object): void
  /** Tells the app whether "Show Only Selected" is ticked. */
  showSelected(on: boolean): void
  /** Lets go of the frame. */
  detach(): void
}

const ownOrigin = scriptOrigin()
const rest = 500 // ms between two requests of one frame, which may be somebody's who means no good
const grace = 2_000 // ms from when the server's page has loaded until it should have spoken
const urlSafe = /^[\w-]{1,128}$/

const originOf = (url: unknown) => {
  try {
    return new URL(String(url)).origin
  } catch {
    return null
  }
}

type Sent = Partial<Record<keyof AuthorizationParameters, unknown>>

/** What a frame asks for, read field by field: it is an app's page, and nobody here knows who wrote it. */
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

/** An authorization request in a frame of its own, which nobody sees. */
interface Asked {
  state: string
  frame: HTMLIFrameElement
  server: string
  hasSpoken: boolean
}

/** Serves the app in this frame: it is told what is selected, and gets its tokens. */
export const attach = (frame: HTMLIFrameElement, options: AttachOptions): Host => {
  const { appId, organizationId = null } = options
  const issuer = options.issuer ?? ownOrigin
  if (issuer === null) throw new TypeError('issuer is missing')
  const origin = options.origin ?? originOf(frame.src)
  if (origin === null || origin === 'null') throw new TypeError('the origin of the app is missing')

  let port: MessagePort | null = null
  let asked: Asked | null = null
  /** The state of the frame's last request, and when that was opened (ms). */
  let wanted: string | null = null
  let openedAt = Number.NEGATIVE_INFINITY
  /** The nonce of the frame's last hello. */
  let welcomed: string | null = null
  let known: Promise<AppConfiguration> | null = null
  /** The last of each kind, for a frame that comes later or again. */
  const said = new Map<PageMessage['type'], PageMessage>()

  const configuration = () => {
    known ??= readConfiguration(issuer, appId).then((found) => {
      if (!found) throw new Error(`there is no app ${appId}`)
      return found as AppConfiguration
    })
    known.catch(() => {
      known = null // another request tries again
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

  /** The app waits for an answer that will not come. */
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
      // Where the person is at work is the page's to say.
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
    // Loaded is what a browser calls its own error page, too.
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

  /** A frame that has loaded anew asks anew, and what was for the one before it ends. */
  const welcome = ({ nonce }: Hello) => {
    // The same question twice: the answer is on its way, and its port must live.
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

  /** The server's page has an answer and asks in which frame the app is. It tells nobody of another origin. */
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
