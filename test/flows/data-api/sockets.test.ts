/** Subscriptions of the legacy interface (specification §6), and what a websocket may send. */
import { once } from 'node:events'
import { parse } from 'graphql'
import pg from 'pg'
import type { Test } from 'tap'
import WebSocket from 'ws'
import { eventually } from '../../support/eventually.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { type Database, legacyClient } from './legacy-interface.ts'
import { legacyApp, legacyKeys, legacyPermissions } from './tokens.ts'

const rowsChanged =
  'subscription ($id: ID!) { rowsChanged(databaseId: $id) { _id cols { fieldId value } } }'
const databaseUpdated = `subscription ($id: ID!) {
  databaseUpdated(databaseId: $id) { _id name description color fields { name restrict } }
}`
const soon = 2000

await onEachBackend('websockets of the legacy interface', async (t, scene) => {
  const { running, world } = scene
  const client = await legacyClient(t, scene)
  const { run, insert, update, database } = client
  const url = `${client.api.url.replace('http', 'ws')}/graphql`
  const customers = await database('Customers')
  const credential = await legacyKeys(scene, world.acme)(legacyPermissions)

  /** A websocket with all of its messages. */
  const connect = async (t: Test, options: WebSocket.ClientOptions = {}) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', options)
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

  /** Changes something until the subscription reports it: starting one returns nothing. */
  const begun = async (told: () => number, from: Database) => {
    const at = told()
    while (told() === at) {
      await insert(from, {})
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  await t.test('rows that are changed and deleted, with an undeclared credential', async (t) => {
    const { subscribe, data } = await connect(t)
    subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(() => data('1').length, customers)
    const rowIn = (row: Json) =>
      data('1')
        .flatMap(({ rowsChanged }) => rowsChanged)
        .filter(({ _id }: Json) => _id === row._id)
    const row = await insert(customers, { Name: { val: 'New' } })
    const begin = performance.now()
    await eventually(() => rowIn(row).length === 1)
    await update(customers, row, { Name: { val: 'Changed' } })
    await eventually(() => rowIn(row).length === 2)
    t.equal(customers.of(rowIn(row)[1], 'Name').val, 'Changed')
    await run('mutation ($id: ID!, $row: ID!) { delete(databaseId: $id, rowId: $row) }', {
      id: customers.id,
      row: row._id,
    })
    await eventually(() => rowIn(row).length === 3)
    t.same(rowIn(row)[2], { _id: row._id, cols: [] }, 'a deletion')
    t.ok(performance.now() - begin < 3 * soon)
  })

  await t.test('name, description, color and fields of a database', async (t) => {
    const { subscribe, data } = await connect(t)
    const visits = await database('Visits')
    subscribe('1', databaseUpdated, { id: visits.id, ...credential })
    const last = () => data('1').at(-1)?.databaseUpdated
    const change = `mutation ($id: ID!, $name: String, $description: String, $color: String) {
      updateDatabase(databaseId: $id, name: $name, description: $description, color: $color) { _id }
    }`
    while (!last()) {
      await run(change, { id: visits.id, color: '#000000' })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const [name, value] of [
      ['name', 'Calls'],
      ['description', 'By phone.'],
      ['color', '#abcdef'],
    ] as const) {
      await run(change, { id: visits.id, [name]: value })
      await eventually(() => last()[name] === value)
    }
    await run(
      'mutation ($id: ID!, $field: ID!) { updateField(databaseId: $id, fieldId: $field, name: "When") { _id } }',
      { id: visits.id, field: visits.field('Day') },
    )
    await eventually(() => last().fields[0].name === 'When')
    const before = data('1').length
    await insert(visits, {})
    await insert(customers, {})
    await run(change, { id: visits.id, color: '#000001' })
    await eventually(() => last().color === '#000001')
    t.equal(data('1').length, before + 1, 'rows are no change of the database')
  })

  await t.test('a ping renews the credential without a reconnect', async (t) => {
    const { app, user } = await legacyApp(scene)
    const old = await user(['readData'])
    const { subscribe, send, of, data } = await connect(t)
    subscribe('1', rowsChanged, { id: customers.id, ...old })
    await begun(() => data('1').length, customers)
    send({ type: 'ping', payload: credential })
    await running.operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
    const told = data('1').length
    await new Promise((resolve) => setTimeout(resolve, soon))
    await insert(customers, {})
    await eventually(() => data('1').length > told)
    t.notOk(
      of('1').some(({ type }) => type === 'error'),
      'the old token has ended',
    )
    send({ type: 'ping', payload: { secretKey: 'nonsense' } })
    await eventually(() => JSON.stringify(of('1')).includes('token-invalid'))
  })

  await t.test('pages of other sites cannot open a websocket', async (t) => {
    const opens = (origin?: string) =>
      new Promise<boolean>((resolve) => {
        const socket = new WebSocket(url, 'graphql-transport-ws', origin ? { origin } : {})
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
    const healthy = await connect(t)
    healthy.subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(() => healthy.data('1').length, customers)
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
      const { socket, send, messages } = await connect(t)
      const closed = once(socket, 'close')
      send(message)
      t.equal((await closed)[0], 4400, JSON.stringify(message))
      t.notOk(messages.some(({ type }) => type === 'error'))
    }
    const { socket, send: sendAll } = await connect(t)
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
      const { send, messages } = await connect(t)
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
    const { send, subscribe, data } = await connect(t)
    for (const message of [...ignored, { type: 'ping', payload: null }]) send(message)
    subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(() => data('1').length, customers)

    const told = healthy.data('1').length
    await insert(customers, {})
    await eventually(() => healthy.data('1').length > told)
  })

  await t.test('an error of the database is internal', async (t) => {
    const sql = new pg.Client({ connectionString: scene.stores.databaseUrl })
    await sql.connect()
    const { subscribe, of } = await connect(t)
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

  await t.test('subscriptions of a websocket are bounded', async (t) => {
    const { subscribe, messages } = await connect(t)
    const variables = { id: customers.id, ...credential }
    for (let at = 0; at < 110; at++) subscribe(String(at), rowsChanged, variables)
    await eventually(
      () => messages.filter((one) => JSON.stringify(one).includes('at most 100')).length === 10,
    )
    t.equal(messages.filter((one) => JSON.stringify(one).includes('at most 100')).length, 10)
  })
})
