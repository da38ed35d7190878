import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A simple TCP balancer: round robin over the servers that are ready. */
export interface Balancer {
  url: string
  port: number
  /** The servers from now on. */
  lead(urls: string[]): void
  close(): Promise<void>
}

const checkEvery = 100 // ms

const isReady = (url: string) =>
  fetch(`${url}/health/ready`, { headers: { connection: 'close' } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )

export const startBalancer = async (): Promise<Balancer> => {
  let urls: string[] = []
  let ready: string[] = []
  let turn = 0
  let closed = false
  const sockets = new Set<Socket>()

  /** A server that refuses a connection has read nothing, so the next one is tried. */
  const join = (client: Socket, tries: number) => {
    const target = ready[turn++ % Math.max(1, ready.length)]
    if (target === undefined || tries === 0) return client.destroy()
    const server = connect({ host: '127.0.0.1', port: Number(new URL(target).port) })
    server.once('error', () => join(client, tries - 1))
    server.once('connect', () => {
      server.removeAllListeners('error')
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(one)
        one.setNoDelay(true)
        one.on('error', () => other.destroy())
        one.on('close', () => sockets.delete(one))
        one.pipe(other)
      }
    })
    return undefined
  }

  const listener = createServer((client) => {
    client.on('error', () => undefined)
    join(client, 5)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const look = async () => {
    const up = await Promise.all(urls.map(isReady))
    ready = urls.filter((_, at) => up[at])
  }
  const looking = (async () => {
    for (; !closed; await sleep(checkEvery)) await look()
  })()
  const { port } = listener.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    lead: (to) => {
      urls = to
    },
    close: async () => {
      closed = true
      await looking
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
