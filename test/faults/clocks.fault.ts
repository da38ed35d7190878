// Nightly: it moves the clock of servers and stores, which takes minutes.
/**
 * F-14: one of two instances has a wrong clock, ten minutes fast or slow, and it jumps at run time.
 * The stores keep the time, so nothing fails.
 */
import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { noFaketime, wrongDate } from '../support/faketime.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { signedIn } from '../support/signed-in.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { familyLives } from '../support/traces.ts'
import { createVisitor, type Visitor, walk } from '../support/visitor.ts'
import { createApp, createWorld, install, type TestApp } from '../support/world.ts'

const tenMinutes = 600
/** Seconds by which token times may be wrong, which verifiers are told to tolerate. */
const tolerance = 30
const codeLife = 60
const failures = 20

const now = () => Math.floor(Date.now() / 1000)
const nameOf = (ahead: number) =>
  `${Math.abs(ahead) / 60} minutes ${ahead < 0 ? 'behind' : 'ahead'}`

/** Seconds by which a server's clock is ahead, according to its Date header. */
const aheadOf = async (url: string) => {
  const { headers } = await fetch(`${url}/health/live`)
  return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000
}

/** The same browser at the other instance. */
const at = (url: string, visitor: Visitor): Visitor => {
  const other = createVisitor(url)
  for (const [name, value] of visitor.cookies) other.cookies.set(name, value)
  return other
}

const started = async (t: Test, stores: StoreSetup) => {
  const date = await wrongDate(t, tenMinutes)
  const limits = { LIMIT_CLIENT_FAILURES: String(failures) }
  const right = await startServerProcess(t, { stores, environment: limits })
  const environment = { ...limits, ISSUER: right.url, ...date.environment }
  const wrong = await startServerProcess(t, { stores, environment })
  const world = await createWorld(right)
  const resourceServer = await registerResourceServer(right)
  const keySet = await createKeySet(right, world.acme)
  return {
    right,
    wrong,
    world,
    resourceServer,
    keySet,
    /** In both directions between the two. */
    pairs: [
      [right, wrong, 'from the right one to the wrong one'],
      [wrong, right, 'from the wrong one to the right one'],
    ] as [ServerProcess, ServerProcess, string][],
    setDate: async (ahead: number) => {
      await date.set(ahead)
      await eventually(async () => Math.abs((await aheadOf(wrong.url)) - ahead) < 30)
    },
    isActive: async (url: string, token: string) =>
      (await introspectAt(url, resourceServer, token)).body.active as boolean,
  }
}
type Scene = Awaited<ReturnType<typeof started>>

/** The times in an access token. */
const isTimely = (t: Test, { status, body }: TokenResponse, what: string) => {
  t.equal(status, 200, what)
  if (status !== 200) return ''
  const { iat, exp } = claimsOf(body.access_token)
  t.equal(body.expires_in, 3600)
  t.equal(exp - iat, 3600)
  t.ok(Math.abs(iat - now()) < tolerance, `${what}: issued ${iat - now()} s from now`)
  return body.access_token as string
}

const tokens = async (t: Test, { pairs, world, isActive }: Scene) => {
  const { confidential, ana, acme } = world
  for (const [one, other, what] of pairs) {
    const grant = await currentCode({ issuer: one.url }, confidential, ana)
    const exchanged = await exchangeCode(other.url, confidential, grant)
    const access = isTimely(t, exchanged, `a code ${what}`)
    const refreshed = await refresh(one.url, confidential, exchanged.body.refresh_token)
    isTimely(t, refreshed, `a refresh ${what}`)
    isTimely(t, await clientCredentials(one.url, confidential, acme), 'the app itself')
    for (const { url } of [one, other]) t.equal(await isActive(url, access), true, what)
  }
}

