import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP relay to a server that can be watched, paused, cut and redirected. */
export interface Relay {
  port: number
  /** Keeps connections, but sends nothing to the server; `resume` delivers the buffered bytes. */
  stall(): void
  /** Keeps connections, but returns no reply. */
  stallAnswers(): void
  resume(): void
  /** Delays each reply by this many milliseconds. */
  delay(milliseconds: number): void
  /** Closes every connection and accepts no new one, until `mend`. */
  cut(): void
  mend(): void
  /** Connects later connections to another server. */
  lead(to: Address): void
  close(): Promise<void>
}

export type Address = { path: string } | { host: string; port: number }

interface Pair {
  client: Socket
  server: Socket
}

/** @param watch creates, for each connection, an observer of the bytes to the server */
export const startRelay = async (
  to: Address,
  watch?: () => (chunk: Buffer) => void,
): Promise<Relay> => {
  const pairs = new Set<Pair>()
  let target = to
  let isCut = false
  let held: 'nothing' | 'questions' | 'answers' = 'nothing'
  let lateness = 0

  const drop = ({ client, server }: Pair) => {
    client.destroy()
    server.destroy()
  }
  const hold = ({ client, server }: Pair) => {
    if (held === 'questions') client.pause()
    else client.resume()
    if (held === 'answers') server.pause()
    else server.resume()
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ ...target, allowHalfOpen: true })
    const pair = { client, server }
    pairs.add(pair)
    const see = watch?.()
    client.on('data', (chunk) => {
      see?.(chunk)
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (lateness === 0) client.write(chunk)
      else setTimeout(() => client.write(chunk), lateness)
    })
    client.on('end', () => server.end())
    server.on('end', () => client.end())
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => drop(pair))
      socket.on('close', () => pairs.delete(pair))
    }
    if (isCut) drop(pair)
    else hold(pair)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  const holdAll = (what: typeof held) => {
    held = what
    for (const pair of pairs) hold(pair)
  }
  const cutAll = () => {
    for (const pair of pairs) drop(pair)
  }
  return {
    port: (listener.address() as AddressInfo).port,
    stall: () => holdAll('questions'),
    stallAnswers: () => holdAll('answers'),
    resume: () => holdAll('nothing'),
    delay: (milliseconds) => {
      lateness = milliseconds
    },
    cut: () => {
      isCut = true
      cutAll()
    },
    mend: () => {
      isCut = false
      holdAll('nothing')
    },
    lead: (elsewhere) => {
      target = elsewhere
    },
    close: async () => {
      listener.close()
      cutAll()
      await once(listener, 'close')
    },
  }
}

/** The address of the Postgres or Redis of a URL. */
const addressOf = (url: URL): Address => {
  const host = url.searchParams.get('host') ?? url.hostname
  const port = Number(url.searchParams.get('port') ?? url.port)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** A relay before the server of a URL, and the URL that leads through it. */
export const relayTo = async (
  text: string,
  watch?: () => (chunk: Buffer) => void,
): Promise<Relay & { url: string }> => {
  const url = new URL(text)
  const relay = await startRelay(addressOf(url), watch)
  const user = url.searchParams.get('user') ?? url.username
  const login = url.password ? `${user}:${url.password}` : user
  const at = login === '' ? '' : `${login}@`
  return { ...relay, url: `${url.protocol}//${at}127.0.0.1:${relay.port}${url.pathname}` }
}
