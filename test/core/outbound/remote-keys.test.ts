import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { createFetchDocument } from '../../../src/core/outbound/fetch-document.ts'
import { createRemoteKeys, type KeySource } from '../../../src/core/outbound/remote-keys.ts'
import { verifyWithKeys } from '../../../src/core/outbound/verify-with-keys.ts'
import { createWait } from '../../../src/core/outbound/waits.ts'
import { eventually } from '../../support/eventually.ts'
import { type OtherServer, startOtherServer } from '../../support/other-server.ts'

const makeKey = async (kid?: string, alg = 'ES256') => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), ...(kid === undefined ? {} : { kid }) }
  const sign = () =>
    new SignJWT({})
      .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
      .sign(privateKey)
  return { jwk, sign, privateKey }
}

type Key = Awaited<ReturnType<typeof makeKey>>

/** Remote keys on a clock that the test moves. */
const remote = () => {
  let time = 1_800_000_000_000
  const keys = createRemoteKeys({
    fetchDocument: createFetchDocument({ allowPrivate: true }),
    wait: createWait({ all: 40, each: 20 }),
    now: () => time,
  })
  let waited = 0
  return {
    pass: (seconds: number) => {
      time += seconds * 1000
    },
    /** How often a request has waited. */
    waited: () => waited,
    /** Whether a token of the key is verified, or the name of the error. */
    accepts: async (source: KeySource, key: Pick<Key, 'sign'>, owner = 'owner') => {
      try {
        const found = await keys.keysOf(source, { owner, onWait: () => waited++ })
        await verifyWithKeys(await key.sign(), found, {})
        return true
      } catch (error) {
        return (error as Error).constructor.name
      }
    },
  }
}

const serve = async (t: Test, ...keys: JWK[]) => {
  const other = await startOtherServer()
  t.teardown(other.stop)
  other.onJson('/keys', { keys })
  return { other, source: { jwksUri: `${other.url}/keys` } }
}

const serveIssuer = (other: OtherServer, document: Record<string, unknown> = {}) =>
  other.onJson('/.well-known/openid-configuration', {
    issuer: other.url,
    jwks_uri: `${other.url}/keys`,
    ...document,
  })

t.test('keys are fetched once for many requests, and again after a minute at most', async (t) => {
  const key = await makeKey('a')
  const { other, source } = await serve(t, key.jwk)
  other.onJson('/keys', { keys: [key.jwk] }, { 'cache-control': 'max-age=86400' })
  const { accepts, pass, waited } = remote()
  const results = await Promise.all([...Array(20)].map(() => accepts(source, key)))
  t.same(new Set(results), new Set([true]))
  t.equal(other.count('/keys'), 1)
  pass(44)
  t.equal(await accepts(source, key), true)
  t.equal(other.count('/keys'), 1)
  t.equal(waited(), 20)
  pass(17)
  t.equal(await accepts(source, key), true)
  t.equal(other.count('/keys'), 2)
  t.equal(waited(), 21)
  pass(46)
  const many = await Promise.all([...Array(200)].map(() => accepts(source, key)))
  t.same(new Set(many), new Set([true]))
  await eventually(() => other.count('/keys') === 3)
  t.equal(waited(), 21, 'keys of the last minute are fetched again beside the requests')
})

t.test(
  'KEY-12 few requests wait for a silent source, and the others are refused at once',
  async (t) => {
    const key = await makeKey('a')
    const silent = await startOtherServer()
    t.teardown(silent.stop)
    let answer = () => {}
    const keys = { keys: [key.jwk] }
    silent.on('/keys', (response) => {
      answer = () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(keys))
    })
    const { source } = await serve(t, key.jwk)
    const { accepts, waited } = remote()
    const requested = [...Array(200)].map(() =>
      accepts({ jwksUri: `${silent.url}/keys` }, key, 'hostile'),
    )
    const refused: unknown[] = []
    for (const one of requested) void one.then((result) => refused.push(result))
    await eventually(() => refused.length === 180)
    t.same(new Set(refused), new Set(['OutboundBusy']))
    t.equal(waited(), 20)
    const elsewhere = { jwksUri: `${silent.url}/elsewhere` }
    t.equal(await accepts(elsewhere, key, 'hostile'), 'OutboundBusy', 'an owner has as many')
    t.equal(await accepts(source, key, 'another'), true, 'another owner')
    answer()
    const results = await Promise.all(requested)
    t.equal(results.filter((one) => one === true).length, 20, 'those that wait are served')
  },
)

