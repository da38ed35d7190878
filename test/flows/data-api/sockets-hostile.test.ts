/** What a websocket may send, and from where it may be opened. */
import { once } from 'node:events'
import { parse } from 'graphql'
import pg from 'pg'
import WebSocket from 'ws'
import { eventually } from '../../support/eventually.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { legacyClient } from './legacy-interface.ts'
import { addressOf, begun, connect, rowsChanged } from './legacy-socket.ts'

await onEachBackend('websockets with hostile messages', async (t, scene) => {
  const client = await legacyClient(t, scene)
  const { insert, database, credential } = client
  const customers = await database('Customers')

  await t.test('pages of other sites cannot open a websocket', async (t) => {
    const opens = (origin?: string) =>
      new Promise<boolean>((resolve) => {
        const socket = new WebSocket(
          addressOf(client),
          'graphql-transport-ws',
          origin ? { origin } : {},
        )
        socket.on('open', () => resolve(true)).on('error', () => resolve(false))
        t.teardown(() => socket.terminate())
      })
    t.ok(await opens(), 'a program')
    t.ok(await opens(client.api.url), 'its own pages')
    for (const origin of [
      'https://evil.test',
      'null',
      'https://127.0.0.1.evil.test',
      `${client.api.url}.evil.test`,
      'x',
    ])
      t.notOk(await opens(origin), origin)
  })

  await t.test('whatever a websocket sends, the others go on', async (t) => {
    const healthy = await connect(t, client)
    healthy.subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(client, () => healthy.data('1').length, customers)
    const start = (payload: unknown, id: unknown = '1') => ({ type: 'subscribe', id, payload })
    const parsed = JSON.parse(JSON.stringify(parse(rowsChanged)))
    const invalid: unknown[] = [
      'x',
      'null',
      '5',
      '[]',
      { type: 'subscribe' },
      { type: 'subscribe', id: '1' },
      start(null),
      start({}),
      start({ query: rowsChanged }, 5),
      start({ query: { kind: 'Document', definitions: null } }),
      start({ query: parsed }),
      start({ query: 'fragment f on Query { databases { _id } }' }),
      start({ query: `${rowsChanged} query b { databases { _id } }` }),
      start({ query: rowsChanged, operationName: '__proto__' }),
    ]
    for (const message of invalid) {
      const { socket, send, messages } = await connect(t, client)
      const closed = once(socket, 'close')
      send(message)
      t.equal((await closed)[0], 4400, JSON.stringify(message))
      t.notOk(messages.some(({ type }) => type === 'error'))
    }
    const { socket, send: sendAll } = await connect(t, client)
    const tooLarge = once(socket, 'close')
    sendAll('x'.repeat(200_000))
    t.equal((await tooLarge)[0], 1009)

    const refused: [message: Json, reason: RegExp][] = [
      [{}, /Invalid payload type/],
      [{ type: 'nonsense', id: '1' }, /Invalid payload type/],
      [start({ query: '{' }), /Syntax Error/],
      [start({ query: JSON.stringify(parsed) }), /Syntax Error/],
      [start({ query: 'query { databases { _id } }' }), /query/],
      [start({ query: '{ rowsChanged }' }), /query/],
      [start({ query: rowsChanged, variables: 'x' }), /must be provided as an Object/],
      [start({ query: `subscription { ${'a: x '.repeat(3000)} }` }), /at most 2000 tokens/],
      [
        start({
          query: `subscription { rowsChanged(databaseId: "x") { ${'_id '.repeat(3000)} } }`,
        }),
        /at most 2000 tokens/,
      ],
      [start({ query: `subscription ${'{a'.repeat(30_000)}` }), /.../],
      [
        start({
          query: `subscription { rowsChanged(databaseId: ${'['.repeat(900)}${']'.repeat(900)}) { _id } }`,
        }),
        /.../,
      ],
      [start({ query: 'subscription { ...a } fragment a on Subscription { ...a }' }), /.../],
      [
        start({ query: rowsChanged, variables: { id: 'a\u0000b', ...credential } }),
        /there is no such database/,
      ],
      [
        start({ query: rowsChanged, variables: { id: '\ud800', ...credential } }),
        /there is no such database/,
      ],
      [
        start({ query: rowsChanged, variables: { id: 'x'.repeat(50_000), ...credential } }),
        /there is no such database/,
      ],
      [
        start({ query: rowsChanged, variables: { id: customers.id, secretKey: { a: 1 } } }),
        /token-invalid/,
      ],
    ]
    for (const [message, reason] of refused) {
      const { send, messages } = await connect(t, client)
      send(message)
      const error = () => messages.find(({ type }) => type === 'error')
      await eventually(() => error() !== undefined)
      const shown = JSON.stringify(error()).slice(0, 300)
      t.match(error()?.payload[0].message, reason, shown)
      t.notMatch(shown, /at .*\.(ts|js):\d|Cannot read|not a function|encoding/, 'nothing internal')
    }
    const ignored = [
      { type: 'complete' },
      { type: 'complete', id: 'unknown' },
      { type: 'ping', payload: 'x' },
    ]
    const { send, subscribe, data } = await connect(t, client)
    for (const message of [...ignored, { type: 'ping', payload: null }]) send(message)
    subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(client, () => data('1').length, customers)

    const told = healthy.data('1').length
    await insert(customers, {})
    await eventually(() => healthy.data('1').length > told)
  })

  await t.test('an error of the database is internal', async (t) => {
    const sql = new pg.Client({ connectionString: scene.stores.databaseUrl })
    await sql.connect()
    const { subscribe, of } = await connect(t, client)
    try {
      await sql.query('alter table data_api.tables rename to hidden')
      subscribe('1', rowsChanged, { id: customers.id, ...credential })
      await eventually(() => of('1').length > 0)
    } finally {
      await sql.query('alter table data_api.hidden rename to tables')
      await sql.end()
    }
    t.match(of('1'), [
      { type: 'error', payload: [{ message: 'internal error', extensions: { code: 'internal' } }] },
    ])
  })

  await t.test('a websocket that never begins is closed', async (t) => {
    const other = await connect(t, client)
    const socket = new WebSocket(addressOf(client), 'graphql-transport-ws')
    t.teardown(() => socket.terminate())
    t.equal((await once(socket, 'close'))[0], 4408)
    t.equal(other.socket.readyState, WebSocket.OPEN, 'one that has begun stays open')
  })

  await t.test('a subscription is no query', async (t) => {
    const { value, body } = await client.send(rowsChanged, { id: customers.id })
    t.equal(value, null)
    t.match(body.errors[0].message, /opened on a websocket/)
  })

  await t.test('subscriptions of a websocket are bounded', async (t) => {
    const undeclared = `subscription { rowsChanged(databaseId: "${customers.id}") { _id } }`
    for (const query of [rowsChanged, undeclared]) {
      const { subscribe, messages } = await connect(t, client)
      for (let at = 0; at < 110; at++)
        subscribe(String(at), query, { id: customers.id, ...credential })
      const errors = () => messages.filter(({ type }) => type === 'error')
      await eventually(() => errors().length >= 10)
      t.equal(errors().length, 10)
      for (const error of errors()) t.match(JSON.stringify(error), /at most 100/)
    }
  })
})
