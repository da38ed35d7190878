/** Which permissions data APIs granted to apps: what they report, and what is said of it. */
import { randomUUID } from 'node:crypto'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { withinOneDay } from '../support/one-day.ts'
import { introspectAt, readFeed, registerResourceServer } from '../support/resource-server.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const day = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

type Sender = { authorization: string }

const reporting = ({ issuer, running, world }: Scene) => {
  const report = async (sender: Sender, body: unknown, key?: string) => {
    const response = await fetch(`${issuer}/api/oauth/usage`, {
      method: 'POST',
      headers: {
        authorization: sender.authorization,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return response.status
  }
  return {
    report,
    count: (
      sender: Sender,
      counts: readonly unknown[],
      { to = Date.now(), key }: { to?: number; key?: string } = {},
    ) => report(sender, { from: iso(to - 15_000), to: iso(to), counts }, key),
    use: async (app: { client_id: string }, days = '30', organization = world.acme) =>
      running.operator(
        'GET',
        `/organizations/${organization}/installs/${app.client_id}/usage?days=${days}`,
      ),
  }
}

await withinOneDay()
await onEachBackend('use that data APIs report', async (t, scene) => {
  const { running, world } = scene
  const { report, count, use } = reporting(scene)
  const installed = async (part = {}, organization = world.acme) => {
    const app = await createApp(running, { name: 'Own' })
    await install(running, organization, app, part)
    return app
  }
  const one = (
    app: { client_id: string },
    permission: string,
    times = 1,
    organization = world.acme,
  ) => ({
    client_id: app.client_id,
    organization_id: organization,
    permission,
    count: times,
  })
  const used = async (app: { client_id: string }, days?: string) => {
    const { body } = await use(app, days)
    return Object.fromEntries(
      body.permissions
        .filter((part: { count: number }) => part.count > 0)
        .map((part: { permission: string; count: number }) => [part.permission, part.count]),
    )
  }
  const dataApi = await registerResourceServer(running)

  t.test('counts each granted permission and reading', async (t) => {
    const app = await installed()
    const counts = [
      one(app, 'records:create', 2),
      one(app, 'records:create', 3),
      one(app, 'read', 7),
    ]
    t.equal(await count(dataApi, counts), 204)
    t.equal(await count(dataApi, [one(app, 'records:create')]), 204)
    const { status, body } = await use(app)
    const today = iso(Date.now()).slice(0, 10)
    t.equal(status, 200)
    t.same(body, {
      days: 30,
      permissions: [
        { permission: 'records:create', count: 6, last_used_on: today },
        { permission: 'records:update', count: 0, last_used_on: null },
        { permission: 'workspace_members:read', count: 0, last_used_on: null },
        { permission: 'read', count: 7, last_used_on: today },
      ],
      measured: true,
    })
    const legacy = await createApp(running, {
      interface: 'legacy',
      permissions: legacyPermissions,
    })
    await install(running, world.acme, legacy, { permissions: ['readData'] })
    t.same((await use(legacy)).body.permissions, [
      { permission: 'readData', count: 0, last_used_on: null },
    ])
    t.equal((await use(world.confidential, '30', 'orgNone')).status, 404)
    for (const days of ['0', '401', 'x', '1.5']) t.equal((await use(app, days)).status, 400, days)
  })

  t.test('counts on the day of the end of the period', async (t) => {
    const app = await installed()
    const midnight = Date.now() - (Date.now() % day)
    await count(dataApi, [one(app, 'records:create')], { to: midnight - 1 })
    await count(dataApi, [one(app, 'records:update')], { to: midnight })
    t.same(await used(app, '1'), { 'records:update': 1 })
    t.same(await used(app, '2'), { 'records:create': 1, 'records:update': 1 })
    await count(dataApi, [one(app, 'read')], { to: midnight - 399 * day })
    t.same((await used(app, '399')).read, undefined)
    t.same((await used(app, '400')).read, 1)
  })

  t.test('refuses what is malformed, and counts nothing of it', async (t) => {
    const app = await installed()
    const now = Date.now()
    const good = { from: iso(now), to: iso(now), counts: [one(app, 'read')] }
    const many = (length: number) => Array.from({ length }, () => one(app, 'read'))
    const refused: [string, unknown][] = [
      ['no JSON', '{'],
      ['no object', '[]'],
      ['null', 'null'],
      ['no time', { ...good, from: undefined }],
      ['a day', { ...good, to: iso(now).slice(0, 10) }],
      ['the end before the beginning', { ...good, from: iso(now + 1000) }],
      ['more than a day', { ...good, from: iso(now - day - 1000) }],
      ['the future', { ...good, to: iso(now + 90_000) }],
      ['no counts', { from: good.from, to: good.to }],
      ['2001 counts', { ...good, counts: many(2001) }],
      ['no part', { ...good, counts: [one(app, 'read'), null] }],
      ['a negative count', { ...good, counts: [one(app, 'read', -1)] }],
      ['a fraction', { ...good, counts: [one(app, 'read', 1.5)] }],
      ['a text as count', { ...good, counts: [{ ...one(app, 'read'), count: '1' }] }],
      ['no permission', { ...good, counts: [{ ...one(app, 'read'), permission: 1 }] }],
      ['NUL', { ...good, counts: [one(app, 'read\0')] }],
    ]
    for (const [name, body] of refused) t.equal(await report(dataApi, body), 400, name)
    for (const key of ['', 'k'.repeat(256)]) t.equal(await report(dataApi, good, key), 400, key)
    t.equal(await report({ authorization: 'Basic eDp5' }, good), 401)
    t.same(await used(app), {})
    t.equal(await report(dataApi, { ...good, counts: many(2000) }), 204)
    t.equal(await report(dataApi, { ...good, to: iso(now + 50_000) }), 204)
    t.equal(await report(dataApi, { ...good, from: iso(now - day) }), 204)
    t.same(await used(app), { read: 2002 })
  })

  t.test('keeps huge counts within bounds', async (t) => {
    const app = await installed()
    const most = one(app, 'read', Number.MAX_SAFE_INTEGER)
    t.equal(await count(dataApi, [most, most]), 204)
    t.equal(await count(dataApi, [most]), 204)
    t.same(await used(app), { read: 1e15 })
  })

  t.test('counts the same key of one data API once, of many at once', async (t) => {
    const app = await installed()
    const other = await registerResourceServer(running)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => count(dataApi, [one(app, 'read', at + 1)], { key })),
    )
    t.ok(answers.every((status) => status === 204))
    t.equal(await count(other, [one(app, 'records:create')], { key }), 204)
    const { read, ...rest } = await used(app)
    t.ok(read >= 1 && read <= 30)
    t.same(rest, { 'records:create': 1 })
    t.equal(await count(dataApi, [one(app, 'records:update')], { key }), 204)
    t.same((await used(app))['records:update'], undefined)
  })

  t.test('adds up reports of many data APIs at once', async (t) => {
    const apps = await Promise.all(Array.from({ length: 5 }, () => installed()))
    const parts = apps.flatMap((app) => [one(app, 'read'), one(app, 'records:create')])
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        count(dataApi, at % 2 ? parts : parts.toReversed(), { key: randomUUID() }),
      ),
    )
    t.ok(answers.every((status) => status === 204))
    for (const app of apps) t.same(await used(app), { read: 40, 'records:create': 40 })
  })

  t.test('drops what is unknown, and what is not of the data API', async (t) => {
    const app = await installed()
    const limited = await registerResourceServer(running, {
      permissions: ['records:create'],
      organization_ids: [world.other],
    })
    const knowing = await registerResourceServer(running, { permissions: ['records:create'] })
    t.equal(
      await count(dataApi, [
        one({ client_id: 'appNone' }, 'read'),
        one(app, 'nothing:known'),
        one(app, 'read', 1, 'orgNone'),
        one(app, 'read', 1, world.other),
        one(app, 'read', 0),
      ]),
      204,
    )
    t.equal(await count(limited, [one(app, 'records:create')]), 204)
    t.same(await used(app), {})
    t.equal(await count(knowing, [one(app, 'records:update'), one(app, 'records:create')]), 204)
    t.same(await used(app), { 'records:create': 1 })
  })
})