t.test('three slow documents have the time of one', async (t) => {
  const key = await makeKey('a')
  const { other } = await serve(t, key.jwk)
  const slow = (path: string) =>
    other.on(path, (response) => void setTimeout(() => response.writeHead(404).end(), 4000))
  slow('/.well-known/openid-configuration')
  slow('/.well-known/oauth-authorization-server')
  t.equal(await remote().accepts({ issuer: other.url }, key), 'KeysUnavailable')
  t.same(
    other.requested.map(({ path }) => path),
    ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  )
})

t.test('KEY-12 an owner with many sources takes none of those of others', async (t) => {
  const key = await makeKey('a')
  const { other, source } = await serve(t, key.jwk)
  const keys = { keys: [key.jwk] }
  const headers = { 'cache-control': 'max-age=3600' }
  other.onJson('/keys', keys, headers)
  const { accepts } = remote()
  t.equal(await accepts(source, key, 'another'), true)
  for (let index = 0; index < 600; index++) {
    other.onJson(`/${index}`, keys, headers)
    t.equal(await accepts({ jwksUri: `${other.url}/${index}` }, key, 'hostile'), true)
  }
  t.equal(await accepts(source, key, 'another'), true)
  t.equal(other.count('/keys'), 1, 'it is still known')
  t.equal(await accepts({ jwksUri: `${other.url}/0` }, key, 'hostile'), true)
  t.equal(other.count('/0'), 2, 'the owner has lost its own')
})

t.test('a new key is accepted at once, and a removed one refused within a minute', async (t) => {
  const [before, after] = [await makeKey('a'), await makeKey('b')]
  const { other, source } = await serve(t, before.jwk)
  other.onJson('/keys', { keys: [before.jwk] }, { 'cache-control': 'max-age=3600' })
  const { accepts, pass } = remote()
  t.equal(await accepts(source, before), true)
  other.onJson('/keys', { keys: [after.jwk] }, { 'cache-control': 'max-age=3600' })
  pass(11)
  t.equal(await accepts(source, after), true)
  t.equal(await accepts(source, before), 'JWKSNoMatchingKey')
  other.onJson('/keys', { keys: [] })
  pass(61)
  t.equal(await accepts(source, after), 'JWKSNoMatchingKey', 'a source may remove all its keys')
})

t.test('unknown kids make a source fetch once in ten seconds at most', async (t) => {
  const [known, unknown] = [await makeKey('a'), await makeKey('b')]
  const { other, source } = await serve(t, known.jwk)
  const { accepts, pass } = remote()
  t.equal(await accepts(source, known), true)
  pass(10)
  const results = await Promise.all([...Array(20)].map(() => accepts(source, unknown)))
  t.same(new Set(results), new Set(['JWKSNoMatchingKey']))
  t.equal(other.count('/keys'), 2)
  pass(9)
  await accepts(source, unknown)
  t.equal(other.count('/keys'), 2)
  pass(1)
  await accepts(source, unknown)
  t.equal(other.count('/keys'), 3)
})

