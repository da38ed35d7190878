import { type Failure, fault, obstacle } from './outcome.ts'
import {
  type FrameMessage,
  type Hello,
  messageOf,
  type PageMessage,
  randomText,
  version,
  type Welcome,
} from './protocol.ts'

/** The connection to the platform page around this frame. */
export interface PlatformLink {
  origin: string
  appId: string
  organizationId: string | null
  send(message: FrameMessage): void
  close(): void
}

const linkTimeout = 10_000 // ms
const firstPause = 100
const longestPause = 2_000

/** Possible origins of the parent: one where the browser reveals it, else all trusted ones. */
const candidates = (trusted: readonly string[]) => {
  const parentOrigin = location.ancestorOrigins?.[0]
  if (parentOrigin === undefined) return trusted
  return trusted.filter((one) => one === parentOrigin)
}

const unanswered = () => obstacle('no_platform', 'the page around this frame does not answer')

const search = (
  origins: readonly string[],
  receive: (message: PageMessage) => void,
  signal: AbortSignal,
): Promise<PlatformLink | Failure> =>
  new Promise((resolve) => {
    const hello: Hello = { type: 'latchkey_hello', version, nonce: randomText() }
    let pause = firstPause
    let timer = 0
    const ask = () => {
      // Only a parent of exactly this origin receives it.
      for (const origin of origins) window.parent.postMessage(hello, origin)
      timer = window.setTimeout(ask, pause)
      pause = Math.min(pause * 2, longestPause)
    }
    const end = (result: PlatformLink | Failure) => {
      window.removeEventListener('message', listen)
      clearTimeout(timer)
      clearTimeout(late)
      signal.removeEventListener('abort', giveUp)
      resolve(result)
    }
    const listen = ({ source, origin, data, ports: [port] }: MessageEvent) => {
      if (source !== window.parent || !origins.includes(origin) || !port) return
      const welcome = messageOf<Welcome>('latchkey_welcome', data)
      if (welcome?.nonce !== hello.nonce) return
      port.onmessage = (event) => receive(event.data)
      const { appId, organizationId } = welcome
      end({
        origin,
        appId,
        organizationId,
        send: (message) => port.postMessage(message),
        close: () => port.close(),
      })
    }
    const giveUp = () => end(unanswered())
    const late = window.setTimeout(giveUp, linkTimeout)
    signal.addEventListener('abort', giveUp)
    window.addEventListener('message', listen)
    ask()
  })

/**
 * Finds the host on the page around this frame.
 * @param trusted the origins of platform pages; other parents get no message and are not trusted
 * @param receive called with each later message of the page
 * @param signal ends the search
 */
export const reachPlatform = async (
  trusted: readonly string[],
  receive: (message: PageMessage) => void,
  signal: AbortSignal,
): Promise<PlatformLink | Failure> => {
  if (window.parent === window)
    return fault('not_framed', 'this page is not in a frame of the platform')
  // An aborted signal fires no event.
  if (signal.aborted) return unanswered()
  const origins = candidates(trusted)
  return origins.length === 0
    ? fault('platform_unknown', 'the page around this frame is not one of the platform')
    : search(origins, receive, signal)
}
