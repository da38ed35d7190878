import { getOperationAST, parse } from 'graphql'
import type { WebSocket } from 'ws'
import type { Carried } from '../access/guard.ts'
import { badInput } from '../data/faults.ts'
import { mostTokens } from './documents.ts'
import { type Log, shownError } from './errors.ts'

/** Subscriptions of one websocket. */
const mostOpen = 100
const tooMany = `at most ${mostOpen} subscriptions of a websocket`

interface Message {
  type?: unknown
  id?: unknown
  payload?: { [key: string]: unknown; query?: unknown } | null
}

/** Of graphql-transport-ws: the message has the wrong form; the first message did not come in time. */
const invalidMessage = 4400
const initialisationTimeout = 4408

/** Milliseconds that a websocket may be open before its first message, `connection_init`. */
const mostSilent = 3000

const isObject = (one: unknown): one is object =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

const starts = ({ type }: Message) => type === 'subscribe' || type === 'start'

/** Syntax errors are left to mercurius, which cannot report that there is no such operation. */
const hasOperation = ({ query, operationName }: Record<string, unknown>): boolean => {
  if (typeof query !== 'string') return false
  try {
    const document = parse(query, { maxTokens: mostTokens })
    return getOperationAST(document, operationName as string | undefined) !== null
  } catch {
    return true
  }
}

/** @returns null if it is no message of the protocol */
const messageIn = (data: unknown): Message | null => {
  try {
    const message: unknown = JSON.parse(String(data))
    if (!isObject(message)) return null
    const { id, payload } = message as Message
    if (!starts(message)) return message
    return typeof id === 'string' && hasOperation(payload ?? {}) ? message : null
  } catch {
    return null
  }
}

/**
 * Reads credentials from the messages of websockets: GraphQL drops undeclared variables, and a ping
 * with the payload `{accessToken}` or `{secretKey}` renews the credential without a reconnect.
 */
export const createSockets = (log: Log) => {
  const all = new WeakMap<object, Carried>()

  const follow = (socket: WebSocket) => {
    const starting = new Map<string, unknown>()
    let renewed: unknown = null
    let open = 0
    async function* counted<Payload>(begin: () => Promise<AsyncGenerator<Payload>>) {
      open += 1
      try {
        if (open > mostOpen) throw badInput(tooMany)
        yield* await begin()
      } catch (error) {
        throw shownError(error, log)
      } finally {
        open -= 1
      }
    }
    const timer = setTimeout(
      () => socket.close(initialisationTimeout, 'connection_init did not come in time'),
      mostSilent,
    )
    socket.once('close', () => clearTimeout(timer))
    socket.on('message', (data) => {
      const message = messageIn(data)
      if (!message) return socket.close(invalidMessage, 'this is no message of the protocol')
      const { type, id, payload } = message
      if (type === 'connection_init') clearTimeout(timer)
      if (type === 'ping' && (payload?.accessToken || payload?.secretKey)) renewed = payload
      if (!starts(message) || typeof id !== 'string') return
      starting.set(id, payload?.variables ?? {})
      const [oldest] = starting.keys()
      if (starting.size > mostOpen && oldest !== undefined) starting.delete(oldest)
    })
    all.set(socket, {
      take: (id) => {
        const variables = starting.get(id)
        if (!variables) throw badInput(tooMany)
        starting.delete(id)
        return variables
      },
      renewed: () => renewed,
      counted,
    })
  }

  return { follow, carriedBy: (socket: object) => all.get(socket) }
}
