import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { testStores } from '../../support/stores.ts'
import { fillStock, operations, pathOf } from './catalogue.ts'
import { startOperatorApi } from './operator-api.ts'

/** A connection to the database that can be cut. */
const startRelay = async (t: Test, databaseUrl: string) => {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  const user = url.searchParams.get('user') ?? `${url.username}:${url.password}`
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(Number(port), host)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.pipe(target).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(cut)
  const { port: relayPort } = server.address() as { port: number }
  return { url: `postgresql://${user}@127.0.0.1:${relayPort}${url.pathname}`, cut }
}

for (const stores of await testStores()) {
  t.test(`without Postgres every call answers 503 (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const relay = await startRelay(t, stores.databaseUrl)
    const api = await startOperatorApi(t, relay.url)
    const stock = await fillStock(api)
    relay.cut()
    for (const operation of operations) {
      const { status, body, headers } = await api.call(
        operation.method,
        pathOf(operation, stock),
        operation.body,
      )
      t.equal(status, 503, `${operation.method} ${operation.path}`)
      t.equal(headers.get('retry-after'), '1')
      t.match(headers.get('content-type'), 'application/problem+json')
      t.match(body, { title: 'Service Unavailable', status: 503, request_id: /./ })
      t.notMatch(JSON.stringify(body), /postgres|database|sql/i)
    }
  })
}
