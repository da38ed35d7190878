import { fillStock, newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const stock = await fillStock(api)
  const inOrganization = `/organizations/${stock.organization}`

  /** Ids in the order of the pages. */
  const walk = async (path: string, limit: number, key: string) => {
    const seen: string[] = []
    let next: string | null = null
    do {
      const cursor: string = next ? `&cursor=${encodeURIComponent(next)}` : ''
      const page = await api.expect(200, 'GET', `${path}?limit=${limit}${cursor}`)
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
    `cursor=1.${'a'.repeat(501)}`,
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
