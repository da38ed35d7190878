/** `mode: 'introspect'`: the server is asked about every token. Its answers are reused until the feed reports a change. */
import t, { type Test } from 'tap'
import { createVerifier } from '../../../packages/verify/src/verify.ts'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { eventually } from '../../support/eventually.ts'
import { audience, keySetAnswer, resourceServer } from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

const path = '/api/oauth/introspect'

const createAsking = async (t: Test, options: Parameters<typeof createScene>[1] = {}) => {
  const scene = await createScene(t, { mode: 'introspect', ...options })
  const { server } = scene
  // The first answer of the feed drops what was cached before it.
  await eventually(() => scene.verifier.status().ready)
  /** A token that the server knows; the second part changes its answer. */
  const known = (part: Record<string, unknown> = {}, answer: Record<string, unknown> = {}) => {
    const token = server.token(part)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    server.known.set(token, { active: true, token_type: 'Bearer', ...claims, ...answer })
    return token
  }
  return { ...scene, known, requested: () => server.count(path) }
}

t.test('the answer of the server decides, and is reused', async (t) => {
  const { verifier, server, known, requested } = await createAsking(t)
  const token = known({}, { permissions: ['records:update'], workspace_ids: ['wks2'] })
  const access = await verifier.verify(token)
  t.match(access, { kind: 'user', userId: 'usr1', organizationId: 'org1', interface: 'current' })
  t.same(access.permissions, ['records:update'])
  t.same(access.workspaceIds, ['wks2'])
  t.type(access.expiresAt, 'number')
  await verifier.verify(token)
  t.equal(requested(), 1)
  t.equal(server.count('/.well-known/jwks.json'), 0, 'it needs no keys')

  const install = known({
    kind: 'install',
    sub: 'app1',
    grant_id: undefined,
    user_epoch: undefined,
  })
  t.match(await verifier.verify(install), { kind: 'install', clientId: 'app1' })
  const many = known(
    { workspaces: 'introspect', workspace_ids: undefined },
    { workspace_ids: ['w'] },
  )
  t.same((await verifier.verify(many)).workspaceIds, ['w'])
  const legacy = known(
    { interface: 'legacy', workspace_ids: undefined },
    { workspace_ids: null, permissions: ['readData'] },
  )
  t.match(await verifier.verify(legacy), { interface: 'legacy', workspaceIds: null })
  server.known.set('lkks_secret', keySetAnswer())
  t.equal(await outcomeOf(verifier.verify('lkks_secret')), 'key_set')
})

t.test('many requests with one new token are one question', async (t) => {
  const { verifier, known, requested } = await createAsking(t)
  const token = known()
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)))
  t.ok(outcomes.every(({ kind }) => kind === 'user'))
  t.equal(requested(), 1)
})

t.test('tokens that cannot be valid are refused without a question', async (t) => {
  const { verifier, known, requested, server } = await createAsking(t)
  const cases: [reason: string, token: string][] = [
    ['expired', known({ exp: 1_000 })],
    ['issuer', known({ iss: 'https://other.example' })],
    ['audience', known({ aud: 'https://other.example' })],
    ['claims', known({ jti: undefined })],
    ['header', server.token({}, { typ: 'JWT' })],
    ['bound_to_key', known({ cnf: { jkt: 'k' } })],
  ]
  for (const [reason, token] of cases)
    t.equal(await outcomeOf(verifier.verify(token)), `token-invalid: ${reason}`)
  t.equal(requested(), 0)
  t.equal(await outcomeOf(verifier.verify(server.token())), 'token-invalid: inactive')
  const message = verifier.status().problems.find(({ reason }) => reason === 'audience')?.message
  t.match(message, /^the audience of a token is another one, but `audience` is/)
})

