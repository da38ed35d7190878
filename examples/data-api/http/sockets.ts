import type { WebSocket } from 'ws'
import type { Carried } from '../access/guard.ts'
import { badInput } from '../data/faults.ts'

/** Subscriptions of one websocket. */
const mostOpen = 100

interface Message {
  type?: unknown
  id?: unknown
  payload?: { variables?: unknown; accessToken?: unknown; secretKey?: unknown } | null
}

const messageIn = (data: unknown): Message => {
  try {
    return (JSON.parse(String(data)) as Message | null) ?? {}
  } catch {
    return {}
  }
}

/**
 * Reads credentials from the messages of websockets: GraphQL drops undeclared variables, and a ping
 * with the payload `{accessToken}` or `{secretKey}` renews the credential without a reconnect.
 */
export const createSockets = () => {
  const all = new WeakMap<object, Carried>()

  const follow = (socket: WebSocket) => {
    const starting = new Map<string, unknown>()
    let renewed: unknown = null
    let open = 0
    async function* counted<Payload>(stream: AsyncGenerator<Payload>) {
      open += 1
      try {
        if (open > mostOpen) throw badInput(`at most ${mostOpen} subscriptions of a websocket`)
        yield* stream
      } finally {
        open -= 1
      }
    }
    socket.on('message', (data) => {
      const { type, id, payload } = messageIn(data)
      if (type === 'ping' && (payload?.accessToken || payload?.secretKey)) renewed = payload
      if ((type !== 'subscribe' && type !== 'start') || typeof id !== 'string') return
      starting.set(id, payload?.variables ?? {})
      const [oldest] = starting.keys()
      if (starting.size > mostOpen && oldest !== undefined) starting.delete(oldest)
    })
    all.set(socket, {
      take: (id) => {
        const variables = starting.get(id)
        starting.delete(id)
        return variables
      },
      renewed: () => renewed,
      counted,
    })
  }

  return { follow, carriedBy: (socket: object) => all.get(socket) }
}