t.test(
  'KEY-12 few requests wait for an unknown kid, and those with a known one go on',
  async (t) => {
    const [known, unknown] = [await makeKey('a'), await makeKey('b')]
    const { other, source } = await serve(t)
    other.onJson('/keys', { keys: [known.jwk] }, { 'cache-control': 'max-age=3600' })
    const { accepts, pass, waited } = remote()
    t.equal(await accepts(source, known), true)
    pass(11)
    let answer = () => {}
    other.on('/keys', (response) => {
      answer = () => response.writeHead(503).end()
    })
    const requested = [...Array(40)].map(() => accepts(source, unknown))
    t.equal(await accepts(source, known), true)
    const refused: unknown[] = []
    for (const one of requested) void one.then((result) => refused.push(result))
    await eventually(() => refused.length === 20 && other.count('/keys') === 2)
    t.same(new Set(refused), new Set(['OutboundBusy']))
    t.equal(waited(), 21)
    answer()
    t.equal((await Promise.all(requested)).filter((one) => one === 'JWKSNoMatchingKey').length, 20)
    pass(80)
    other.on('/keys', () => undefined)
    const rest = [...Array(40)].map(() => accepts(source, known))
    const served: unknown[] = []
    for (const one of rest) void one.then((result) => served.push(result))
    await eventually(() => served.length === 20)
    t.same(new Set(served), new Set([true]), 'a source that has failed: its last keys are used')
    await other.stop()
    t.same(new Set(await Promise.all(rest)), new Set([true]))
  },
)

t.test('keys of an unreachable source are used for an hour, and it is rarely asked', async (t) => {
  const key = await makeKey('a')
  const { other, source } = await serve(t, key.jwk)
  const { accepts, pass } = remote()
  t.equal(await accepts(source, key), true)
  other.off('/keys')
  for (let minute = 1; minute < 60; minute++) {
    pass(60)
    t.equal(await accepts(source, key), true, `after ${minute} minutes`)
  }
  pass(61)
  t.equal(await accepts(source, key), 'KeysUnavailable')
  const count = other.count('/keys')
  for (let second = 0; second < 30; second++) {
    pass(1)
    t.equal(await accepts(source, key), 'KeysUnavailable')
  }
  t.ok(other.count('/keys') - count <= 1, 'a source that fails is not asked each time')
  other.onJson('/keys', { keys: [key.jwk] })
  pass(60)
  t.equal(await accepts(source, key), true, 'it recovers')
})

t.test('a dead source does not block another one', async (t) => {
  const key = await makeKey('a')
  const { source } = await serve(t, key.jwk)
  const dead = await startOtherServer()
  t.teardown(dead.stop)
  dead.on('/keys', () => undefined)
  const { accepts } = remote()
  const waiting = accepts({ jwksUri: `${dead.url.replace('127.0.0.1', 'localhost')}/keys` }, key)
  t.equal(await accepts(source, key), true)
  t.equal(await waiting, 'KeysUnavailable')
})

t.test('keys by discovery: the metadata must name that very issuer', async (t) => {
  const key = await makeKey('a')
  const { other } = await serve(t, key.jwk)
  const source = { issuer: other.url }
  const cases: [what: string, document: Record<string, unknown>, result: true | string][] = [
    ['as it should be', {}, true],
    ['another issuer', { issuer: 'https://accounts.example' }, 'KeysUnavailable'],
    ['with a slash more', { issuer: `${other.url}/` }, 'KeysUnavailable'],
    ['no issuer', { issuer: undefined }, 'KeysUnavailable'],
    ['an array', { issuer: [other.url] }, 'KeysUnavailable'],
    ['no keys', { jwks_uri: undefined }, 'KeysUnavailable'],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }, 'KeysUnavailable'],
    ['keys at a metadata service', { jwks_uri: 'http://169.254.169.254/' }, 'KeysUnavailable'],
  ]
  for (const [what, document, result] of cases) {
    serveIssuer(other, document)
    t.equal(await remote().accepts(source, key), result, what)
  }
})

