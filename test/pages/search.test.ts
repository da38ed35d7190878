/** The search in the header: what an operator and an organization's admin find from any page, and who finds nothing. */
import { operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { install } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'

const ndjson = 'application/x-ndjson'

const found = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('main tbody th').map((one) => one.text.trim())
const groups = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('main h2').map((one) => one.text.trim())
const hrefOf = ({ dom }: VisitedPage, name: string) =>
  dom
    .querySelectorAll('main tbody th a')
    .find((one) => one.text.trim() === name)
    ?.getAttribute('href')

/** Sends the field of a page, as a browser does. */
const search = async (visitor: Visitor, page: VisitedPage, q: string) => {
  const form = page.dom.querySelector('header form[role="search"]')
  if (!form) throw new Error(`${page.url}: no search`)
  return visitor.get(`${form.getAttribute('action')}?${new URLSearchParams({ q })}`)
}

await onEachBackend('the search in the header', async (t, { running, stores, world }) => {
  const { acme, other } = world
  const create = async (path: string, body: object) =>
    (await running.operator('POST', path, body)).body
  const { id: sales } = await create(`/organizations/${acme}/workspaces`, { name: 'Zürich Sales' })
  await create(`/organizations/${other}/workspaces`, { name: 'Zürich Secret' })
  await install(running, acme, world.confidential, { permissions: [] })
  const person = { email: 'zuri@acme.test', name: 'Zuri Zander' }
  const { id: zuri } = await create('/users', person)
  await running.operator('PUT', `/organizations/${acme}/members/${zuri}`, { role: 'member' })
  await create('/users', { email: 'zuri@other.test', name: 'Zuri Elsewhere' })

  await t.test('an operator finds each kind and opens it', async (t) => {
    const { visitor } = await visitAs(running, stores, '*')
    const page = await search(visitor, await visitor.get('/operator/webhooks'), 'ZURI')
    t.same(found(page).sort(), ['Zuri Elsewhere', 'Zuri Zander', 'Zürich Sales', 'Zürich Secret'])
    t.same(groups(page).sort(), ['People', 'Workspaces'])
    t.match(page.dom.querySelector('h1')?.text, '4 results for “ZURI”')
    t.equal(page.dom.querySelector('#search-all')?.getAttribute('value'), 'ZURI')
    for (const name of found(page)) {
      const opened = await visitor.get(hrefOf(page, name) ?? '')
      t.equal(opened.status, 200, name)
      t.match(opened.dom.querySelector('h1')?.text, name)
    }
    t.same(found(await search(visitor, page, String(sales))), ['Zürich Sales'])
    t.equal((await search(visitor, page, ' ')).status, 200)
    const none = await search(visitor, page, '<b>"none')
    t.match(none.dom.querySelector('h1')?.text, 'Nothing found for')
  })

  await t.test('an operator finds what their rights show', async (t) => {
    const { visitor } = await visitAs(running, stores, 'users:read')
    const page = await search(visitor, await visitor.get('/operator'), 'zuri')
    t.same(found(page).sort(), ['Zuri Elsewhere', 'Zuri Zander'])
  })

  await t.test('each is found among 2,000 in three steps from any page', async (t) => {
    const many = Array.from({ length: 2000 }, (_, at) => String(at).padStart(4, '0'))
    const lines = [
      ...many.map((nr) => ({ type: 'organization', id: `org-${nr}`, name: `Customer ${nr}` })),
      ...many.map((nr) => ({
        type: 'user',
        id: `usr-${nr}`,
        email: `p${nr}@many.test`,
        name: `Reader ${nr}`,
      })),
      ...many.map((nr) => ({
        ...{ type: 'app', client_id: `many-${nr}`, name: `Sheet ${nr}`, interface: 'current' },
        ...{ client_type: 'public', redirect_uris: ['https://many.example/cb'], permissions: [] },
      })),
    ]
    const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': ndjson }
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    const sent = await fetch(`${running.issuer}/api/admin/v1/import`, {
      ...{ method: 'POST', headers, body },
    })
    const answer = await sent.text()
    t.same(
      answer.split('\n').filter((line) => line.includes('"refused"')),
      [],
    )
    const { visitor } = await visitAs(running, stores, '*')
    for (const [from, typed, name] of [
      ['/operator/webhooks', 'customer 1234', 'Customer 1234'],
      ['/operator/keys', 'p0987@many.test', 'Reader 0987'],
      ['/operator/audit', 'SHEET 0042', 'Sheet 0042'],
    ] as const) {
      const page = await search(visitor, await visitor.get(from), typed)
      t.same(found(page), [name])
      const opened = await visitor.get(hrefOf(page, name) ?? '')
      t.match(opened.dom.querySelector('h1')?.text, name)
    }
  })

  await t.test('a request id opens what happened in that request', async (t) => {
    const { visitor } = await visitAs(running, stores, '*')
    const { headers } = await running.operator('POST', '/organizations', { name: 'Traced' })
    const requestId = headers.get('x-request-id') ?? ''
    const page = await search(visitor, await visitor.get('/operator'), ` ${requestId} `)
    t.equal(page.url.pathname, `/operator/requests/${requestId}`)
    t.match(page.dom.text, 'organization.created')
  })

  await t.test('an admin finds what is in the organization, and nothing of another', async (t) => {
    const kim = await signedIn(running.issuer, world.kim)
    const start = await kim.get(`/organizations/${acme}/activity`)
    const page = await search(kim, start, 'zur')
    t.same(found(page).sort(), ['Zuri Zander', 'Zürich Sales'])
    t.same(groups(page).sort(), ['Members', 'Workspaces'])
    t.equal((await kim.get(hrefOf(page, 'Zuri Zander') ?? '')).status, 200)
    const { client_id } = world.confidential
    const app = await search(kim, start, client_id)
    t.equal((await kim.get(hrefOf(app, found(app)[0] ?? '') ?? '')).status, 200)
    t.same(found(await search(kim, start, 'zuri@other.test')), [])
    t.same(found(await search(kim, start, other)), [])
    t.equal((await kim.get(`/organizations/${other}/search?q=zur`)).status, 404)
    const trace = await search(kim, start, 'req_000000000000')
    t.equal(trace.url.pathname, `/organizations/${acme}/activity/requests/req_000000000000`)
  })

  await t.test('a request that waits is found by the name of its app', async (t) => {
    const kim = await signedIn(running.issuer, world.kim)
    const { client_id } = await create('/apps', {
      ...{ name: 'Zebra Reports', interface: 'current', client_type: 'public' },
      ...{ redirect_uris: ['https://zebra.example/cb'], permissions: [] },
    })
    const before = await search(kim, await kim.get(`/organizations/${acme}/apps`), 'zebra')
    t.same(found(before), [])
    await sql(
      stores,
      `insert into install_requests (id, organization_id, client_id, user_id, permissions)
       values ('rqt1', '${acme}', '${client_id}', '${world.ana.id}', '{}')`,
    )
    const page = await search(kim, before, 'zebra')
    t.same(groups(page), ['Requests for apps'])
    t.equal(hrefOf(page, 'Zebra Reports'), `/organizations/${acme}/apps#requests`)
  })

  await t.test('a member and a visitor find nothing', async (t) => {
    const ana = await signedIn(running.issuer, world.ana)
    t.equal((await ana.get(`/organizations/${acme}/search?q=zuri`)).status, 404)
    t.equal((await ana.get('/operator/search?q=zuri')).status, 404)
  })
})

await onEachBackend('the lists of the console', async (t, { running, stores, world }) => {
  const { acme } = world
  const create = async (path: string, body: object) =>
    String((await running.operator('POST', path, body)).body.id)
  for (let at = 1; at <= 30; at++) await create('/organizations', { name: `Northwind ${at}` })
  await create('/organizations', { name: 'Südwind' })
  await create(`/organizations/${acme}/workspaces`, { name: 'Südhaus' })
  await create(`/organizations/${acme}/key-sets`, {
    ...{ name: 'Südexport', interface: 'current', permissions: [] },
  })
  const eva = await create('/users', { email: 'eva@sud.test', name: 'Eva Süd' })
  await running.operator('PUT', `/organizations/${acme}/members/${eva}`, { role: 'member' })
  await create('/users', { email: 'max@sud.test', name: 'Max Sud' })
  await running.operator('POST', '/resource-servers', { name: 'Südapi' })
  const { visitor } = await visitAs(running, stores, '*')

  for (const [path, expected] of [
    ['/organizations', ['Südwind']],
    ['/people', ['eva@sud.test', 'max@sud.test']],
    ['/resource-servers', ['Südapi']],
    [`/organizations/${acme}/members`, ['eva@sud.test']],
    [`/organizations/${acme}/workspaces`, ['Südhaus']],
    [`/organizations/${acme}/key-sets`, ['Südexport']],
  ] as const)
    await t.test(`${path} can be searched`, async (t) => {
      const page = await visitor.get(`/operator${path}`)
      const form = page.dom.querySelector('main form[role="search"]')
      const [action = '', anchor = ''] = form?.getAttribute('action')?.split('#') ?? []
      t.ok(page.dom.querySelector(`#${anchor}`), 'the answer has an anchor')
      const listed = await visitor.get(`${action}?name=SUD`)
      t.same(found(listed).sort(), expected)
      const none = await visitor.get(`${action}?name=nothing`)
      t.same(found(none), [])
      t.match(none.dom.querySelector('main')?.text, 'Show all')
    })

  await t.test('a long list has a search, and the rest of its pages', async (t) => {
    const page = await visitor.get('/operator/organizations')
    t.equal(found(page).length, 15)
    t.ok(page.dom.querySelector('main a[rel="next"]'))
    t.same(found(await visitor.get('/operator/organizations?name=north+30')), ['Northwind 30'])
  })

  await t.test('apps to install are found by their names', async (t) => {
    const path = `/operator/organizations/${acme}/install`
    const { name } = (await running.operator('GET', `/apps/${world.confidential.client_id}`)).body
    t.ok(found(await visitor.get(`${path}?name=${encodeURIComponent(String(name))}`)).length > 0)
    t.same(found(await visitor.get(`${path}?name=nothing`)), [])
  })
})