t.test('an answer about another token is refused', async (t) => {
  const { verifier, known } = await createAsking(t)
  for (const part of [
    { client_id: 'app2' },
    { organization_id: 'org2' },
    { sub: 'usr2' },
    { jti: 'other' },
    { interface: 'legacy' },
    { cnf: { jkt: 'k' } },
    { permissions: undefined },
    { sub: undefined },
  ])
    t.equal(
      await outcomeOf(verifier.verify(known({}, part))),
      'temporarily_unavailable: bad_answer',
      JSON.stringify(part),
    )
  for (const kind of ['install', 'self_signed', 'refresh_token'])
    t.equal(await outcomeOf(verifier.verify(known({}, { kind }))), 'token-invalid: inactive')
})

t.test('a bound token needs its proof', async (t) => {
  const { verifier, known } = await createAsking(t)
  const holder = await createHolder()
  const token = known({ cnf: { jkt: holder.jkt } })
  const url = 'https://api.example/records'
  const prove = async (one: typeof holder) => ({
    token,
    url,
    method: 'GET',
    proof: await one.prove(url, { htm: 'GET', ath: hashOf(token) }),
  })
  t.equal((await verifier.verify(await prove(holder))).kind, 'user')
  const thief = await prove(await createHolder())
  t.equal(await outcomeOf(verifier.verify(thief)), 'token-invalid: key_mismatch')
})

t.test('each change that may concern a token ends its cached answer', async (t) => {
  const changes = [
    { type: 'token', id: 'jti-here' },
    { type: 'grant', id: 'grn1' },
    { type: 'install', id: 'ins1' },
    { type: 'app', id: 'app1', permissions: [], epoch: 1 },
    { type: 'user', id: 'usr1', epoch: 1 },
    { type: 'member', id: 'org1', user_id: 'usr1' },
    { type: 'connection', id: 'org1', user_id: 'usr1', client_id: 'app1', epoch: 1 },
    { type: 'organization', id: 'org1' },
    { type: 'workspace', id: 'wks1' },
    { type: 'workspace_member', id: 'wks1', user_id: 'usr1' },
    // An answer does not name the installs of its actors.
    { type: 'install_member', id: 'ins9', user_id: 'usr1' },
  ]
  const { verifier, known, server } = await createAsking(t, { introspectionCache: { active: 60 } })
  for (const change of changes) {
    const token = known({ jti: 'jti-here', exp: 9_999_999_999 })
    t.equal(await outcomeOf(verifier.verify(token)), 'user')
    server.known.set(token, { active: false })
    t.equal(await outcomeOf(verifier.verify(token)), 'user', 'reused')
    server.tell(change)
    await eventually(async () => (await outcomeOf(verifier.verify(token))) !== 'user')
    t.pass(change.type)
  }
})

t.test('changes about others leave the cached answer', async (t) => {
  const { verifier, known, server, requested } = await createAsking(t, {
    introspectionCache: { active: 60 },
  })
  const token = known()
  await verifier.verify(token)
  server.known.set('lkks_secret', keySetAnswer())
  t.equal(await outcomeOf(verifier.verify('lkks_secret')), 'key_set')
  server.tell(
    { type: 'user', id: 'usr9', epoch: 1 },
    { type: 'organization', id: 'org9' },
    { type: 'install_member', id: 'ins1', user_id: 'usr9' },
    { type: 'key_set', id: 'kcl1' },
  )
  server.known.set('lkks_secret', { active: false })
  await eventually(async () => (await outcomeOf(verifier.verify('lkks_secret'))) !== 'key_set')
  const before = requested()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  t.equal(requested(), before)
})

t.test('without the server, only cached answers are reused', async (t) => {
  const { verifier, known, server } = await createAsking(t, { introspectionCache: { active: 60 } })
  const token = known()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  await server.stop()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  t.equal(await outcomeOf(verifier.verify(known())), 'temporarily_unavailable: unreachable')
})

t.test('an unknown mode is a faulty option', async (t) => {
  const options = { issuer: 'https://auth.example', audience, resourceServer }
  t.throws(() => createVerifier({ ...options, mode: 'remote' as never }), /createVerifier: mode/)
  t.throws(() => createVerifier({ ...options, log: {} as never }), /createVerifier: log/)
})
