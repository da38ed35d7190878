import { fillStock, newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

// biome-ignore lint/suspicious/noExplicitAny: items of any list.
type Json = Record<string, any>

await onEveryBackend(async (t, api) => {
  const stock = await fillStock(api)
  const inOrganization = `/organizations/${stock.organization}`

  /** Ids in the order of the pages. */
  const walk = async (path: string, limit: number, key: string, after: string | null = null) => {
    const seen: string[] = []
    const limited = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
    let next = after
    do {
      const cursor: string = next ? `&cursor=${encodeURIComponent(next)}` : ''
      const page = await api.expect(200, 'GET', `${limited}${cursor}`)
      if (page.items.length > limit) throw new Error('more than asked for')
      seen.push(...page.items.map((item: Record<string, string>) => item[key]))
      next = page.next
    } while (next)
    return seen
  }

  const times = <Result>(work: (n: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: 7 }, (_, n) => work(n)))
  await times(async (n) => {
    const user = await api.expect(201, 'POST', '/users', { email: `p${n}@acme.test`, name: 'P' })
    await api.expect(201, 'PUT', `${inOrganization}/members/${user.id}`, { role: 'member' })
    await api.expect(201, 'PUT', `/workspaces/${stock.workspace}/members/${user.id}`)
    await api.expect(201, 'POST', '/organizations', { name: `Acme ${n}` })
    await api.expect(201, 'POST', `${inOrganization}/workspaces`, { name: `Workspace ${n}` })
    const app = await api.expect(201, 'POST', '/apps', newApp())
    const install = `${inOrganization}/installs/${app.client_id}`
    await api.expect(201, 'PUT', install, { permissions: [], workspace_ids: null })
    const keySet = { name: `Key set ${n}`, interface: 'legacy', permissions: [] }
    await api.expect(201, 'POST', `${inOrganization}/key-sets`, keySet)
    await api.expect(201, 'POST', '/resource-servers', { name: `Server ${n}` })
    await api.expect(201, 'POST', '/webhooks', { url: `https://hooks.example/${n}` })
  })

  const lists: [path: string, key: string][] = [
    ['/users', 'id'],
    ['/organizations', 'id'],
    [`${inOrganization}/members`, 'user_id'],
    [`${inOrganization}/workspaces`, 'id'],
    [`/workspaces/${stock.workspace}/members`, 'user_id'],
    ['/apps', 'client_id'],
    [`${inOrganization}/installs`, 'id'],
    [`${inOrganization}/key-sets`, 'id'],
    ['/resource-servers', 'client_id'],
    ['/webhooks', 'id'],
  ]
  for (const [path, key] of lists) {
    t.test(`${path} lists the same rows in creation order at any page size`, async (t) => {
      const { items, next } = await api.expect(200, 'GET', path)
      t.ok(items.length >= 8)
      t.equal(next, null)
      const created = items.map((item: { created_at: string }) => item.created_at)
      t.same(created, [...created].sort())
      const ids = items.map((item: Record<string, string>) => item[key])
      t.equal(new Set(ids).size, ids.length)
      for (const limit of [1, 3, ids.length, 200]) t.same(await walk(path, limit, key), ids)
    })
  }

  t.test('rows with the same time are ordered by id', async (t) => {
    await api.database.query(`update users set created_at = '2020-01-01T00:00:00.123456Z'`)
    const all = (await api.expect(200, 'GET', '/users')).items.map(({ id }: { id: string }) => id)
    t.same(await walk('/users', 2, 'id'), all)
  })

  t.test('the next page continues after a row that was deleted', async (t) => {
    const all = await walk('/resource-servers', 200, 'client_id')
    const page = await api.expect(200, 'GET', '/resource-servers?limit=2')
    await api.expect(204, 'DELETE', `/resource-servers/${all[1]}`)
    const rest = await api.expect(200, 'GET', `/resource-servers?cursor=${page.next}`)
    t.same(
      rest.items.map((item: { client_id: string }) => item.client_id),
      all.slice(2),
    )
  })

  /** The orders of each list that has more than that of creation, and the values of its items. */
  const sorted: [path: string, order: string, key: string, valueOf?: (item: Json) => string][] = [
    ['/users', 'name', 'id'],
    ['/users', 'email', 'id'],
    ['/organizations', 'name', 'id'],
    [
      `${inOrganization}/members`,
      'name',
      'user_id',
      (item: Json) => nameOf.get(item.user_id) ?? '',
    ],
    [`${inOrganization}/workspaces`, 'name', 'id'],
    [
      `/workspaces/${stock.workspace}/members`,
      ...(['name', 'user_id', (item: Json) => nameOf.get(item.user_id) ?? ''] as const),
    ],
    ['/apps', 'name', 'client_id'],
    [`${inOrganization}/installs`, 'name', 'id', (item: Json) => nameOf.get(item.client_id) ?? ''],
    [`${inOrganization}/key-sets`, 'name', 'id'],
    [`${inOrganization}/scim-tokens`, 'name', 'id'],
    ['/resource-servers', 'name', 'client_id'],
    ['/webhooks', 'url', 'id'],
    ['/operator-tokens', 'name', 'id'],
    ['/client-hosts', 'host', 'host'],
  ]
  const collated = async (values: string[]) => {
    const query = 'select v from unnest($1::text[]) v order by v'
    return (await api.database.query<{ v: string }>(query, [values])).rows.map(({ v }) => v)
  }
  const nameOf = new Map<string, string>()
  for (const [path, key] of [
    ['/users', 'id'],
    ['/apps', 'client_id'],
  ] as const)
    for (const item of (await api.expect(200, 'GET', path)).items) nameOf.set(item[key], item.name)

  for (const [path, order, key, readValue = (item: Json) => item[order] ?? ''] of sorted)
    t.test(`${path} is sorted by ${order}, both ways, at any page size`, async (t) => {
      const query = `${path}?sort=${order}`
      const { items } = await api.expect(200, 'GET', query)
      const ids = items.map((item: Json) => item[key])
      const expected = (await api.expect(200, 'GET', path)).items
        .map((item: Json) => `${readValue(item).toLowerCase()}\n${item[key]}`)
        .sort()
      t.same(
        items.map((item: Json) => `${readValue(item).toLowerCase()}\n${item[key]}`).sort(),
        expected,
      )
      const values = items.map((item: Json) => readValue(item).toLowerCase())
      t.same(values, await collated(values))
      for (const limit of [1, 2, 200]) {
        t.same(await walk(query, limit, key), ids)
        t.same(await walk(`${path}?sort=-${order}`, limit, key), [...ids].reverse())
      }
      const newest = await walk(`${path}?sort=-created_at`, 3, key)
      t.same(newest, [...(await walk(path, 3, key))].reverse())
    })

  t.test('a sorted page continues after a row that was renamed or deleted', async (t) => {
    const all = await walk('/organizations?sort=name', 200, 'id')
    const page = await api.expect(200, 'GET', '/organizations?sort=name&limit=3')
    await api.expect(204, 'DELETE', `/organizations/${all[2]}`)
    const rest = await walk('/organizations?sort=name', 200, 'id', page.next)
    t.same(rest, all.slice(3))
  })

  t.test('what is found has pages, an order and filters', async (t) => {
    const found = await walk('/organizations?q=acm&sort=-name', 2, 'id')
    t.equal(found.length, new Set(found).size)
    t.ok(found.length > 5)
    t.same(await walk('/organizations?q=nothing', 2, 'id'), [])
    t.same(await walk('/organizations?q=acme&sandbox=true', 2, 'id'), [])
    t.same(await walk('/organizations?q=acme&sandbox=false&sort=-name', 2, 'id'), found)
    const suspended = `${inOrganization}/installs/${stock.app}`
    await api.expect(200, 'PATCH', suspended, { suspended: true })
    t.same(await walk('/organizations?suspended_apps=true', 2, 'id'), [stock.organization])
    t.equal((await walk(`${inOrganization}/installs?suspended=true`, 2, 'id')).length, 1)
    t.same(await walk(`/users?organization_id=${stock.organization}&q=p3`, 2, 'id'), [
      ...(await walk('/users?email=p3@acme.test', 2, 'id')),
    ])
    t.same(await walk('/users?operator=true', 2, 'id'), [])
    t.same(await walk('/users?has_signed_in=true', 2, 'id'), [])
    t.same(await walk('/webhooks?q=EXAMPLE/3&disabled=false', 2, 'url'), [
      'https://hooks.example/3',
    ])
    const legacy = await api.expect(200, 'GET', '/apps?interface=legacy&disabled=false')
    t.ok(legacy.items.every((one: Json) => one.interface === 'legacy'))
  })

  t.test('a wrong order names what is allowed', async (t) => {
    const { status, body } = await api.call('GET', '/apps?sort=color')
    t.equal(status, 400)
    t.match(JSON.stringify(body), /sort.*created_at.*-created_at.*name.*-name/)
  })

  t.test('a cursor of another order does no harm', async (t) => {
    const { next } = await api.expect(200, 'GET', '/apps?sort=name&limit=1')
    for (const cursor of [next, '0.e30', '0.WyJhIiwxXQ', '5', `0.${'_'.repeat(1999)}`])
      for (const sort of ['name', '-name', 'created_at'])
        t.equal((await api.call('GET', `/apps?sort=${sort}&cursor=${cursor}`)).status, 200, cursor)
  })

  t.test('names are not sorted or searched without the right to read them', async (t) => {
    const { token } = await api.expect(201, 'POST', '/operator-tokens', {
      ...{ name: 'Few rights', permissions: ['organizations:read', 'installs:read'] },
    })
    for (const path of ['members', 'installs'])
      for (const [query, status] of [
        ['sort=created_at', 200],
        ['sort=name', 403],
        ['sort=-name', 403],
        ['q=p', 403],
      ] as const) {
        const target = `${inOrganization}/${path}?${query}`
        const headers = { authorization: `Bearer ${token}` }
        t.equal((await api.send('GET', target, { headers })).status, status, target)
      }
  })

  const encode = encodeURIComponent
  const refused = [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=many',
    'limit=1e999',
    'limit=99999999999999999999',
    'limit=1&limit=2',
    'limit[]=1',
    'cursor=',
    'cursor=%00',
    'cursor=nonsense',
    `cursor=${encode("1' or 1=1--")}`,
    `cursor=${encode('99999999999999999999')}`,
    `cursor=${encode('1.\u0000')}`,
    `cursor=${'a'.repeat(300)}`,
    `cursor=1.${'a'.repeat(2001)}`,
    'offset=1',
    '__proto__=1',
  ]
  t.test('an invalid page parameter is refused', async (t) => {
    for (const [path] of [...lists, ['/audit'], ['/signing-keys'], [`/apps/${stock.app}/secrets`]])
      for (const search of refused) {
        const { status, headers } = await api.call('GET', `${path}?${search}`)
        t.equal(status, 400, `${path}?${search}`)
        t.match(headers.get('content-type'), 'application/problem+json')
      }
  })

  t.test('a cursor with the largest number is after every row', async (t) => {
    for (const text of ['9999999999999999', '9999999999999999.zzz', '0', '0.x'])
      for (const [path] of [...lists, ['/audit']])
        t.equal((await api.call('GET', `${path}?cursor=${encode(text)}`)).status, 200, text)
  })
})