await onEachBackend('use that is measured', async (t, scene) => {
  const { running, issuer, world } = scene
  const { count, use } = reporting(scene)
  const isMeasured = async (organization = world.acme) => {
    const { status, body } = await use(world.confidential, '30', organization)
    if (status !== 200) throw new Error(`usage: ${status}`)
    return body.measured as boolean
  }
  for (const organization of [world.acme, world.other])
    await install(running, organization, world.confidential)

  t.equal(await isMeasured(), false, 'no data API')
  const first = await registerResourceServer(running)
  t.equal(await isMeasured(), false, 'one that did nothing')
  await readFeed(issuer, first)
  t.equal(await isMeasured(), false, 'one that polled only')
  await count(first, [])
  t.equal(await isMeasured(), true, 'one that reported nothing')
  const second = await registerResourceServer(running, { organization_ids: [world.other] })
  t.equal(await isMeasured(world.other), true, 'one that never called')
  await introspectAt(issuer, second, 'x')
  t.equal(await isMeasured(world.other), false, 'one that introspected only')
  t.equal(await isMeasured(), true, 'one of another organization')
  await count(second, [])
  t.equal(await isMeasured(world.other), true)
  const third = await registerResourceServer(running, { organization_ids: [world.acme] })
  await readFeed(issuer, third)
  t.equal(await isMeasured(), false)
  await running.operator('DELETE', `/resource-servers/${third.clientId}`)
  t.equal(await isMeasured(), true, 'a deleted one does not count')
})
