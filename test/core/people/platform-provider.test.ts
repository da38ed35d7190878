import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { createPlatformProvider } from '../../../src/core/people/platform-provider.ts'
import { ProviderError } from '../../../src/core/people/provider-error.ts'
import { eventually } from '../../support/eventually.ts'
import { startOtherServer } from '../../support/other-server.ts'

const discovery = '/.well-known/openid-configuration'
const requested = { loginHint: null, prompt: false, proof: false }

const start = async (t: Test) => {
  const other = await startOtherServer()
  t.teardown(other.stop)
  const metadata = {
    issuer: other.url,
    authorization_endpoint: `${other.url}/authorize`,
    token_endpoint: `${other.url}/token`,
    jwks_uri: `${other.url}/keys`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
  other.onJson(discovery, metadata)
  let waited = 0
  const onWait = () => void waited++
  const provider = createPlatformProvider(
    {
      issuer: other.url,
      clientId: 'latchkey',
      clientSecret: 'a secret',
      scope: 'openid',
      claims: { email: 'email', name: 'name' },
    },
    { redirectUri: 'http://127.0.0.1/cb', signedOutUri: 'http://127.0.0.1/out' },
    Date.now,
  )
  return { other, metadata, provider, onWait, waited: () => waited }
}

const codeOf = async (work: Promise<unknown>) => {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return `${error.fault} ${error.code}`
  }
}

t.test('KEY-10 a key of the provider is of bounded size', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { e = '', ...numbers } = await exportJWK(publicKey)
  const longer = Buffer.concat([Buffer.alloc(6), Buffer.from(e, 'base64url')]).toString('base64url')
  for (const [exponent, result] of [
    [e, 'ok'],
    [longer, 'refused OAUTH_KEY_SELECTION_FAILED'],
  ] as const) {
    const { other, provider, onWait, waited } = await start(t)
    const jwk = { ...numbers, e: exponent, kid: 'a', alg: 'RS256', use: 'sig' }
    other.onJson('/keys', { keys: [jwk] })
    const { checks } = await provider.begin(requested, onWait)
    const idToken = await new SignJWT({ nonce: checks.nonce, email: 'a@b.example', name: 'A' })
      .setProtectedHeader({ alg: 'RS256', kid: 'a' })
      .setIssuer(other.url)
      .setAudience('latchkey')
      .setSubject('ana')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    other.onJson('/token', { access_token: 'x', token_type: 'Bearer', id_token: idToken })
    const answer = new URLSearchParams({ code: 'x', state: checks.state })
    t.equal(await codeOf(provider.finish(answer, checks, onWait)), result, exponent)
    t.equal(waited(), 2, 'the metadata, and the tokens with their keys')
    await provider.begin(requested, onWait)
    t.equal(waited(), 2, 'nothing has to be read')
  }
})

t.test('answers of the provider are bounded, and no redirect is followed', async (t) => {
  const { other, metadata, provider, onWait } = await start(t)
  const text = JSON.stringify({ ...metadata, padding: 'x'.repeat(1 << 20) })
  const json = { 'content-type': 'application/json' }
  for (const [what, respond, result] of [
    ['large', (response) => response.writeHead(200, json).end(text), 'unreachable'],
    ['a redirect', (response) => response.writeHead(302, { location: '/other' }).end(), 'refused'],
    ['compressed', (r) => r.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x'), 'un'],
    ['hanging up', (response) => response.destroy(), 'unreachable'],
    ['out of order', (response) => response.writeHead(503).end(), 'unreachable status_503'],
  ] satisfies [string, Parameters<typeof other.on>[1], string][]) {
    other.on(discovery, respond)
    t.match(await codeOf(provider.begin(requested, onWait)), result, what)
  }
  t.equal(other.count('/other'), 0)
  other.onJson(discovery, metadata)
  t.equal(await codeOf(provider.begin(requested, onWait)), 'ok', 'it is used as soon as it is back')
})

t.test('few requests wait for a silent provider, and the others are refused at once', async (t) => {
  const { other, provider, onWait, waited } = await start(t)
  other.on(discovery, () => undefined)
  const refused: string[] = []
  const all = [...Array(100)].map(async () => {
    const code = await codeOf(provider.begin(requested, onWait))
    refused.push(code)
    return code
  })
  await eventually(() => refused.length === 36)
  t.same(new Set(refused), new Set(['unreachable busy']))
  t.equal(waited(), 64)
  t.equal(await codeOf(provider.signOutUrl(onWait)), 'ok', 'a sign-out goes on without it')
  await other.stop()
  t.equal((await Promise.all(all)).filter((one) => one === 'unreachable unknown').length, 64)
})
