// Nightly: it makes 10,000 tokens.
/** F-15: the signing key is rotated while tokens are issued, and verifiers cache the key set. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import { createVerifier, type Verifier } from '../../packages/verify/src/verify.ts'
import { startBalancer } from '../support/balancer.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import type { Json, Running } from '../support/latchkey.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld, type World } from '../support/world.ts'

const enough = Number(process.env.LATCHKEY_FAULT_TOKENS ?? 10_000)
const rotations = 5
const clients = 8
const pause = 25

/** Two instances behind a balancer that follows their readiness. */
const startTwo = async (t: Test, environment: Record<string, string>) => {
  const [stores, ...others] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))
  const balancer = await startBalancer()
  t.teardown(balancer.close)
  const start = () =>
    startServerProcess(t, { stores, environment: { ISSUER: balancer.url, ...environment } })
  const servers: [ServerProcess, ServerProcess] = [await start(), await start()]
  const lead = () => balancer.lead(servers.map(({ url }) => url))
  lead()
  const isUp = () =>
    fetch(`${balancer.url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(isUp)
  return {
    issuer: balancer.url,
    servers,
    restart: async (at: 0 | 1) => {
      const old = servers[at]
      old.signal('SIGTERM')
      const { code } = await old.ended
      servers[at] = await start()
      lead()
      return code
    },
  }
}

/**
 * Seconds between two reads of the key set for an unknown key; if absent, each library's default.
 */
interface Pace {
  latchkey?: number
  jose?: number
}

/** Both ways in which a data API caches the key set, each from an instance of its own. */
const createVerifiers = async (
  t: Test,
  issuer: string,
  running: Pick<Running, 'operator'>,
  pace: Pace,
) => {
  const { clientId, clientSecret } = await registerResourceServer(running)
  const verifier: Verifier = createVerifier({
    issuer,
    audience: issuer,
    resourceServer: { clientId, clientSecret },
    ...(pace.latchkey !== undefined && { keysInterval: pace.latchkey }),
  })
  t.teardown(() => verifier.close())
  const keys = createRemoteJWKSet(
    new URL(`${issuer}/.well-known/jwks.json`),
    pace.jose === undefined ? {} : { cooldownDuration: pace.jose * 1000 },
  )
  const ways: [string, (token: string) => Promise<unknown>][] = [
    ['@latchkey-auth/verify', (token) => verifier.verify(token)],
    ['jose', (token) => jwtVerify(token, keys, { issuer, audience: issuer, typ: 'at+jwt' })],
  ]
  return async (token: string): Promise<string[]> => {
    const failures = await Promise.all(
      ways.map(([name, verify]) =>
        verify(token).then(
          () => [],
          (error) => [`${name}: ${error.message} ${error.reason ?? ''}`],
        ),
      ),
    )
    return failures.flat()
  }
}

/** Issues tokens continuously and verifies each at once. */
const keepIssuing = (
  issuer: string,
  { confidential, acme }: World,
  verify: (token: string) => Promise<string[]>,
) => {
  const seen = { issued: 0, kids: new Map<string, string>(), failures: [] as string[] }
  let stopped = false
  const client = async () => {
    for (; !stopped; await sleep(pause)) {
      const { status, body } = await clientCredentials(issuer, confidential, acme)
      if (status !== 200) seen.failures.push(`a token request got ${status}`)
      else {
        seen.issued++
        seen.failures.push(...(await verify(body.access_token)))
        seen.kids.set(decodeProtectedHeader(body.access_token).kid as string, body.access_token)
      }
    }
  }
  const clientsOfIt = Promise.all(Array.from({ length: clients }, client))
  return {
    seen,
    stop: async () => {
      stopped = true
      await clientsOfIt
    },
  }
}

/** Key ids in the key set of one instance. */
const publishedBy = async (url: string): Promise<string[]> => {
  const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as Json
  return keys.map(({ kid }: Json) => kid)
}

const rotate = async (running: Pick<Running, 'operator'>): Promise<string> =>
  (await running.operator('POST', '/signing-keys/rotate')).body.kid

t.test(
  'F-15 tokens stay valid while the key is rotated five times under load, with a restart',
  async (t) => {
    const two = await startTwo(t, { SIGNING_KEY_AHEAD_SECONDS: '12' })
    const world = await createWorld(two.servers[0])
    // jose waits half a minute by default; here a key is published in advance for less than that.
    const verify = await createVerifiers(t, two.issuer, two.servers[0], { latchkey: 2, jose: 2 })
    const began = performance.now()
    const issuing = keepIssuing(two.issuer, world, verify)
    const { seen } = issuing
    await eventually(() => seen.issued > 100)
    for (let round = 1; round <= rotations; round++) {
      const kid = await rotate(two.servers[round % 2 === 0 ? 0 : 1])
      if (round === 3) t.equal(await two.restart(0), 0, 'one is restarted meanwhile')
      await eventually(() => seen.kids.has(kid) || seen.failures.length > 0)
    }
    await eventually(() => seen.issued >= enough || seen.failures.length > 0)
    await issuing.stop()
    const seconds = (performance.now() - began) / 1000
    const rate = `${seen.issued} tokens, ${Math.round(seen.issued / seconds)} each second`
    t.same(seen.failures, [], `${rate}: none failed`)
    t.ok(seen.issued >= enough)
    t.equal(seen.kids.size, rotations + 1, 'each key has signed')
    const again = await createVerifiers(t, two.issuer, two.servers[0], {})
    for (const token of seen.kids.values()) {
      t.same(await verify(token), [], 'old tokens stay valid')
      t.same(await again(token), [], 'also for a verifier that reads the keys now')
    }
  },
)

t.test('F-15 tokens stay valid while the key is rotated five times at once', async (t) => {
  const two = await startTwo(t, {})
  const world = await createWorld(two.servers[0])
  const verify = await createVerifiers(t, two.issuer, two.servers[0], {})
  const issuing = keepIssuing(two.issuer, world, verify)
  const { seen } = issuing
  await eventually(() => seen.issued > 50)
  const kids: string[] = []
  for (let round = 0; round < rotations; round++) kids.push(await rotate(two.servers[0]))
  await eventually(() => seen.kids.has(kids[0] as string) || seen.failures.length > 0)
  const before = seen.issued
  await eventually(() => seen.issued > before + 500 || seen.failures.length > 0)
  await issuing.stop()
  t.same(seen.failures, [], `${seen.issued} tokens`)
  t.equal(new Set(kids).size, rotations)
  t.equal(seen.kids.size, 2, 'a key that no verifier can know yet does not sign')
  // The other instance reads the keys again every few seconds.
  for (const { url } of two.servers)
    await eventually(async () => {
      const known = await publishedBy(url)
      return kids.every((kid) => known.includes(kid))
    })
  const published = await publishedBy(two.issuer)
  for (const kid of kids) t.ok(published.includes(kid), 'all of them are published')
})
