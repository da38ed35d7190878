import { fillStock, newApp } from './catalogue.ts'
import { type Json, onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const stock = await fillStock(api)
  const url = 'https://hooks.example/latchkey?key=4711'
  const create = (part: Record<string, unknown> = {}) =>
    api.expect(201, 'POST', '/webhooks', { url, ...part })
  const trail = async (id: string) =>
    (await api.expect(200, 'GET', '/audit?limit=200')).items
      .filter((event: Json) => event.detail.webhook_id === id)
      .reverse()

  t.test('the secret of a webhook is shown once', async (t) => {
    const made = await api.call('POST', '/webhooks', { url, description: 'For reports' })
    t.equal(made.status, 201)
    t.equal(made.headers.get('location'), `/api/admin/v1/webhooks/${made.body.id}`)
    const { secret, ...shown } = made.body
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.match(shown, {
      id: /^whk/,
      url,
      client_id: null,
      events: null,
      description: 'For reports',
      disabled: false,
      disabled_reason: null,
      secrets: [{ id: /^sec/, hint: `…${secret.slice(-5, -1)}`, expires_at: null }],
    })
    t.same(await api.expect(200, 'GET', `/webhooks/${shown.id}`), shown)
    const { items } = await api.expect(200, 'GET', '/webhooks')
    t.same(
      items.find(({ id }: Json) => id === shown.id),
      shown,
    )
  })

  t.test('an app’s webhook gets only events for apps and is deleted with the app', async (t) => {
    const app = await api.expect(201, 'POST', '/apps', newApp())
    const { client_id } = app
    const hook = await create({ client_id, events: ['install.created', 'install.created'] })
    t.same(hook.events, ['install.created'])
    const refused = await api.call('POST', '/webhooks', {
      url,
      client_id,
      events: ['install.created', 'user.disabled'],
    })
    t.match(refused, {
      status: 400,
      body: { errors: [{ pointer: '/events/1', detail: /apps receive/ }] },
    })
    const patch = { events: ['key_set.created'] }
    t.equal((await api.call('PATCH', `/webhooks/${hook.id}`, patch)).status, 400)
    t.match(await api.call('POST', '/webhooks', { url, client_id: 'appNone' }), {
      status: 400,
      body: { errors: [{ pointer: '/client_id' }] },
    })
    await api.expect(204, 'DELETE', `/apps/${client_id}`)
    await api.expect(404, 'GET', `/webhooks/${hook.id}`)
  })

  t.test('a webhook needs a public https endpoint', async (t) => {
    const { id } = await create()
    for (const inside of [
      'http://hooks.example/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/meta-data/',
      'https://localhost/',
      'https://user:pass@hooks.example/',
    ]) {
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${id}`],
      ] as const) {
        const answer = await api.call(method, path, { url: inside })
        t.match(answer, { status: 400, body: { errors: [{ pointer: '/url' }] } }, inside)
        t.notMatch(JSON.stringify(answer.body), 'hooks.example', 'the answer repeats nothing')
      }
    }
  })

  t.test('changes are audited without the URL', async (t) => {
    const { id } = await create()
    const path = `/webhooks/${id}`
    const other = 'https://hooks.example/other?key=4711'
    await api.expect(200, 'PATCH', path, { url: other, events: ['install.created'] })
    await api.expect(200, 'PATCH', path, { url: other })
    t.match(await api.expect(200, 'PATCH', path, { disabled: true }), {
      url: other,
      disabled: true,
      disabled_reason: 'operator',
    })
    await api.expect(200, 'PATCH', path, { disabled: true })
    t.match(await api.call('POST', `${path}/test`), {
      status: 409,
      body: { type: 'urn:latchkey:problem:webhook-disabled' },
    })
    t.match(await api.expect(200, 'PATCH', path, { disabled: false }), { disabled_reason: null })
    await api.expect(201, 'POST', `${path}/test`)
    await api.expect(201, 'POST', `${path}/secrets`, { retire_others_after_seconds: 60 })
    await api.expect(204, 'DELETE', path)
    const events = await trail(id)
    t.same(
      events.map(({ type }: Json) => type),
      ['created', 'changed', 'disabled', 'enabled', 'tested', 'rotated', 'deleted'].map(
        (what) => `webhook.${what}`,
      ),
    )
    t.same(events[1].detail.changed, ['url', 'events'])
    t.notMatch(JSON.stringify(events), /4711|whsec_/)
  })

  t.test('at most two secrets are active, the old one for a limited time', async (t) => {
    const { id, secret } = await create()
    const path = `/webhooks/${id}/secrets`
    const second = await api.expect(201, 'POST', path, { retire_others_after_seconds: 60 })
    t.not(second.secret, secret)
    t.same(Object.keys(second).sort(), ['created_at', 'expires_at', 'hint', 'id', 'secret'])
    const third = await api.call('POST', path, { retire_others_after_seconds: 60 })
    t.match(third, { status: 409, body: { type: 'urn:latchkey:problem:too-many-secrets' } })
    const { secrets } = await api.expect(200, 'GET', `/webhooks/${id}`)
    t.match(secrets, [{ expires_at: /^20/ }, { id: second.id, expires_at: null }])

    const answers = await Promise.all([...Array(8)].map(() => api.call('POST', path)))
    t.ok(answers.every(({ status }) => status === 201))
    t.equal((await api.expect(200, 'GET', `/webhooks/${id}`)).secrets.length, 1, 'one remains')
  })

  t.test('deliveries are listed newest first, in pages', async (t) => {
    const { id } = await create({ events: ['install.suspended', 'install.resumed'] })
    const install = `/organizations/${stock.organization}/installs/${stock.app}`
    for (const suspended of [true, false, true, false])
      await api.expect(200, 'PATCH', install, { suspended })
    const sent = await api.expect(201, 'POST', `/webhooks/${id}/test`, {})
    const path = `/webhooks/${id}/deliveries`
    const { items, next } = await api.expect(200, 'GET', path)
    t.equal(next, null)
    t.same(items[0], sent)
    t.same(
      items.map(({ event }: Json) => event),
      ['test', 'resumed', 'suspended', 'resumed', 'suspended'].map((what, at) =>
        at === 0 ? 'webhook.test' : `install.${what}`,
      ),
    )
    t.match(items[0], { id: /^msg/, outcome: 'waiting', attempts: 0, status: null, error: null })
    const walked: string[] = []
    let cursor = ''
    do {
      const page = await api.expect(200, 'GET', `${path}?limit=2${cursor}`)
      walked.push(...page.items.map(({ id }: Json) => id))
      cursor = page.next && `&cursor=${page.next}`
    } while (cursor)
    t.same(
      walked,
      items.map(({ id }: Json) => id),
    )
    t.equal((await api.call('GET', `${path}?cursor=nonsense`)).status, 400)

    await api.expect(200, 'PATCH', `/webhooks/${id}`, { disabled: true })
    const given = (await api.expect(200, 'GET', path)).items
    t.ok(given.every((one: Json) => one.outcome === 'given_up' && one.next_attempt_at === null))
  })

  t.test('an unknown webhook is not found', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/secrets'],
      ['GET', '/deliveries'],
      ['POST', '/test'],
    ] as const)
      await api.expect(404, method, `/webhooks/whkNone${path}`, method === 'PATCH' ? {} : undefined)
  })
})
