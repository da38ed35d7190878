/** Websockets to the legacy interface, with all of their messages. */
import { once } from 'node:events'
import type { Test } from 'tap'
import WebSocket from 'ws'
import { eventually } from '../../support/eventually.ts'
import type { Json } from '../../support/latchkey.ts'
import type { Database, LegacyClient } from './legacy-interface.ts'

export const rowsChanged =
  'subscription ($id: ID!) { rowsChanged(databaseId: $id) { _id cols { fieldId value } } }'

export const addressOf = ({ api }: LegacyClient) => `${api.url.replace('http', 'ws')}/graphql`

export const connect = async (t: Test, client: LegacyClient) => {
  const socket = new WebSocket(addressOf(client), 'graphql-transport-ws')
  t.teardown(() => socket.terminate())
  const messages: Json[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  send({ type: 'connection_init' })
  await eventually(() => messages.some(({ type }) => type === 'connection_ack'))
  const subscribe = (id: string, query: string, variables: Json) =>
    send({ id, type: 'subscribe', payload: { query, variables } })
  const of = (id: string) => messages.filter((one) => one.id === id)
  const data = (id: string) => of(id).flatMap(({ payload }) => payload?.data ?? [])
  return { socket, send, subscribe, of, data, messages }
}

/** Adds rows until the subscription reports one, because starting it returns nothing. */
export const begun = async (client: LegacyClient, told: () => number, database: Database) => {
  const at = told()
  while (told() === at) {
    await client.insert(database, {})
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
}
