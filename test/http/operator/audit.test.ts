import { fillStock } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

interface Event {
  id: string
  type: string
  organization_id: string | null
  client_id: string | null
  request_id: string | null
}

await onEveryBackend(async (t, api) => {
  const stock = await fillStock(api)
  const query = async (search = ''): Promise<{ items: Event[]; next: string | null }> =>
    api.expect(200, 'GET', `/audit${search}`)

  t.test('an event has actor, type, time, address and request id', async (t) => {
    const { items } = await query(`?client_id=${stock.app}&type=install.approved`)
    t.equal(items.length, 1)
    t.match(items[0], {
      type: 'install.approved',
      actor: { kind: 'operator', id: /^opt/ },
      organization_id: stock.organization,
      client_id: stock.app,
      address: '127.0.0.1',
      request_id: /./,
      at: /^\d{4}-\d\d-\d\dT/,
      detail: { permissions: ['records:create'], workspace_ids: [stock.workspace] },
    })
    const same = await query(`?request_id=${items[0]?.request_id}`)
    t.same(same.items, items)
  })

  t.test('events are filtered, newest first', async (t) => {
    const all = (await query('?limit=200')).items
    const numbers = all.map(({ id }) => Number(id))
    t.same(
      numbers,
      [...numbers].sort((a, b) => b - a),
    )
    const ofOrganization = (await query(`?organization_id=${stock.organization}`)).items
    t.same(
      ofOrganization,
      all.filter((event) => event.organization_id === stock.organization),
    )
    const ofApp = (await query(`?client_id=${stock.app}`)).items
    t.same(
      ofApp,
      all.filter((event) => event.client_id === stock.app),
    )
    const both = await query(`?client_id=${stock.app}&organization_id=${stock.other}`)
    t.same(both, { items: [], next: null })
    const types = (await query('?type=app.created')).items
    t.same(
      types,
      all.filter((event) => event.type === 'app.created'),
    )
  })

  t.test('events are filtered by time and by actor', async (t) => {
    const all = (await query('?limit=200')).items as (Event & {
      at: string
      actor: { id: string | null }
    })[]
    const [newest, oldest] = [all[0], all.at(-1)]
    const middle = all[Math.floor(all.length / 2)]
    const at = encodeURIComponent(middle?.at ?? '')
    const ids = (events: Event[]) => events.map(({ id }) => id)
    const from = (await query(`?limit=200&from=${at}`)).items
    const to = (await query(`?limit=200&to=${at}`)).items
    t.ok(from.some(({ id }) => id === newest?.id) && !to.some(({ id }) => id === newest?.id))
    t.ok(to.some(({ id }) => id === oldest?.id) && !from.some(({ id }) => id === oldest?.id))
    t.equal(from.length + to.length, all.length, 'no event is in both, and none is missing')
    const days = `from=${oldest?.at.slice(0, 10)}&to=${newest?.at.slice(0, 10)}`
    t.same(ids((await query(`?limit=200&${days}`)).items), ids(all))
    t.same((await query('?to=2020-01-01')).items, [])
    t.same((await query('?from=2999-01-01')).items, [])
    const actor = newest?.actor.id
    t.same(
      ids((await query(`?limit=200&actor_id=${actor}`)).items),
      ids(all.filter((event) => event.actor.id === actor)),
    )
    t.same((await query('?actor_id=usrNone')).items, [])
    const wrong = ['2026-02-30', '2026-05-03T25:00:00Z', '2026-05-03T12:00:00', '1969-12-31', 'now']
    for (const time of [...wrong, '2026-05-03T12:00:60Z'])
      await api.expect(400, 'GET', `/audit?from=${time}`)
    const backwards = await api.expect(400, 'GET', '/audit?from=2026-05-03&to=2026-05-01')
    t.match(backwards.errors, [{ pointer: '/to' }])
  })

  t.test('pages of events are stable while events are added', async (t) => {
    const all = (await query('?limit=200')).items
    const seen: Event[] = []
    let next: string | null = null
    do {
      const page = await query(`?limit=3${next ? `&cursor=${next}` : ''}`)
      t.ok(page.items.length <= 3)
      seen.push(...page.items)
      next = page.next
      await api.expect(201, 'POST', '/organizations', { name: 'Meanwhile' })
    } while (next)
    t.same(seen, all)
  })

  t.test('the audit trail outlives its subjects', async (t) => {
    const { id } = await api.expect(201, 'POST', '/organizations', { name: 'Gone' })
    await api.expect(204, 'DELETE', `/organizations/${id}`)
    const { items } = await query(`?organization_id=${id}`)
    t.same(
      items.map(({ type }) => type),
      ['organization.deleted', 'organization.created'],
    )
  })

  t.test('secrets are neither in the trail nor in the log nor in any answer', async (t) => {
    const app = await api.expect(201, 'POST', '/apps', {
      name: 'Secretive',
      interface: 'current',
      client_type: 'confidential',
      redirect_uris: ['https://app.example/cb'],
      permissions: [],
    })
    const keySets = `/organizations/${stock.organization}/key-sets`
    const keySet = await api.expect(201, 'POST', keySets, {
      name: 'Secretive',
      interface: 'current',
      permissions: [],
    })
    const rotated = await api.expect(200, 'POST', `${keySets}/${keySet.id}/rotate`)
    const made = await api.expect(201, 'POST', `/apps/${app.client_id}/secrets`)
    const server = await api.expect(201, 'POST', '/resource-servers', { name: 'Secretive' })
    const password = 'a secret pass phrase'
    await api.expect(201, 'POST', '/users', { email: 's@acme.test', name: 'S', password })
    const secrets = [
      app.client_secret,
      made.client_secret,
      keySet.secret,
      rotated.secret,
      server.client_secret,
      password,
      api.token,
    ]
    const paths = [
      '/audit?limit=200',
      '/apps?limit=200',
      `/apps/${app.client_id}`,
      `/apps/${app.client_id}/secrets`,
      keySets,
      `${keySets}/${keySet.id}`,
      '/resource-servers',
      '/users',
    ]
    const shown = [
      api.logged(),
      ...(await Promise.all(paths.map((path) => api.expect(200, 'GET', path)))).map((body) =>
        JSON.stringify(body),
      ),
    ].join('\n')
    for (const secret of secrets) t.notOk(shown.includes(secret))
  })
})
