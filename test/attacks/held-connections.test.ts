import { connect } from 'node:net'
import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'

const metricsToken = 'metrics-token-of-the-tests'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`

/** Occupied slots, according to the metrics. */
const slotsOf = async (issuer: string) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${issuer}/metrics`, { headers })).text()
  return Number(/^latchkey_requests_under_way (\d+)/m.exec(text)?.[1])
}

const enter = (t: Test, issuer: string) => {
  const socket = connect(Number(new URL(issuer).port), '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  return socket
}

const isServed = async ({ issuer, world }: Scene) =>
  (await clientCredentials(issuer, world.confidential, world.acme)).status === 200

await onEachBackend(
  'held and lost connections',
  async (t, scene) => {
    const { issuer, world } = scene

    t.test('HTTP-10 pipelined requests occupy no slot after a reset', async (t) => {
      const refresh = post(
        '/api/oauth/token',
        `grant_type=refresh_token&refresh_token=x&client_id=${world.publicApp.client_id}`,
      )
      const payloads = [
        get('/health/ready').repeat(4) + get('/.well-known/jwks.json').repeat(600),
        get('/health/ready') + get('/.well-known/jwks.json').repeat(100),
        get('/login').repeat(100),
        get('/authorize').repeat(100),
        get('/nowhere').repeat(100),
        refresh.repeat(50),
        get('/api/oauth/revocations').repeat(100),
        get('/api/admin/v1/apps').repeat(100),
        refresh.slice(0, -1),
      ]
      for (const payload of payloads) {
        for (let turn = 0; turn < 2; turn++) {
          const socket = enter(t, issuer)
          const written = new Promise<void>((resolve) => socket.write(payload, () => resolve()))
          await Promise.race([written, new Promise((resolve) => socket.once('close', resolve))])
          await new Promise((resolve) => setTimeout(resolve, turn * 5))
          socket.resetAndDestroy()
        }
      }
      await eventually(async () => (await slotsOf(issuer)) === 0)
      t.ok(await isServed(scene))
      t.equal((await fetch(`${issuer}/health/live`)).status, 200)
    })

    t.test('HTTP-11 clients that do not read occupy no slot', async (t) => {
      const paths = ['/api/admin/v1/openapi.json', '/docs', '/sdk/v1.js', '/.well-known/jwks.json']
      for (const path of paths) {
        for (let count = 0; count < 12; count++) {
          const socket = enter(t, issuer)
          socket.pause()
          socket.write(get(path).repeat(70))
        }
      }
      for (let turn = 0; turn < 5; turn++) {
        // On a busy machine a request can meet the last ones that these connections had sent.
        await eventually(() => isServed(scene))
        await eventually(async () => (await slotsOf(issuer)) === 0)
      }
      t.pass('the honest app was served while the connections are held')
    })

    t.test('HTTP-12 pipelined requests are served in order, one at a time', async (t) => {
      const socket = enter(t, issuer)
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.write((get('/health/live') + get('/.well-known/jwks.json')).repeat(50))
      const statuses = () => text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0
      await eventually(() => statuses() === 100)
      const bodies = [...text.matchAll(/"status":"ok"|"keys":/g)].map(([one]) => one)
      t.same(bodies, Array(50).fill(['"status":"ok"', '"keys":']).flat())
    })
  },
  { environment: { MAX_REQUESTS_UNDER_WAY: '8', METRICS_TOKEN: metricsToken } },
)
