/** The library reports which permissions the data API granted, and nothing else. */
import t from 'tap'
import { authorize } from '../../../packages/verify/src/verify.ts'
import { createScene } from './scene.ts'

type Scene = Awaited<ReturnType<typeof createScene>>

const reportsOf = ({ server }: Pick<Scene, 'server'>) =>
  server.seen
    .filter(({ path }) => path === '/api/oauth/usage')
    .map(({ text, idempotencyKey }) => ({ key: idempotencyKey, ...JSON.parse(text) }))

/** The server counts from the beginning, with this status. */
const accept = (status: { now: number }) => (server: Scene['server']) => {
  server.script = ({ path }) =>
    path === '/api/oauth/usage' ? { status: status.now, body: '' } : null
}

const own = ({ access }: { access: { organizationId: string } }) => access.organizationId

t.test('counts what was granted, and reading without a permission', async (t) => {
  const scene = await createScene(t, {}, accept({ now: 204 }))
  const { server, verifier } = scene
  const token = server.token()
  const access = await verifier.verify(token)
  access.can('records:create')
  access.can('records:create')
  access.can('records:delete')
  const requirement = { interface: 'current', organization: own } as const
  await authorize(verifier, token, requirement)
  await authorize(verifier, token, { ...requirement, permissions: ['records:create'] })
  await authorize(verifier, server.token({ client_id: 'app2' }), requirement)
  await verifier.close()
  const [report, ...others] = reportsOf(scene)
  const about = { organization_id: 'org1' }
  t.same(others, [])
  t.same(report.counts, [
    { ...about, client_id: 'app1', permission: 'records:create', count: 3 },
    { ...about, client_id: 'app1', permission: 'read', count: 1 },
    { ...about, client_id: 'app2', permission: 'read', count: 1 },
  ])
  t.ok(Date.parse(report.from) <= Date.parse(report.to))
  t.ok(report.key)
})

t.test('sends again what was not answered, under the same key', async (t) => {
  const status = { now: 503 }
  const scene = await createScene(t, {}, accept(status))
  const access = await scene.verifier.verify(scene.server.token())
  access.can('records:create')
  await scene.verifier.close()
  access.can('records:update')
  status.now = 204
  await scene.verifier.close()
  const [first, again, next, ...others] = reportsOf(scene)
  t.same(others, [])
  t.same(again, first)
  t.not(next.key, first.key)
  t.same(
    [first, next].map(({ counts }) => counts[0].permission),
    ['records:create', 'records:update'],
  )
  t.same(scene.problems, [])
})

t.test('sends parts of 2,000, forgets what the server refuses, and has a bound', async (t) => {
  const scene = await createScene(t, { maxTokenLength: 1_000_000 }, accept({ now: 400 }))
  const permissions = Array.from({ length: 20_500 }, (_, at) => `own:${at}`)
  const access = await scene.verifier.verify(scene.server.token({ permissions }))
  for (const permission of permissions) access.can(permission)
  await scene.verifier.close()
  await scene.verifier.close()
  t.same(
    reportsOf(scene).map(({ counts }) => counts.length),
    Array.from({ length: 10 }, () => 2000),
  )
})

t.test('reports nothing without use, and with `usage: false`', async (t) => {
  for (const usage of [true, false]) {
    const scene = await createScene(t, { usage }, accept({ now: 204 }))
    const access = await scene.verifier.verify(scene.server.token())
    if (!usage) access.can('records:create')
    await scene.verifier.close()
    t.same(reportsOf(scene), [])
  }
})
