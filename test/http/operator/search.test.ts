/** One search: what it finds, for whom, and how fast. */
import { performance } from 'node:perf_hooks'
import { foundKinds } from '../../../src/core/organizations/search.ts'
import { searchQuery } from '../../../src/stores/postgres/organizations/search.ts'
import { newApp } from './catalogue.ts'
import { type Json, onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const id = async (path: string, body: object) => (await api.expect(201, 'POST', path, body)).id
  const find = async (q: string, token = api.token): Promise<Json[]> => {
    const answer = await api.send('GET', `/search?${new URLSearchParams({ q })}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    t.equal(answer.status, 200, `${q}: ${JSON.stringify(answer.body)}`)
    return answer.body.items
  }
  const names = async (q: string, token?: string) => (await find(q, token)).map(({ name }) => name)
  const tokenWith = async (rights: object): Promise<string> =>
    (await api.expect(201, 'POST', '/operator-tokens', { name: 'T', ...rights })).token

  const acme = await id('/organizations', { name: 'Société Générale Ünïted' })
  const other = await id('/organizations', { name: 'Other' })
  const sales = await id(`/organizations/${acme}/workspaces`, { name: 'Sales EMEA' })
  const foreign = await id(`/organizations/${other}/workspaces`, { name: 'Sales APAC' })
  const ana = await id('/users', { name: "Ana O'Neill-Çelik", email: 'ana@Acme.test' })
  const bob = await id('/users', { name: 'Bob Sales', email: 'bob@other.test' })
  for (const [organization, user] of [
    [acme, ana],
    [other, bob],
  ])
    await api.expect(201, 'PUT', `/organizations/${organization}/members/${user}`, {
      role: 'member',
    })
  const app = async (name: string) =>
    (await api.expect(201, 'POST', '/apps', newApp({ name }))).client_id
  const [crm, wiki] = [await app('Sales Report Builder'), await app('Wiki Sync')]
  await api.expect(201, 'PUT', `/organizations/${acme}/installs/${crm}`, {
    permissions: [],
    workspace_ids: null,
  })
  const keySet = (organization: string, name: string) =>
    api.expect(201, 'POST', `/organizations/${organization}/key-sets`, {
      ...{ name, interface: 'current', permissions: [] },
    })
  const keys = await keySet(acme, 'Sales export')
  await keySet(other, 'Sales import')
  const server = await api.expect(201, 'POST', '/resource-servers', { name: 'Data API' })

  t.test('an item has its kind, id and name, and its organization if it is in one', async (t) => {
    t.same(await find('emea'), [
      { kind: 'workspace', id: sales, name: 'Sales EMEA', organization_id: acme },
    ])
    t.same(await find('Sales export'), [
      { kind: 'key_set', id: keys.id, name: 'Sales export', organization_id: acme },
    ])
    t.same(await find('wiki'), [{ kind: 'app', id: wiki, name: 'Wiki Sync' }])
    t.same(await find('data api'), [
      { kind: 'resource_server', id: server.client_id, name: 'Data API' },
    ])
    t.same(await find('generale'), [
      { kind: 'organization', id: acme, name: 'Société Générale Ünïted' },
    ])
    t.same(await find('ana@acme'), [{ kind: 'user', id: ana, name: "Ana O'Neill-Çelik" }])
  })

  t.test('each word begins a word of the name, or the text begins an id or address', async (t) => {
    for (const [q, found] of [
      ['rep sal', 'Sales Report Builder'],
      ['SALES BUILDER report', 'Sales Report Builder'],
      ['uilder', null],
      ['sales reports', null],
      ['sales emea wiki', null],
      ["o'neill", "Ana O'Neill-Çelik"],
      ['neill celik', "Ana O'Neill-Çelik"],
      ['ÇELİK', "Ana O'Neill-Çelik"],
      ['societe  united', 'Société Générale Ünïted'],
      ['ANA@ACME.TEST', "Ana O'Neill-Çelik"],
      ['acme.test', null],
      [crm, 'Sales Report Builder'],
      [wiki.slice(0, -3).toUpperCase(), 'Wiki Sync'],
      [`${crm} sales`, null],
      [keys.client_id, 'Sales export'],
      [sales, 'Sales EMEA'],
      ["'", null],
      ['\\', null],
      ['sales:* | wiki', null],
      ["wiki'", 'Wiki Sync'],
      ['\u0301', null],
      ['!', null],
    ] as const)
      t.same(await names(q), found === null ? [] : [found], q)
  })

  t.test('names of signs, of other scripts, and as long as they can be', async (t) => {
    for (const [name, q] of [
      ['+++', '++'],
      ['Ελλάδα Μουσική', 'ελλαδα μουσικη'],
      ['ΕΛΛΗΝΙΚΌΣ', 'ελληνικος'],
      ['Чайковский', 'ЧАЙКОВСКИ'],
      ['Łódź Straße Ærø', 'lodz STRASSE aero'],
      ['株式会社 東京', '東京'],
      ['ﬁne ①', 'fine 1'],
      ['🔑 keys', '🔑'],
    ]) {
      await id('/organizations', { name })
      t.same(await names(String(q)), [name], String(q))
    }
    const longest = '\uFDFA'.repeat(100)
    await id('/organizations', { name: longest })
    t.strictSame(await names('\uFDFA'), [longest])
  })

  t.test('a token finds what it may read', async (t) => {
    const kinds = async (permissions: string[], organizations: string[] | null = null) => {
      const token = await tokenWith({ permissions, organization_ids: organizations })
      return (await find('sal', token)).map(({ kind, name }) => `${kind} ${name}`).sort()
    }
    t.same(await kinds(['audit:read']), [])
    t.same(await kinds(['apps:read']), ['app Sales Report Builder'])
    t.same(await kinds(['users:read']), ['user Bob Sales'])
    t.same(await kinds(['organizations:read']), ['workspace Sales APAC', 'workspace Sales EMEA'])
    t.same(await kinds(['key_sets:read']), ['key_set Sales export', 'key_set Sales import'])
    t.equal((await kinds(['*'])).length, 6)
    t.same(await kinds(['*'], [acme]), [
      'app Sales Report Builder',
      'key_set Sales export',
      'workspace Sales EMEA',
    ])
    t.same(await kinds(['*'], [other]), [
      'key_set Sales import',
      'user Bob Sales',
      'workspace Sales APAC',
    ])
    const limited = await tokenWith({ permissions: ['*'], organization_ids: [other] })
    for (const q of [acme, sales, crm, ana, 'ana@acme.test', keys.client_id, server.client_id])
      t.same(await find(q, limited), [], q)
    t.same(await find('data', limited), [], 'resource servers of all')
    t.same((await find(foreign, limited)).length, 1)
    t.equal((await api.send('GET', '/search?q=a')).status, 401)
  })

  t.test('a search can be of one kind, and in one organization', async (t) => {
    const within = async (more: Record<string, string>, token = api.token) => {
      const query = new URLSearchParams({ q: 'sal', ...more })
      const headers = { authorization: `Bearer ${token}` }
      const { status, body } = await api.send('GET', `/search?${query}`, { headers })
      return status === 200 ? body.items.map(({ name }: Json) => name).sort() : status
    }
    t.same(await within({ kind: 'app' }), ['Sales Report Builder'])
    t.same(await within({ kind: 'workspace', organization_id: acme }), ['Sales EMEA'])
    t.same(await within({ organization_id: other }), ['Bob Sales', 'Sales APAC', 'Sales import'])
    const limited = await tokenWith({ permissions: ['*'], organization_ids: [other] })
    t.equal(await within({ organization_id: acme }, limited), 404)
    t.equal(await within({ kind: 'request' }), 400)
    t.same(await within({ organization_id: 'org_unknown' }), [])
  })

  t.test('a blank or unknown query is refused', async (t) => {
    for (const query of [
      '',
      '?q=',
      '?q=%20',
      '?q=%E3%80%80%09',
      `?q=${'a'.repeat(501)}`,
      '?q=a&x=1',
    ])
      t.equal((await api.call('GET', `/search${query}`)).status, 400, query)
    t.equal((await api.call('GET', '/search?q=a%00b')).status, 400)
    const [fault] = (await api.call('GET', '/search?q=+')).body.errors
    t.match(fault, { pointer: '/q', reason: 'empty' })
  })

  t.test('a name is found as soon as it is stored, and no more once it has changed', async (t) => {
    const one = await id('/organizations', { name: 'Zebra' })
    t.same(await names('zebra'), ['Zebra'])
    await api.expect(200, 'PATCH', `/organizations/${one}`, { name: 'Quagga' })
    t.same([await names('zebra'), await names('quagga')], [[], ['Quagga']])
    await api.expect(204, 'DELETE', `/organizations/${one}`)
    t.same(await names('quagga'), [])
  })

  t.test('exact matches come first, and the kinds take turns', async (t) => {
    for (let at = 0; at < 30; at++) await id('/organizations', { name: `Turn ${at}` })
    await id('/organizations', { name: 'Turn' })
    await app('Turn key')
    const items = await find('turn')
    t.equal(items.length, 20)
    t.equal(items[0].name, 'Turn')
    t.ok(items.some(({ name }) => name === 'Turn key'))
    t.same((await find('Turn 29'))[0].name, 'Turn 29')
  })

  t.test('100,000 names are searched by their indexes', async (t) => {
    // In parts, which a busy machine inserts within the limit of a statement.
    for (let last = 10_000; last <= 100_000; last += 10_000)
      await api.database.query(
        `insert into users (id, name, email)
         select 'usr_many' || n, 'Person ' || case when n > 99990 then 'Last' else 'First' end || ' N' || n,
           'many' || n || '@many.test' from generate_series($1::integer - 9999, $1) n`,
        [last],
      )
    await api.database.query(`insert into organizations (id, name)
      select 'org_many' || n, 'Company ' || n from generate_series(1, 2000) n`)
    await api.database.query('analyze users')
    await api.database.query('analyze organizations')
    for (const isLimited of [false, true]) {
      const plan = await api.database.transaction(async (tx) => {
        await tx.run('set local enable_seqscan = off')
        const values = ['person last', 20, foundKinds, ...(isLimited ? [[acme]] : [])]
        const query = `explain ${searchQuery(foundKinds, isLimited)}`
        return (await tx.values<string>(query, values)).join('\n')
      })
      t.notMatch(plan, 'Seq Scan', plan)
      t.match(plan, isLimited ? /_pkey|_search/ : /Bitmap Index Scan on users_search/)
    }
    const limited = await tokenWith({ permissions: ['*'], organization_ids: [acme] })
    for (const [q, count, token] of [
      ['n77777', 1],
      ['person last', 10],
      ['p', 20],
      ['person first n1', 20],
      ['many99999@many.test', 1],
      ['usr_many', 20],
      ['company 1999', 1],
      ['a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9', 0],
      ['person', 0, limited],
    ] as const) {
      await find(q, token)
      const began = performance.now()
      const found = await find(q, token)
      const took = Math.round(performance.now() - began)
      t.equal(found.length, count, q)
      t.comment(`${q}: ${took} ms`)
    }
  })
})
