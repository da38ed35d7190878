import { once } from 'node:events'
import type { Test } from 'tap'
import WebSocket from 'ws'
import type { Question, RunningDataApi } from './data-api.ts'
import type { Json } from './latchkey.ts'

/** A client of GraphQL over WebSocket, `graphql-transport-ws`. */
export interface Subscriber {
  /** @returns the messages of this subscription from now on */
  subscribe(question: Question): Subscription
}

export interface Subscription {
  /** The next message, as soon as it arrives. */
  next(): Promise<{ type: 'next' | 'error' | 'complete'; payload: Json }>
}

/** Messages are kept until they are read. */
const createInbox = () => {
  const messages: Json[] = []
  let wake = () => {}
  return {
    put: (message: Json) => {
      messages.push(message)
      wake()
    },
    take: async (): Promise<Json> => {
      while (messages.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return messages.shift()
    },
  }
}

export const createSubscriber = async (t: Test, api: RunningDataApi): Promise<Subscriber> => {
  const url = `${api.url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws')
  t.teardown(() => socket.terminate())
  const inboxes = new Map<string, ReturnType<typeof createInbox>>()
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init' }))
  await once(socket, 'message')
  socket.on('message', (data) => {
    const { id, ...message } = JSON.parse(String(data))
    inboxes.get(id)?.put(message)
  })
  let counter = 0
  return {
    subscribe: (payload) => {
      const id = String(++counter)
      const inbox = createInbox()
      inboxes.set(id, inbox)
      socket.send(JSON.stringify({ id, type: 'subscribe', payload }))
      return { next: inbox.take }
    },
  }
}
