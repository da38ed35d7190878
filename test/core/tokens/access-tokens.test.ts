import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import t from 'tap'
import type { AccessTokenSubject } from '../../../src/core/tokens/access-token-claims.ts'
import { createAccessTokens } from '../../../src/core/tokens/access-tokens.ts'

const key = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { publicKey, active: { kid, alg: 'ES256' as const, privateKey } }
}
const [first, second] = [key('first'), key('second')]
const issuer = 'https://auth.example'
const audience = 'https://api.example'
const lifetimes = { current: 3600, legacy: 7200 }
const subject: AccessTokenSubject = {
  kind: 'install',
  interface: 'legacy',
  clientId: 'app1',
  appEpoch: 0,
  installId: 'ins1',
  organizationId: 'org1',
  permissions: ['readData'],
  openidScopes: [],
  workspaceIds: null,
  accessTokenSeconds: null,
  reachId: null,
}

t.test('an access token is a JWT of RFC 9068, signed with the active key', async (t) => {
  let active = first.active
  const signingKeys = { active: () => active }
  const tokens = createAccessTokens({
    signingKeys,
    issuer,
    audience,
    lifetimes,
    now: () => Date.now(),
  })
  const { accessToken, expiresIn } = tokens.issue(subject)
  t.equal(expiresIn, 7200)
  const verified = await jwtVerify(accessToken, first.publicKey, {
    issuer,
    audience,
    typ: 'at+jwt',
  })
  t.same(verified.protectedHeader, { alg: 'ES256', typ: 'at+jwt', kid: 'first' })
  t.match(verified.payload, {
    sub: 'app1',
    client_id: 'app1',
    scope: 'readData',
    install_id: 'ins1',
  })

  active = second.active
  const rotated = await jwtVerify(tokens.issue(subject).accessToken, second.publicKey)
  t.equal(rotated.protectedHeader.kid, 'second', 'after a rotation with the next key')
  await t.rejects(jwtVerify(accessToken, second.publicKey))
})

t.test('time is passed in, and every token is unique', async (t) => {
  const signingKeys = { active: () => first.active }
  const tokens = createAccessTokens({
    signingKeys,
    issuer,
    audience,
    lifetimes,
    now: () => 1_999_999,
  })
  const claims = Array.from({ length: 100 }, () => decodeJwt(tokens.issue(subject).accessToken))
  t.match(claims[0], { iat: 1999, exp: 1999 + 7200 })
  t.equal(new Set(claims.map((one) => one.jti)).size, 100)
})

t.test('an app may have shorter tokens than its interface, never longer ones', async (t) => {
  const signingKeys = { active: () => first.active }
  const tokens = createAccessTokens({ signingKeys, issuer, audience, lifetimes, now: () => 5000 })
  for (const [seconds, expected] of [
    [null, 7200],
    [60, 60],
    [7200, 7200],
    [9000, 7200],
  ] as const) {
    const { accessToken, expiresIn } = tokens.issue({ ...subject, accessTokenSeconds: seconds })
    t.equal(expiresIn, expected)
    t.match(decodeJwt(accessToken), { iat: 5, exp: 5 + expected })
  }
})
