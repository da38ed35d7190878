/** A data API demands a recent or a strong sign-in of the user (RFC 9470). */
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { latchkeyVerify } from '../../../packages/verify/src/fastify/fastify.ts'
import {
  answerTo,
  authorize,
  InsufficientAuthentication,
  type Requirement,
} from '../../../packages/verify/src/verify.ts'
import { createScene } from './scene.ts'

const now = () => Math.floor(Date.now() / 1000)
const current = { interface: 'current', organization: 'org1' } as const
const byPasskey = { acr: 'phr', auth_time: now() - 60 }

const apiOf = async (t: Test) => {
  const scene = await createScene(t)
  const judge = (part: Record<string, unknown>, needed: Partial<Requirement>) =>
    authorize(scene.verifier, scene.server.token(part), { ...current, ...needed })
  return { ...scene, judge }
}

t.test('the sign-in of a token', async (t) => {
  const { judge } = await apiOf(t)
  t.match(await judge(byPasskey, {}), { acr: 'phr', authTime: byPasskey.auth_time })
  const none = await judge({}, {})
  t.notOk('acr' in none || 'authTime' in none, 'of a grant from before it was stored')

  const demands: [string, Record<string, unknown>, Partial<Requirement>, string | null][] = [
    ['the demanded class', byPasskey, { acr: 'phr' }, null],
    ['one of them', byPasskey, { acr: ['other', 'phr'] }, null],
    ['another class', byPasskey, { acr: 'other' }, 'acr'],
    ['a part of the class', byPasskey, { acr: 'ph' }, 'acr'],
    ['two classes in one text', byPasskey, { acr: 'other phr' }, 'acr'],
    ['no class', {}, { acr: 'phr' }, 'acr'],
    ['recent enough', byPasskey, { maxAge: 600 }, null],
    ['too old', byPasskey, { maxAge: 30 }, 'max_age'],
    ['of unknown age', { acr: 'phr' }, { maxAge: 1_000_000 }, 'max_age'],
    ['both', byPasskey, { acr: 'phr', maxAge: 600 }, null],
    ['the class, but too old', byPasskey, { acr: 'phr', maxAge: 30 }, 'max_age'],
    ['recent, of another class', byPasskey, { acr: 'other', maxAge: 600 }, 'acr'],
    [
      'a token of an app itself',
      { kind: 'install', sub: 'app1', grant_id: undefined, ...byPasskey },
      { maxAge: 600 },
      'no_user',
    ],
  ]
  for (const [what, claims, needed, reason] of demands) {
    const error = await judge(claims, needed).then(
      () => null,
      (refused) => refused,
    )
    if (reason === null) t.equal(error, null, what)
    else t.match(error, { reason, code: 'insufficient_user_authentication' }, what)
  }
})

t.test('a token with a malformed sign-in is invalid', async (t) => {
  const { judge } = await apiOf(t)
  for (const part of [{ auth_time: '1' }, { auth_time: 1.5 }, { auth_time: -1 }, { acr: 1 }])
    await t.rejects(judge(part, {}), { code: 'token-invalid', reason: 'claims' })
})

t.test('what is out of reach is no reason to sign in again', async (t) => {
  const { judge } = await apiOf(t)
  const demand = { acr: 'other' }
  await t.rejects(judge(byPasskey, { ...demand, permissions: ['records:delete'] }), {
    code: 'insufficient_scope',
  })
  await t.rejects(judge(byPasskey, { ...demand, organization: 'org2' }), {
    code: 'insufficient_scope',
  })
  await t.rejects(judge(byPasskey, { ...demand, workspace: 'wks9' }), {
    code: 'insufficient_scope',
  })
})

t.test('the challenge says what to ask for (RFC 9470 §3)', async (t) => {
  const { server, verifier } = await createScene(t)
  const api = fastify()
  t.teardown(() => api.close())
  await api.register(latchkeyVerify, { verifier, realm: 'data' })
  const preHandler = api.requireToken({ organization: 'org1', acr: ['phr', 'b'], maxAge: 300 })
  api.get('/', { preHandler }, async () => 'good')
  const get = (part: Record<string, unknown>) =>
    api.inject({ url: '/', headers: { authorization: `Bearer ${server.token(part)}` } })
  t.equal((await get(byPasskey)).body, 'good')
  const refused = await get({ ...byPasskey, auth_time: now() - 301 })
  t.equal(refused.statusCode, 401)
  t.equal(
    refused.headers['www-authenticate'],
    'Bearer realm="data", error="insufficient_user_authentication", error_description="a more recent or stronger sign-in of the user is required", acr_values="phr b", max_age="300"',
  )
  t.match(refused.json(), { error: 'insufficient_user_authentication' })
  const demanded = { acr: [], maxAge: 5 }
  const answer = answerTo(new InsufficientAuthentication('max_age', demanded))
  t.notMatch(answer?.headers['www-authenticate'], /acr_values/)
})

t.test('a demand that a mistake has emptied is refused when it is written', async (t) => {
  const { judge } = await apiOf(t)
  const mistakes = [{ acr: undefined }, { acr: '' }, { acr: [] }, { acr: [''] }, { acr: 1 }]
  const ages = [undefined, null, 0, -1, '60', Number.NaN, Number.POSITIVE_INFINITY]
  for (const part of [...mistakes, ...ages.map((maxAge) => ({ maxAge }))])
    await t.rejects(judge(byPasskey, part as Partial<Requirement>), { name: 'TypeError' })
})

t.test('introspection reports the sign-in too', async (t) => {
  const { server, verifier } = await createScene(t, { mode: 'introspect' })
  const part = { jti: 'stepped-up', ...byPasskey }
  const token = server.token(part)
  const claims = server.claims(part)
  server.known.set(token, { active: true, ...claims })
  t.match(await verifier.verify(token), { acr: 'phr', authTime: byPasskey.auth_time })
})