const statements = async (t: Test, { right, wrong, keySet, isActive }: Scene) => {
  const says = (times: object) => selfSign(keySet.secret, { iss: keySet.client_id, ...times })
  const cases: [string, object, boolean][] = [
    ['made now', { iat: now() }, true],
    ['good for another minute', { iat: now(), exp: now() + 60 }, true],
    ['expired a while ago', { iat: now() - 200, exp: now() - 100 }, false],
    ['of the future', { iat: now() + 200 }, false],
    ['not good yet', { iat: now(), nbf: now() + 200 }, false],
  ]
  for (const [what, times, expected] of cases)
    for (const { url } of [right, wrong]) t.equal(await isActive(url, says(times)), expected, what)
}

/** Two possible faults: the assertion's own times, and its single use. */
const assertions = async (
  t: Test,
  { right, wrong, world }: Scene,
  app: TestApp,
  key: CryptoKey,
) => {
  const ask = async (url: string, from: number, to: number, jti: string = randomUUID()) => {
    const { client_id: id } = app
    const times = { iat: now() + from, exp: now() + to, jti }
    const claims = { iss: id, sub: id, aud: right.url, ...times }
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key)
    const { status } = await post(`${url}/api/oauth/token`, {
      grant_type: 'client_credentials',
      organization_id: world.acme,
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    return status
  }
  const jti = randomUUID()
  t.equal(await ask(wrong.url, 0, 60, jti), 200, 'an assertion')
  t.equal(await ask(right.url, 0, 60, jti), 401, 'once')
  t.equal(await ask(wrong.url, -200, -100), 401, 'an old one is refused')
}

const pages = async (t: Test, { pairs, world }: Scene) => {
  const { confidential: app, ana } = world
  for (const [one, other, what] of pairs) {
    const visitor = await signedIn(one.url, ana)
    const page = await at(other.url, visitor).get('/account/apps')
    t.equal(page.url.pathname, '/account/apps', `a session ${what}`)

    const verifier = newVerifier()
    const requested = { prompt: 'consent', code_challenge: challengeOf(verifier) }
    const begun = await visitor.get(authorizeUrl(one.url, app, requested))
    t.match(begun.url.pathname, /^\/interaction\//)
    const ended = await walk(at(other.url, visitor), `${other.url}${begun.url.pathname}`, ana)
    const code = ended.left?.searchParams.get('code') ?? ''
    t.ok(code, `a page that is left ${what}`)
    t.equal((await exchangeCode(one.url, app, { code, verifier })).status, 200)

    const pushed = await post(`${one.url}/api/oauth/par`, {
      redirect_uri: app.redirect_uri,
      code_challenge: challengeOf(verifier),
      ...credentials(app),
    })
    const query = new URLSearchParams({
      client_id: app.client_id,
      request_uri: pushed.body.request_uri,
    })
    const used = await walk(at(other.url, visitor), `${other.url}/authorize?${query}`, ana)
    t.ok(used.left?.searchParams.get('code'), `a pushed request ${what}`)
  }
}

const retries = async (t: Test, { pairs, world }: Scene) => {
  const { second: app, ana } = world
  for (const [one, other, what] of pairs) {
    const grant = await currentCode({ issuer: one.url }, app, ana)
    const first = (await exchangeCode(one.url, app, grant)).body.refresh_token
    const next = (await refresh(one.url, app, first)).body.refresh_token
    const again = await refresh(other.url, app, first)
    t.equal(again.body.refresh_token, next, `asked again within the window, ${what}`)
  }
}

t.jobs = 2
for (const stores of await testStores()) {
  t.test(`F-14 a wrong date (${stores.name})`, { ...noFaketime, buffered: true }, async (t) => {
    t.teardown(() => stores.drop())
    const scene = await started(t, stores)
    const { right, wrong, world, isActive, resourceServer, pairs } = scene
    const { confidential, second, publicApp, ana, acme } = world
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256' }]
    const withKey = await createApp(right, { name: 'With a key', jwks: { keys } })
    await install(right, acme, withKey)
    await right.operator('PATCH', `/apps/${second.client_id}`, { retry_window_seconds: 60 })

    const guess = (url: string) =>
      clientCredentials(url, { ...publicApp, client_secret: 'a guess' }, acme)
    const limited = async () => {
      for (;;) {
        const { status, headers } = await guess(wrong.url)
        if (status === 429) return Number(headers.get('retry-after'))
      }
    }
    const left = await limited()
    const limitedAt = performance.now()
    t.ok(left > 0 && left <= 60, `come again in ${left} s`)
    const unused = [
      await currentCode({ issuer: wrong.url }, confidential, ana),
      await currentCode({ issuer: right.url }, confidential, ana),
    ]
    const issuedAt = performance.now()

    const chains = await newChains(right, confidential, ana, 8)
    let turn = 0
    const rotating = keepRotating(chains, confidential, () => (turn++ % 2 ? wrong : right).url, 20)
    for (const ahead of [tenMinutes, -tenMinutes, tenMinutes, -tenMinutes]) {
      await scene.setDate(ahead)
      await t.test(nameOf(ahead), async (t) => {
        t.ok(Math.abs((await aheadOf(wrong.url)) - ahead) < 30, 'according to the response itself')
        await tokens(t, scene)
        await statements(t, scene)
        await assertions(t, scene, withKey, privateKey)
        await pages(t, scene)
        await retries(t, scene)
        const lives = await familyLives(stores)
        t.ok(
          lives.every((one) => one === null || one <= codeLife),
          'no code lives longer',
        )
        if (performance.now() - limitedAt < (left - 5) * 1000)
          t.equal((await guess(wrong.url)).status, 429, 'a limit does not reset early')
      })
    }
    const { odd, lost, away, invalidGrant, twice, ok } = await rotating.stop()
    t.same([odd, lost, away, invalidGrant, twice], [[], 0, 0, 0, 0], `${ok} rotations`)
    await replayAll(t, wrong.url, confidential, chains)

    await t.test('revoked tokens stay revoked', async (t) => {
      const { clientId, clientSecret } = resourceServer
      const verifier = createVerifier({
        issuer: right.url,
        audience: right.url,
        server: wrong.url,
        resourceServer: { clientId, clientSecret },
      })
      t.teardown(() => verifier.close())
      const accepts = (token: string) =>
        verifier.verify(token).then(
          () => true,
          () => false,
        )
      const { kid } = (await wrong.operator('POST', '/signing-keys/rotate')).body
      t.ok(kid)
      const grant = await currentCode({ issuer: wrong.url }, second, ana)
      const { body } = await exchangeCode(wrong.url, second, grant)
      const machine = (await clientCredentials(wrong.url, second, acme)).body.access_token
      for (const token of [body.access_token, machine]) t.equal(await accepts(token), true)
      const path = `/organizations/${acme}/installs/${second.client_id}`
      t.equal((await wrong.operator('DELETE', path)).status, 204)
      for (const token of [body.access_token, machine]) {
        t.equal(await isActive(right.url, token), false)
        await eventually(async () => !(await accepts(token)))
      }
      t.equal((await refresh(right.url, second, body.refresh_token)).status, 400)

      for (const [one, other, what] of pairs) {
        const visitor = await signedIn(one.url, ana)
        await other.operator('PATCH', `/users/${ana.id}`, { disabled: true })
        await one.operator('PATCH', `/users/${ana.id}`, { disabled: false })
        const page = await at(other.url, visitor).get('/account/apps')
        t.equal(page.url.pathname, '/login', `signed out ${what}`)
      }
    })

    await eventually(() => performance.now() - issuedAt > (codeLife + 1) * 1000)
    for (const [index, grant] of unused.entries()) {
      const { url } = index === 0 ? wrong : right
      t.match(
        await exchangeCode(url, confidential, grant),
        { status: 400 },
        'a code expires on time',
      )
    }
    await eventually(async () => (await guess(wrong.url)).status === 401)
    t.pass('a limit resets on time')
  })
}
