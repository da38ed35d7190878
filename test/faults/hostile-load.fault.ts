// Nightly: it judges times, which takes minutes.
/**
 * F-28: one address attacks, and an honest app on another address is served as before (`others-served.ts`). The attacker
 * is a process of its own, with up to 500 KB/s or 64 connections. `LATCHKEY_FAULT_NODE` names the binary of another Node
 * version for the server.
 */
import t, { type Test } from 'tap'
import type { Attack } from '../support/attacker.ts'
import {
  attackedSettings,
  createOthers,
  onlyAttacks,
  startPaced,
} from '../support/others-served.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld, type World } from '../support/world.ts'

const node = process.env.LATCHKEY_FAULT_NODE ?? process.execPath

const get = (text: string) => `GET ${text} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`

const standard = { connections: 1, bytesPerSecond: 500_000, reads: true } as const
const openapi = '/api/admin/v1/openapi.json'
const notReading = { kind: 'hold', connections: 12, reads: false } as const
const wrong = { client_id: 'app0000000000000001', client_secret: 'wrong' }

/** Each from one address. */
const attacks = (
  world: World,
): Record<string, Partial<Attack> & { payload: string; kind: Attack['kind'] }> => {
  const wrongSecret = post(
    '/api/oauth/token',
    `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: world.second.client_id, client_secret: 'wrong' })}`,
  )
  const unknownClient = post(
    '/api/oauth/token',
    `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...wrong })}`,
  )
  const basic = `Authorization: Basic ${Buffer.from('rs:wrong').toString('base64')}\r\n`
  const feed = `GET /api/oauth/revocations HTTP/1.1\r\nHost: x\r\n${basic}\r\n`
  const device = post('/api/oauth/device_authorization', `client_id=${world.publicApp.client_id}`)
  const authorize = get(`/authorize?client_id=${world.publicApp.client_id}&redirect_uri=x`)
  const many = { connections: 64 }
  return {
    'pipelined requests and a reset': {
      kind: 'reset',
      payload: get('/health/ready').repeat(4) + get('/.well-known/jwks.json').repeat(600),
      connections: 4,
    },
    'requests and a reset': { kind: 'reset', payload: unknownClient, ...many },
    'pipelines of the OpenAPI document whose responses are not read': {
      ...notReading,
      payload: get(openapi).repeat(70),
    },
    'pipelines of other large routes whose responses are not read': {
      ...notReading,
      payload: (get('/docs') + get('/sdk/v1.js') + get('/.well-known/jwks.json')).repeat(100),
    },
    'a pipeline of readiness': {
      kind: 'flood',
      payload: get('/health/ready').repeat(10),
      bytesPerSecond: 120_000,
    },
    'a pipeline of liveness': { kind: 'flood', payload: get('/health/live').repeat(10) },
    'a pipeline of metrics': { kind: 'flood', payload: get('/metrics').repeat(10) },
    'revocations with wrong credentials': {
      kind: 'flood',
      payload: feed.repeat(5),
      bytesPerSecond: 190_000,
    },
    'revocations with wrong credentials, many connections': { kind: 'ask', payload: feed, ...many },
    'slow senders': { kind: 'drip', payload: post('/api/oauth/token', 'a'.repeat(200)), ...many },
    'connections that send half a request': {
      kind: 'hold',
      payload: wrongSecret.slice(0, 150),
      ...many,
    },
    'connections that send nothing': { kind: 'hold', payload: '', ...many },
    'token requests with wrong secrets': { kind: 'ask', payload: wrongSecret, ...many },
    'token requests of an unknown client': { kind: 'ask', payload: unknownClient, ...many },
    'pipelined token requests': { kind: 'flood', payload: unknownClient.repeat(5), connections: 8 },
    'device authorizations': { kind: 'ask', payload: device, ...many },
    'authorization requests': { kind: 'ask', payload: authorize, ...many },
    'sign-in pages': { kind: 'ask', payload: get('/login'), ...many },
    'operator API without a valid token': {
      kind: 'ask',
      payload: `GET /api/admin/v1/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n`,
      ...many,
    },
    'bytes that are not HTTP': { kind: 'ask', payload: '\0garbage\r\n\r\n', ...many },
  }
}

const [stores, ...rest] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...rest].map((one) => one.drop())))

t.test('F-28 while one address attacks, other addresses are served', async (t: Test) => {
  const server = await startServerProcess(t, { stores, node, environment: attackedSettings })
  const world = await createWorld(server)
  const others = await createOthers(t, server, world)
  for (const [name, part] of Object.entries(attacks(world))) {
    if (!onlyAttacks.test(name)) continue
    const begin = (pace: number, seconds: number) =>
      startPaced(server, { ...standard, ...part }, pace, seconds)
    await others(t, name, { begin })
  }
  t.equal(server.child.exitCode, null, 'the process was not restarted')
})
