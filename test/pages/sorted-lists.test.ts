/** Every list of the console and of an organization's pages: its order, its pages and its filters, without a script. */
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { install } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'

const rows = ({ dom }: VisitedPage) =>
  dom
    .querySelectorAll(
      'main tbody tr > th, ul.directory h2, ul.directory h3, li.installed .key-set-head h2',
    )
    .map((one) => one.text.replaceAll(/\s+/g, ' ').trim())

const hrefs = ({ dom }: VisitedPage, selector: string) =>
  dom.querySelectorAll(selector).map((one) => one.getAttribute('href') ?? '')

/** Follows "Next page" to the end. */
const walk = async (visitor: Visitor, path: string) => {
  const all: string[] = []
  for (let next: string | undefined = path; next; ) {
    const page: VisitedPage = await visitor.get(next)
    // The page of operator tokens lists the operators too.
    all.push(...rows(page).filter((one) => !one.endsWith('@console.test')))
    next = hrefs(page, 'main a[rel="next"]')[0]
  }
  return all
}

const many = 30

await onEachBackend('lists that are sorted', async (t, { running, stores, world }) => {
  const { acme, ana } = world
  const operator = async (path: string, body: object, method = 'POST') =>
    (await running.operator(method, path, body)).body
  await install(running, acme, world.confidential, { permissions: [] })
  const series = `(select n, lpad(n::text, 2, '0') as nr from generate_series(1, ${many}) n) n`
  // Each name is there twice, so that ties are in the order of the ids.
  const name = (word: string) => `'${word} ' || chr(64 + (n * 7 % ${many / 2}) + 1)`
  for (const statement of [
    `insert into users (id, email, name) select 'usr_s' || nr, 's' || nr || '@sorted.test', ${name('Sue')} from ${series}`,
    `insert into organizations (id, name) select 'org_s' || nr, ${name('Sorted')} from ${series}`,
    `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions, listed)
     select 'app_s' || nr, ${name('Sorter')}, 'current', 'public', '{https://s.example/cb}', '{}', true from ${series}`,
    `insert into members (organization_id, user_id, role) select '${acme}', 'usr_s' || nr, 'member' from ${series}`,
    `insert into workspaces (id, organization_id, name) select 'wks_s' || nr, '${acme}', ${name('Place')} from ${series}`,
    `insert into workspace_members (workspace_id, user_id) select 'wks_s01', 'usr_s' || nr from ${series}`,
    `insert into installs (id, organization_id, client_id, permissions, suspended_at)
     select 'ins_s' || nr, '${acme}', 'app_s' || nr, '{}', case when n <= 3 then now() end from ${series}`,
    `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
     select 'usr_s' || nr, '${acme}', 'app_s01', 'ins_s01', '{}', '{}' from ${series}`,
    `insert into key_sets (id, client_id, organization_id, interface, name, permissions)
     select 'kst_s' || nr, 'ksc_s' || nr, '${acme}', 'current', ${name('Keys')}, '{}' from ${series}`,
    `insert into client_hosts (host, policy) select 's' || nr || '.example', case when n <= 2 then 'refuse' else 'review' end from ${series}`,
    `insert into members (organization_id, user_id, role)
     select 'org_s' || nr, '${ana.id}', case when n % 3 = 0 then 'admin' else 'member' end from ${series}`,
    `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
     select '${ana.id}', '${acme}', 'app_s' || nr, 'ins_s' || nr, '{}', '{}' from ${series}`,
    `update consents set last_used_at = now() - make_interval(days => right(install_id, 2)::integer % 9) where user_id = '${ana.id}'`,
    `insert into sessions (id, lineage_hash, token_hash, user_id, credentials_epoch, sessions_epoch, methods, passkey_ids,
       authenticated_at, browser, created_at, last_seen_at, expires_at)
     select 'ses_s' || nr, nr, nr, id, credentials_epoch, sessions_epoch, '{password}', '{}', 0, 'Browser ' || nr,
       now() - n * interval '1 hour', now() - (n * 7 % ${many}) * interval '1 minute', now() + interval '1 day' from users, ${series} where id = '${ana.id}'`,
    `insert into permissions (interface, name, sentence, heading)
     select 'current', 'sorted:p' || nr, '"Sort"', 'other' from ${series}`,
    'update permission_catalogue set version = version + 1',
    `update users set disabled_at = now() where id in ('usr_s01', 'usr_s02')`,
  ])
    await sql(stores, statement)
  for (let at = 0; at < many; at++) {
    await operator('/webhooks', { url: `https://s${at}.example/` })
    await operator('/resource-servers', { name: `Server ${at % 9}` })
    await operator('/operator-tokens', { name: `Token ${at % 9}`, permissions: ['apps:read'] })
    await operator(`/organizations/${acme}/scim-tokens`, { name: `Scim ${at % 9}` })
  }
  const { visitor } = await visitAs(running, stores, '*')
  const admin = await signedIn(running.issuer, world.kim)
  const [console, own] = [`/operator/organizations/${acme}`, `/organizations/${acme}`]

  const lists: [path: string, orders: number, visitor?: Visitor][] = [
    ['/operator/organizations', 2],
    ['/operator/apps', 2],
    ['/operator/people', 3],
    ['/operator/resource-servers', 2],
    ['/operator/webhooks', 2],
    ['/operator/tokens', 2],
    ['/operator/hosts', 1],
    ['/operator/not-reviewed', 2],
    ['/operator/permissions', 2],
    [`/operator/people/${ana.id}/organizations`, 2],
    [`/operator/people/${ana.id}/apps`, 3],
    [`/operator/people/${ana.id}/sessions`, 2],
    [`${console}/members`, 2],
    [`${console}/workspaces`, 2],
    [`${console}/workspaces/wks_s01`, 2],
    [`${console}/installs`, 2],
    [`${console}/key-sets`, 2],
    [`${console}/sign-in`, 2],
    [`${console}/install`, 1],
    [`${own}/apps`, 2, admin],
    [`${own}/members`, 2, admin],
    [`${own}/members/${ana.id}`, 2, admin],
    [`${own}/apps/app_s01`, 1, admin],
    [`${own}/apps/app_s01/members`, 1, admin],
  ]
  for (const [path, orders, by = visitor] of lists)
    await t.test(`${path} is sorted by its headings`, async (t) => {
      const page = await by.get(path)
      t.equal(page.status, 200)
      const links = hrefs(page, 'main thead a.sorts').slice(0, orders)
      t.equal(links.length, orders)
      const usual = (await walk(by, path)).sort()
      t.ok(usual.length > 25, 'it has more than a page')
      for (const link of links) {
        const order = new URL(link, page.url).searchParams.get('sort') ?? ''
        t.ok(page.dom.querySelector(link.slice(link.indexOf('#'))), 'the answer has an anchor')
        const sorted = await by.get(link)
        const heading = sorted.dom.querySelector('main thead th[aria-sort]')
        t.ok(heading, order)
        const all = await walk(by, link)
        t.same([...all].sort(), usual, `${order} shows each one once`)
        const back = heading?.querySelector('a')?.getAttribute('href') ?? ''
        t.same(await walk(by, back), all.reverse(), `${order} the other way round`)
        const [next = ''] = hrefs(sorted, 'main a[rel="next"]')
        if (next === '') continue
        const [start = ''] = (await by.get(next)).dom
          .querySelectorAll('main nav a')
          .flatMap((one) => (one.text === 'First page' ? (one.getAttribute('href') ?? []) : []))
        t.same(rows(await by.get(start)), rows(sorted), 'the first page again')
      }
    })

  for (const [path, by, word] of [
    [`${own}/keys`, admin, 'keys'],
    [`${own}/directory`, admin, 'sorter'],
  ] as const)
    await t.test(`${path} is sorted by a field`, async (t) => {
      const page = await by.get(path)
      const orders = page.dom
        .querySelectorAll('main form[role="search"] select[name="sort"] option')
        .map((one) => one.getAttribute('value'))
      t.equal(orders.length, 4)
      const [first, second] = [
        await walk(by, `${path}?sort=name`),
        await walk(by, `${path}?sort=-name`),
      ]
      t.ok(first.length >= many)
      t.same(second, first.reverse())
      t.ok((await walk(by, `${path}?name=${word}&sort=-created_at`)).length >= many)
    })

  for (const [path, filter, count, by = visitor] of [
    ['/operator/people', 'disabled=true', 2],
    ['/operator/people', 'operator=true', 1],
    ['/operator/people', 'organization_id=org_s07', 1],
    ['/operator/permissions', 'interface=legacy', 6],
    [`/operator/people/${ana.id}/apps`, 'name=sorter+c', 2],
    [`/operator/people/${ana.id}/organizations`, 'name=sorted+c', 2],
    [`${own}/members/${ana.id}`, 'name=sorter+c', 2, admin],
    ['/operator/organizations', 'suspended_apps=true', 1],
    ['/operator/organizations', 'sandbox=true', 0],
    ['/operator/apps', 'reviewed=true', 0],
    ['/operator/apps', 'interface=legacy&disabled=true', 0],
    ['/operator/hosts', 'policy=refuse', 2],
    ['/operator/webhooks', 'disabled=true', 0],
    [`${console}/installs`, 'suspended=true', 3],
    [`${console}/members`, 'role=admin', 1],
    [`${own}/members`, 'role=admin', 1, admin],
    [`${own}/apps`, 'state=suspended', 3, admin],
  ] as [string, string, number, Visitor?][])
    await t.test(`${path} is filtered by ${filter}`, async (t) => {
      const page = await by.get(`${path}?${filter}`)
      t.equal(rows(page).length, count)
      const kept = page.dom
        .querySelectorAll('main form[role="search"] :is(option[selected], input)')
        .map((one) => one.getAttribute('value'))
      for (const [, value] of new URLSearchParams(filter)) t.ok(kept.includes(value), value)
      for (const link of hrefs(page, 'main thead a.sorts'))
        for (const [name, value] of new URLSearchParams(filter))
          t.equal(new URL(link, page.url).searchParams.get(name), value)
      const unknown = await by.get(`${path}?${filter.replace(/=.*/, '=nonsense')}`)
      t.equal(unknown.status, 200)
    })

  await t.test('a search keeps the order, and has pages', async (t) => {
    const page = await visitor.get('/operator/organizations?name=sorted&sort=-name')
    t.equal(rows(page).length, 15)
    const hidden = page.dom.querySelector('main form[role="search"] input[name="sort"]')
    t.equal(hidden?.getAttribute('value'), '-name')
    t.equal((await walk(visitor, '/operator/organizations?name=sorted&sort=-name')).length, many)
  })

  await t.test('the audit page takes names, and offers the kinds of events', async (t) => {
    const chosen = (page: VisitedPage, name: string) =>
      page.dom.querySelector(`main input[name="${name}"]`)?.getAttribute('value')
    for (const [name, typed, id] of [
      ['organization_id', 'acme', acme],
      ['user_id', world.ana.email, world.ana.id],
      ['client_id', 'report builder', world.confidential.client_id],
      ['client_id', 'app_gone', 'app_gone'],
    ] as const) {
      const page = await visitor.get(`/operator/audit?${new URLSearchParams({ [name]: typed })}`)
      t.equal(page.status, 200, typed)
      t.equal(chosen(page, name), id)
    }
    const several = await visitor.get('/operator/audit?client_id=Sorter+A')
    t.equal(several.status, 400)
    t.match(several.dom.querySelector('#client_id-fault')?.text, 'More than one fits')
    t.equal(chosen(several, 'client_id'), 'Sorter A')
    const unknown = await visitor.get('/operator/audit?client_id=No+such+app')
    t.equal(unknown.status, 400)
    const typed = await visitor.get('/operator/audit?type=app.created')
    const kind = typed.dom.querySelector('select[name="type"] option[selected]')
    t.equal(kind?.getAttribute('value'), 'app.created')
    t.notMatch(kind?.text, 'app.created')
    for (const name of ['organization_id', 'client_id', 'user_id'])
      t.ok(typed.dom.querySelector(`input[name="${name}"][data-pick]`), name)
  })

  await t.test('a wrong order gets a clear answer', async (t) => {
    for (const [path, by] of [
      ['/operator/apps', visitor],
      [`${own}/members`, admin],
    ] as const) {
      const page = await by.get(`${path}?sort=color`)
      t.equal(page.status, 400)
      t.match(page.dom.querySelector('h1')?.text, 'This list cannot be sorted like that')
      t.match(page.dom.querySelector('main')?.text, /sort has to be one of: .*name, -name/)
    }
  })
})