t.test('an issuer with a path: OpenID Connect first, then RFC 8414 §3.1', async (t) => {
  const key = await makeKey('a')
  const { other } = await serve(t, key.jwk)
  const issuer = `${other.url}/tenant/one`
  const document = { issuer, jwks_uri: `${other.url}/keys` }
  other.onJson('/.well-known/oauth-authorization-server/tenant/one', document)
  t.equal(await remote().accepts({ issuer }, key), true)
  t.same(
    other.requested.map(({ path }) => path),
    [
      '/tenant/one/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/tenant/one',
      '/keys',
    ],
  )
  other.onJson('/tenant/two/.well-known/openid-configuration', {
    ...document,
    issuer: `${other.url}/tenant/two`,
  })
  t.equal(await remote().accepts({ issuer: `${other.url}/tenant/two` }, key), true)
})

t.test('documents that are no key sets give no keys', async (t) => {
  const key = await makeKey('a')
  const { other, source } = await serve(t)
  for (const document of [[], 'keys', null, {}, { keys: {} }, { keys: Array(101).fill(key.jwk) }]) {
    other.onJson('/keys', document)
    t.equal(
      await remote().accepts(source, key),
      'KeysUnavailable',
      JSON.stringify(document)?.slice(0, 40),
    )
  }
  other.on('/keys', (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":['),
  )
  t.equal(await remote().accepts(source, key), 'KeysUnavailable', 'half a document')
})

t.test('only public keys for signatures are used, and others do no harm', async (t) => {
  const key = await makeKey('good')
  const weak = {
    kty: 'RSA',
    kid: 'weak',
    n: Buffer.alloc(128, 255).toString('base64url'),
    e: 'AQAB',
  }
  const secret = Buffer.from('a secret that is known to everybody!')
  const symmetric = { kty: 'oct', kid: 'secret', k: secret.toString('base64url') }
  const { source } = await serve(
    t,
    weak,
    symmetric,
    { ...key.jwk, kid: 'private', d: 'AQAB' },
    { ...key.jwk, kid: 'encryption', use: 'enc' },
    null as unknown as JWK,
    'key' as unknown as JWK,
    ...([{ key_ops: null }, { key_ops: 'verify' }, { kid: ['x'] }, { alg: 1 }].map((part) => ({
      ...key.jwk,
      kid: 'malformed',
      ...part,
    })) as unknown as JWK[]),
    { kty: 'RSA', kid: 'malformed', n: 5, e: 'AQAB' } as unknown as JWK,
    key.jwk,
  )
  const { accepts } = remote()
  t.equal(await accepts(source, key), true)
  const sign = () =>
    new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'secret' }).sign(secret)
  t.not(await accepts(source, { sign }), true)
  for (const kid of ['private', 'encryption', 'weak', 'malformed']) {
    const signedBy = () =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(key.privateKey)
    t.equal(await accepts(source, { sign: signedBy }), 'JWKSNoMatchingKey', kid)
  }
})

t.test('keys without kid: each is tried', async (t) => {
  const [one, two, foreign] = [await makeKey(), await makeKey(), await makeKey()]
  const { source } = await serve(t, one.jwk, two.jwk)
  const { accepts } = remote()
  t.equal(await accepts(source, one), true)
  t.equal(await accepts(source, two), true)
  t.equal(await accepts(source, foreign), 'JWSSignatureVerificationFailed')
})

t.test('KEY-11 at most four keys are tried, among those that fit the algorithm', async (t) => {
  for (const kid of [undefined, 'same']) {
    const keys = await Promise.all([...Array(6)].map(() => makeKey(kid)))
    const other = await makeKey(kid, 'ES384')
    const { source } = await serve(t, ...[...keys, other].map(({ jwk }) => jwk))
    const { accepts } = remote()
    const results = await Promise.all([...keys, other].map((key) => accepts(source, key)))
    const refused = 'JWSSignatureVerificationFailed'
    t.same(results, [true, true, true, true, refused, refused, true], `kid: ${kid}`)
  }
})
