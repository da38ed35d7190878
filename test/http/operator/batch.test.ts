/** Batches: several calls in one transaction. */
import { newApp } from './catalogue.ts'
import { type Json, onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const send = async (calls: Json[], dryRun = false) =>
    api.expect(200, 'POST', '/batch', { calls, dry_run: dryRun })
  const put = (path: string, body: Json) => ({ method: 'PUT', path, body })
  const counts = async () =>
    api.database.one<Json>(
      `select (select count(*) from audit_events) as events, (select count(*) from webhook_deliveries) as messages,
              (select count(*) from mail_events) as mails, (select count(*) from organizations) as organizations,
              (select count(*) from permissions) as permissions, (select count(*) from apps) as apps`,
    )
  await api.expect(201, 'POST', '/webhooks', { url: 'https://hooks.example/batch' })

  t.test('later calls see what earlier ones have made', async (t) => {
    const permission = { sentence: 'Reads plans.', group: 'read' }
    const answer = await send([
      put('/permissions/current/plans:read', permission),
      put('/organizations/batch-a', { name: 'A' }),
      put('/organizations/batch-a/workspaces/wksBatchA', { name: 'W' }),
      {
        method: 'POST',
        path: '/apps',
        body: newApp({ client_id: 'batch-app', permissions: ['plans:read'] }),
      },
      put('/organizations/batch-a/installs/batch-app', {
        permissions: ['plans:read'],
        workspace_ids: ['wksBatchA'],
      }),
      { method: 'GET', path: '/organizations/batch-a/installs/batch-app' },
    ])
    t.equal(answer.applied, true)
    t.same(
      answer.results.map(({ status }: Json) => status),
      [201, 201, 201, 201, 201, 200],
    )
    t.match(answer.results[3].body.client_secret, /^lkcs_/)
    t.match(await api.expect(200, 'GET', '/organizations/batch-a/installs/batch-app'), {
      permissions: ['plans:read'],
      workspace_ids: ['wksBatchA'],
    })
  })

  t.test('a refused call undoes all before it, and nothing after it runs', async (t) => {
    const before = await counts()
    const answer = await send([
      put('/permissions/current/undone:read', { sentence: 'Is undone.', group: 'read' }),
      put('/organizations/batch-b', { name: 'B' }),
      put('/organizations/batch-c', { name: '' }),
      put('/organizations/batch-d', { name: 'D' }),
    ])
    t.equal(answer.applied, false)
    t.same(
      answer.results.map(({ status }: Json) => status),
      [201, 201, 400],
    )
    t.match(answer.results[2].body, { errors: [{ pointer: '/name' }] })
    t.same(await counts(), before)
    await api.expect(404, 'GET', '/organizations/batch-b')
    // The catalogue of the process forgets the word too, and an app cannot have it.
    await api.expect(404, 'GET', '/permissions/current/undone:read')
    await api.expect(400, 'POST', '/apps', newApp({ permissions: ['undone:read'] }))
  })

  t.test('a dry run answers as the batch would, and leaves nothing', async (t) => {
    const before = await counts()
    const calls = [
      put('/organizations/batch-a', { name: 'Renamed' }),
      { method: 'DELETE', path: '/organizations/batch-a/installs/batch-app' },
      put('/organizations/batch-e', { name: 'E' }),
    ]
    const dry = await send(calls, true)
    t.equal(dry.applied, false)
    t.same(
      dry.results.map(({ status }: Json) => status),
      [200, 204, 201],
    )
    t.same(await counts(), before)
    await api.expect(200, 'GET', '/organizations/batch-a/installs/batch-app')
    const applied = await send(calls)
    t.equal(applied.applied, true)
    const after = await counts()
    t.equal(Number(after.events) - Number(before.events), 3)
    t.ok(Number(after.messages) > Number(before.messages))
  })

  t.test('each call needs the rights that it needs alone', async (t) => {
    const limited = await api.expect(201, 'POST', '/operator-tokens', {
      name: 'one organization',
      permissions: ['organizations:write', 'organizations:read'],
      organization_ids: ['batch-a'],
    })
    const sendAs = async (token: string, calls: Json[]) =>
      api.send('POST', '/batch', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ calls }),
      })
    const own = { method: 'PATCH', path: '/organizations/batch-a', body: { name: 'Own' } }
    const foreign = { method: 'PATCH', path: '/organizations/batch-e', body: { name: 'No' } }
    t.match(await sendAs(limited.token, [own]), { status: 200, body: { applied: true } })
    t.match(await sendAs(limited.token, [own, foreign]), {
      body: { applied: false, results: [{ status: 200 }, { status: 404 }] },
    })
    const app = { method: 'POST', path: '/apps', body: newApp() }
    t.match(await sendAs(limited.token, [app]), {
      body: { applied: false, results: [{ status: 403, body: { permission: 'apps:write' } }] },
    })
    t.equal((await sendAs('lkop_wrong', [own])).status, 401)
  })

  t.test('only calls that change rows are taken, up to a number', async (t) => {
    for (const path of [
      '/batch',
      '/apps/import',
      '/apps/%69mport',
      '/webhooks/whk1/test',
      '/apps/../operator-tokens',
      '/organizations?limit=1',
      '/signing-keys/rotate',
    ]) {
      const answer = await api.call('POST', '/batch', {
        calls: [{ method: 'POST', path, body: {} }],
      })
      t.equal(answer.status, 400, path)
    }
    const many = Array.from({ length: 1001 }, () => ({ method: 'GET', path: '/apps/none' }))
    t.equal((await api.call('POST', '/batch', { calls: many })).status, 400)
  })

  t.test('many at once: each is whole, and other requests see none that is not', async (t) => {
    const batches = Array.from({ length: 10 }, (_, at) =>
      send([
        put(`/organizations/many-${at}`, { name: `Many ${at}` }),
        put(`/organizations/many-${at}/workspaces/wksMany${at}`, { name: 'W' }),
        // Every other one is refused at its end.
        put(`/organizations/many-${at}/workspaces/wksMore${at}`, { name: at % 2 ? 'W' : '' }),
      ]),
    )
    const watched: number[] = []
    const watch = async () => {
      const { items } = await api.expect(200, 'GET', '/organizations?q=Many&limit=200')
      for (const { id } of items) {
        const found = await api.expect(200, 'GET', `/organizations/${id}/workspaces`)
        watched.push(found.items.length)
      }
    }
    await Promise.all([...batches, watch(), watch(), watch()])
    await watch()
    t.ok(watched.length >= 5)
    t.same(new Set(watched), new Set([2]))
    t.equal((await Promise.all(batches)).filter(({ applied }) => applied).length, 5)
  })
})
