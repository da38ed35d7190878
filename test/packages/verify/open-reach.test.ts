import t from 'tap'
import { createHolder } from '../../support/dpop.ts'
import { eventually } from '../../support/eventually.ts'
import type { ScriptedServer } from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

const path = '/api/oauth/introspect'
const workspaceIds = Array.from({ length: 20_000 }, (_, at) => `wks${at}`)

const open = { workspaces: 'introspect', workspace_ids: undefined }

/** A token that does not list its workspaces, and the server's answer about it. */
const openToken = (
  server: ScriptedServer,
  answer: Record<string, unknown> = {},
  claims: Record<string, unknown> = {},
) => {
  const token = server.token({ ...open, ...claims })
  server.known.set(token, {
    active: true,
    kind: 'user',
    interface: 'current',
    client_id: 'app1',
    organization_id: 'org1',
    permissions: ['records:create', 'records:update', 'records:delete'],
    workspace_ids: workspaceIds,
    ...answer,
  })
  return token
}

t.test('the server is asked once for the workspaces of a token', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = openToken(server)
  const together = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)))
  t.equal(server.count(path), 1, 'also by many requests at once')
  const access = await verifier.verify(token)
  t.equal(together.at(-1), access)
  t.equal(server.count(path), 1, 'and not again')
  t.match(access, { kind: 'user', userId: 'usr1', organizationId: 'org1' })
  t.same(
    access.permissions,
    ['records:create', 'records:update'],
    'permissions are the token’s own',
  )
  t.equal(access.workspaceIds?.length, 20_000)
  for (const id of ['wks0', 'wks19999']) t.ok(access.reaches('org1', id))
  t.notOk(access.reaches('org1', 'wks20000'))
  t.notOk(access.reaches('org2', 'wks0'))
})

t.test('the answer is kept under the revocation feed', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = openToken(server)
  t.ok((await verifier.verify(token)).reaches('org1', 'wks1'))
  const loses = (id: string) =>
    eventually(async () => !(await verifier.verify(token)).reaches('org1', id))
  server.tell({ type: 'workspace', id: 'wks1' })
  await loses('wks1')
  server.tell({ type: 'workspace_member', id: 'wks2', user_id: 'usr2' })
  server.tell({ type: 'workspace_member', id: 'wks3', user_id: 'usr1' })
  await loses('wks3')
  t.ok((await verifier.verify(token)).reaches('org1', 'wks2'), 'another user was removed there')
  const limit = { permissions: ['records:create'], workspace_ids: ['wks1', 'wks4', 'wks99999'] }
  server.tell({ type: 'install', id: 'ins1', active: true, ...limit })
  await loses('wks5')
  t.same((await verifier.verify(token)).workspaceIds, ['wks4'])
  server.tell({ type: 'grant', id: 'grn1' })
  await eventually(
    async () => (await outcomeOf(verifier.verify(token))) === 'token-invalid: grant_revoked',
  )
  t.equal(server.count(path), 1)
})

t.test('the server is not asked about a token that is refused anyway', async (t) => {
  const { server, verifier } = await createScene(t)
  server.tell({ type: 'grant', id: 'ended' })
  await eventually(
    async () =>
      (await outcomeOf(verifier.verify(server.token({ grant_id: 'ended' })))) ===
      'token-invalid: grant_revoked',
  )
  const { jkt } = await createHolder()
  const cases: [claims: Record<string, unknown>, reason: string][] = [
    [{ grant_id: 'ended' }, 'grant_revoked'],
    [{ cnf: { jkt } }, 'bound_to_key'],
    [{ exp: 1000 }, 'expired'],
    [{ workspace_ids: ['wks1'] }, 'claims'],
    [{ workspaces: 'all' }, 'claims'],
    [{ workspaces: ['introspect'] }, 'claims'],
    [{ workspaces: null }, 'claims'],
    [{ interface: 'legacy' }, 'claims'],
  ]
  for (const [claims, reason] of cases) {
    const token = openToken(server, {}, claims)
    t.equal(await outcomeOf(verifier.verify(token)), `token-invalid: ${reason}`, reason)
  }
  const changed = openToken(server).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  t.match(await outcomeOf(verifier.verify(changed)), /^token-invalid/)
  t.equal(server.count(path), 0)
})

t.test('an inactive token is asked about once a second at most', async (t) => {
  const { server, verifier } = await createScene(t, { introspectionCache: { inactive: 60 } })
  const token = openToken(server, { active: false })
  for (let at = 0; at < 5; at++)
    t.equal(await outcomeOf(verifier.verify(token)), 'token-invalid: inactive')
  t.equal(server.count(path), 1)
})

t.test('an answer about something else is an outage, not a verdict', async (t) => {
  const { server, verifier } = await createScene(t)
  for (const answer of [
    { client_id: 'app2' },
    { organization_id: 'org2' },
    { kind: 'install' },
    { workspace_ids: null },
    { workspace_ids: undefined },
    { workspace_ids: [1] },
    { active: 'yes' },
  ]) {
    const outcome = await outcomeOf(verifier.verify(openToken(server, answer)))
    t.equal(outcome, 'temporarily_unavailable: bad_answer', JSON.stringify(answer))
  }
  const token = openToken(server)
  await server.stop()
  t.match(await outcomeOf(verifier.verify(token)), /^temporarily_unavailable/)
  await server.start()
  await eventually(async () => (await outcomeOf(verifier.verify(token))) === 'user')
})
