/** Requests that their clients break off: a class of their own in the log and in the metrics. */
import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { eventually } from '../../support/eventually.ts'
import { operatorToken } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'

const metricsToken = 'metrics-token-of-the-tests'
const form = 'application/x-www-form-urlencoded'
const paths: [path: string, type: string][] = [
  ['/api/oauth/token', form],
  ['/api/oauth/access_token', form],
  ['/api/oauth/introspect', form],
  ['/api/oauth/par', form],
  ['/userinfo', form],
  ['/authorize', form],
  ['/login', form],
  ['/api/admin/v1/users', 'application/json'],
  ['/api/admin/v1/import', 'application/x-ndjson'],
  ['/nowhere', 'application/json'],
]

await onEachBackend(
  'broken off',
  async (t, { issuer, running, stores }) => {
    const reset = async (bytes: string) => {
      const socket = connect(Number(new URL(issuer).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(bytes)
      // "100 Continue" shows that the server has begun with the request. A reset before that is none.
      await once(socket, 'data')
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    const lines = () => running.log.map((line) => JSON.parse(line))
    const counts = async () => {
      const headers = { authorization: `Bearer ${metricsToken}` }
      const text = await (await fetch(`${issuer}/metrics`, { headers })).text()
      const ofClass = (name: string) =>
        [...text.matchAll(/^latchkey_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
          .filter(([, labels]) => labels?.includes(`status="${name}"`))
          .reduce((sum, [, , count]) => sum + Number(count), 0)
      return { aborted: ofClass('aborted'), failed: ofClass('5xx') }
    }

    const resets = paths.flatMap(([path, type]) =>
      ['Content-Length: 100\r\n\r\na=b', 'Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n'].map(
        (rest) =>
          `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${operatorToken}\r\n` +
          `Content-Type: ${type}\r\nExpect: 100-continue\r\n${rest}`,
      ),
    )
    for (const bytes of resets) await reset(bytes)
    await eventually(async () => (await counts()).aborted === resets.length)
    t.equal((await counts()).failed, 0)
    const broken = lines().filter(({ msg }) => msg === 'broken off')
    t.equal(broken.length, resets.length)
    t.ok(broken.every(({ status, level }) => status === 499 && level === 30))
    t.same(
      lines().filter(({ level, status }) => level > 40 || (status >= 500 && status < 600)),
      [],
    )

    await t.test('a request that waits for its answer', async (t) => {
      const before = (await counts()).aborted
      const client = new pg.Client(stores.databaseUrl)
      await client.connect()
      t.teardown(() => client.end())
      await client.query('begin; lock table resource_servers in access exclusive mode')
      const socket = connect(Number(new URL(issuer).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        `GET /api/admin/v1/resource-servers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${operatorToken}\r\n\r\n`,
      )
      const waits = `select from pg_locks where relation = 'resource_servers'::regclass and not granted`
      await eventually(async () => (await client.query(waits)).rowCount === 1)
      socket.resetAndDestroy()
      await eventually(async () => (await counts()).aborted > before)
      t.equal((await counts()).failed, 0)
    })
  },
  { environment: { METRICS_TOKEN: metricsToken } },
)
