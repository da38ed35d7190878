import t from 'tap'
import {
  answerTo,
  authorize,
  bearerToken,
  challenge,
  InsufficientScope,
  legacyCredential,
  legacyError,
  type Requirement,
  TokenInvalid,
  VerificationUnavailable,
} from '../../../packages/verify/src/verify.ts'
import { createScene } from './scene.ts'

const malformed = new TokenInvalid('malformed')
const two = new TokenInvalid('two_credentials')

t.test('reads the bearer token of a request (RFC 6750 §2.1)', async (t) => {
  const cases: [header: string | string[] | undefined, expected: string | null | Error][] = [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER a-._~+/9==', 'a-._~+/9=='],
    [['Bearer abc'], 'abc'],
    [undefined, null],
    ['', null],
    ['Basic YTpi', null],
    ['Bearerabc', null],
    ['Bearer', malformed],
    ['Bearer ', malformed],
    ['Bearer   abc', 'abc'],
    ['Bearer\tabc', null],
    ['Bearer   ', malformed],
    ['Bearer abc ', malformed],
    ['Bearer a b', malformed],
    ['Bearer abc, Bearer def', malformed],
    ['Bearer a=b', malformed],
    ['Bearer é', malformed],
    ['Bearer abc\r\n', malformed],
    [['Bearer abc', 'Bearer abc'], two],
    [['Basic YTpi', 'Bearer abc'], two],
  ]
  for (const [header, expected] of cases) {
    const read = () => bearerToken({ authorization: header })
    if (expected instanceof Error) t.throws(read, expected, String(header))
    else t.equal(read(), expected, String(header))
  }
  t.equal(bearerToken({}), null)
  t.equal(bearerToken(new Headers({ Authorization: 'Bearer abc' })), 'abc')
  t.equal(bearerToken(new Headers()), null)
  const joined = new Headers([
    ['authorization', 'Bearer abc'],
    ['authorization', 'Bearer def'],
  ])
  t.throws(() => bearerToken(joined), malformed)
})

t.test('reads the credential of a legacy request from one GraphQL variable', async (t) => {
  const cases: [variables: unknown, expected: string | null | Error][] = [
    [{ secretKey: 's' }, 's'],
    [{ accessToken: 'a', other: 1 }, 'a'],
    [{ secretKey: 's', accessToken: null }, 's'],
    [{}, null],
    [null, null],
    [undefined, null],
    ['secretKey', null],
    [Object.create({ secretKey: 'inherited' }), null],
    [{ secretKey: 's', accessToken: 'a' }, two],
    [{ secretKey: '', accessToken: 'a' }, two],
    [{ secretKey: 1 }, malformed],
    [{ accessToken: ['a'] }, malformed],
  ]
  for (const [variables, expected] of cases) {
    const read = () => legacyCredential(variables)
    if (expected instanceof Error) t.throws(read, expected, JSON.stringify(variables))
    else t.equal(read(), expected, JSON.stringify(variables))
  }
})

t.test('the challenge names the error, and none without a token (RFC 6750 §3)', async (t) => {
  const text = 'the access token is missing, invalid, expired or revoked'
  const little = 'the access token does not allow this'
  const cases: [string, string][] = [
    [challenge(null), 'Bearer'],
    [challenge(null, { realm: 'data' }), 'Bearer realm="data"'],
    [challenge(new TokenInvalid('missing')), 'Bearer'],
    [challenge(malformed), `Bearer error="invalid_token", error_description="${text}"`],
    [
      challenge(new InsufficientScope('permission', ['records:create', 'teams:read'])),
      `Bearer error="insufficient_scope", error_description="${little}", scope="records:create teams:read"`,
    ],
    [
      challenge(new InsufficientScope('workspace'), { realm: 'a "b" \\c' }),
      `Bearer realm="a \\"b\\" \\\\c", error="insufficient_scope", error_description="${little}"`,
    ],
    [challenge(null, { scope: 'records:create' }), 'Bearer scope="records:create"'],
  ]
  for (const [is, expected] of cases) t.equal(is, expected)
  t.throws(() => challenge(null, { realm: 'a\r\nSet-Cookie: b' }), TypeError)
})

t.test('every error has a response, which hides the reason', async (t) => {
  const cases: [unknown, number, Record<string, string>][] = [
    [new TokenInvalid('missing'), 401, { 'www-authenticate': 'Bearer realm="r"' }],
    [malformed, 401, {}],
    [new InsufficientScope('workspace'), 403, {}],
    [
      new VerificationUnavailable('unreachable', new Error('ECONNREFUSED')),
      503,
      { 'retry-after': '1' },
    ],
  ]
  for (const [error, status, headers] of cases) {
    const answer = answerTo(error, { realm: 'r' })
    t.match(answer, { status, headers })
    t.notMatch(JSON.stringify(answer), /malformed|unreachable|ECONNREFUSED/)
  }
  t.equal(answerTo(new Error('of another verifier')), null)
})

t.test('on the legacy interface the error is token-invalid', async (t) => {
  t.same(legacyError(malformed), {
    message: 'token-invalid',
    extensions: { code: 'token-invalid' },
  })
  t.equal(legacyError(new VerificationUnavailable('closed')).message, 'temporarily_unavailable')
  t.equal(legacyError(new InsufficientScope('workspace')).extensions.code, 'insufficient_scope')
})

t.test('authorizes a request for its permissions and workspace', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token()
  const needed: Requirement = { interface: 'current', organization: 'org1' }
  const passing: Partial<Requirement>[] = [
    {},
    { permissions: ['records:create', 'records:update'] },
    { workspace: 'wks1' },
    { permissions: [], workspace: 'wks2' },
  ]
  for (const one of passing)
    t.equal((await authorize(verifier, token, { ...needed, ...one })).kind, 'user')
  const refused: [Partial<Requirement>, Error][] = [
    [{ interface: 'legacy' }, new TokenInvalid('interface')],
    [
      { permissions: ['records:create', 'records:delete'] },
      new InsufficientScope('permission', ['records:create', 'records:delete']),
    ],
    [{ organization: 'org2' }, new InsufficientScope('organization')],
    [{ workspace: 'wks3' }, new InsufficientScope('workspace')],
  ]
  for (const [one, error] of refused)
    await t.rejects(authorize(verifier, token, { ...needed, ...one }), error)
  await t.rejects(authorize(verifier, null, needed), new TokenInvalid('missing'))
  await t.rejects(authorize(verifier, 'x.y', needed), malformed)
})
