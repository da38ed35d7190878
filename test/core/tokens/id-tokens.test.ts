import { createHash, generateKeyPairSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import t from 'tap'
import type { SignIn } from '../../../src/core/clients/openid.ts'
import { createAccessTokens } from '../../../src/core/tokens/access-tokens.ts'
import { createIdTokens } from '../../../src/core/tokens/id-tokens.ts'

const issuer = 'https://auth.example'
const key = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, alg: 'ES256' as const, privateKey, publicKey }
}
const [own, foreign] = [key('own'), key('foreign')]
const signingKeys = {
  active: () => own,
  activeFor: () => own,
  publicKey: (kid: string) => (kid === 'own' ? own.publicKey : null),
}
const began = Math.floor(Date.now() / 1000)
let clock = began
const now = () => clock * 1000
const idTokens = createIdTokens({ signingKeys, issuer, now })
const lifetimes = { current: 3600, legacy: 7200 }
const accessTokens = createAccessTokens({ signingKeys, issuer, audience: issuer, lifetimes, now })

const subject = {
  kind: 'user' as const,
  interface: 'current' as const,
  clientId: 'app1',
  userId: 'usr1',
  grantId: 'g1',
  installId: 'ins1',
  organizationId: 'org1',
  appEpoch: 0,
  userEpoch: 0,
  permissions: [],
  openidScopes: ['openid' as const],
  workspaceIds: [],
  accessTokenSeconds: null,
  reachId: null,
}
const signIn: SignIn = { nonce: 'the nonce', authenticatedAt: 1000, methods: ['passkey'] }

t.test('the claims of an ID token (OpenID Connect Core §2, §3.1.3.6)', async (t) => {
  const { accessToken } = accessTokens.issue(subject)
  const verified = await jwtVerify(idTokens.issue(subject, signIn, accessToken), own.publicKey, {
    issuer,
    audience: 'app1',
    typ: 'JWT',
  })
  t.same(verified.protectedHeader, { alg: 'ES256', typ: 'JWT', kid: 'own' })
  const digest = createHash('sha256').update(accessToken).digest()
  t.same(verified.payload, {
    iss: issuer,
    sub: 'usr1',
    aud: 'app1',
    iat: began,
    exp: began + 3600,
    auth_time: 1000,
    nonce: 'the nonce',
    acr: 'phr',
    amr: ['pop', 'user'],
    at_hash: digest.subarray(0, 16).toString('base64url'),
    organization_id: 'org1',
  })
})

t.test('unknown claims are left out', async (t) => {
  const bare: SignIn = { nonce: null, authenticatedAt: null, methods: ['oidc'] }
  const { payload } = await jwtVerify(idTokens.issue(subject, bare, 'x'), own.publicKey)
  t.same(Object.keys(payload).sort(), [
    'acr',
    'at_hash',
    'aud',
    'exp',
    'iat',
    'iss',
    'organization_id',
    'sub',
  ])
})

t.test('as a hint an own ID token of any age is accepted', async (t) => {
  const token = idTokens.issue(subject, signIn, 'x')
  const hint = { clientId: 'app1', userId: 'usr1' }
  t.same(idTokens.readHint(token), hint)
  clock = began + 3600
  t.same(idTokens.readHint(token), hint)
  clock = began
})

t.test('rejects any other hint', async (t) => {
  const forged = (header: object, claims: object, by = own) =>
    new SignJWT({ iss: issuer, aud: 'app1', sub: 'usr1', exp: began + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: 'own', ...header })
      .sign(by.privateKey)
  t.ok(idTokens.readHint(await forged({}, {})), 'handmade, with the server’s key')
  const [head, , signature] = (await forged({}, {})).split('.')
  const changed = Buffer.from(JSON.stringify({ iss: issuer, aud: 'app1', sub: 'usr2' }))
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  const cases: [string, string][] = [
    ['an access token', accessTokens.issue(subject).accessToken],
    ['with the header of an access token', await forged({ typ: 'at+jwt' }, {})],
    ['without a type', await forged({ typ: undefined }, {})],
    ['with a key of its own', await forged({ jwk: { kty: 'EC' } }, {})],
    ['of an unknown key', await forged({ kid: 'foreign' }, {}, foreign)],
    ['signed by somebody else', await forged({}, {}, foreign)],
    ['of another issuer', await forged({}, { iss: 'https://other.example' })],
    ['for several', await forged({}, { aud: ['app1', 'app2'] })],
    ['for nobody', await forged({}, { aud: undefined })],
    ['about nobody', await forged({}, { sub: undefined })],
    ['changed afterwards', `${head}.${changed.toString('base64url')}.${signature}`],
    ['unsigned', `${none}.${changed.toString('base64url')}.`],
    ['no JWT', 'lkrt_abc'],
    ['nothing', ''],
  ]
  for (const [what, text] of cases) t.equal(idTokens.readHint(text), null, what)
})
