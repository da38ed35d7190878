import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import t from 'tap'
import { permissionLengthFaults } from '../../../src/core/clients/permission-rules.ts'
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

t.test('a token stays below 8,000 characters', async (t) => {
  const longId = 'x'.repeat(64)
  const ids = (count: number) =>
    Array.from({ length: count }, (_, at) => `wks${at}`.padEnd(20, 'x'))
  const tokens = createAccessTokens({
    signingKeys: { active: () => first.active },
    issuer,
    audience,
    lifetimes,
    now: () => Date.now(),
  })
  const user = {
    ...subject,
    kind: 'user' as const,
    interface: 'current' as const,
    userId: 'usr1',
    grantId: 'g'.repeat(22),
    userEpoch: 0,
    workspaceIds: [] as string[],
  }
  let most = 0
  while (tokens.fits({ ...user, workspaceIds: ids(most + 1) })) most++
  t.ok(most > 180, `${most} workspaces fit`)
  const bound = 'k'.repeat(43)
  const longest = tokens.issue({ ...user, workspaceIds: ids(most) }, bound).accessToken.length
  t.ok(longest < 8000 && longest > 7950, `${longest} characters`)
  const over = { ...user, workspaceIds: ids(most + 1) }
  t.throws(() => tokens.issue(over, bound), { code: 'invalid_scope', reason: 'token_too_long' })

  let count = 0
  const names = (length: number) => Array.from({ length }, (_, at) => `${at}:`.padEnd(64, 'long'))
  while (permissionLengthFaults(names(count + 1)).length === 0) count++
  const worst = {
    ...user,
    permissions: names(count),
    openidScopes: ['openid' as const, 'profile' as const, 'email' as const],
    clientId: longId,
    userId: longId,
    organizationId: longId,
    installId: longId,
    resources: [`https://files.example/${'x'.repeat(470)}`],
    authentication: { authenticatedAt: 2_000_000_000, contextClass: 'phr' as const },
    connectionEpoch: 99,
    isOpen: true,
    reachId: 'r'.repeat(22),
  }
  t.ok(tokens.fits(worst as AccessTokenSubject), `${count} permissions are registered, and fit`)

  // Six bytes of JSON for each character.
  const withSigns = (length: number) => ({ ...user, workspaceIds: ['\u0001'.repeat(length)] })
  let signs = 0
  while (tokens.fits(withSigns(signs + 1))) signs++
  t.ok(signs > 500)
  t.ok(tokens.issue(withSigns(signs), bound).accessToken.length < 8000)
})
