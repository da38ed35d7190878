import { parseCsv } from '../support/csv.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { withinOneDay } from '../support/one-day.ts'
import { expectPage, withoutReference } from '../support/refused-page.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, type VisitedPage } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

/** Names that could be mistaken for markup, formulas or separators. */
const hostile = [
  '=HYPERLINK("https://evil.example","x")',
  '</title><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '+1, "two"',
  '@SUM(A1:A9)',
  "-1\\'",
]

const entries = (page: VisitedPage) =>
  page.dom.querySelectorAll('.trail-item').map((one) => one.text.replace(/\s+/g, ' ').trim())

await withinOneDay()
await onEachBackend('activity of an organization', async (t, { running, issuer, world }) => {
  const { acme, other, kim, ana, zoe, confidential, second } = world
  const address = `${issuer}/organizations/${acme}/activity`
  const admin = await signedIn(issuer, kim)
  const get = (search = '') => admin.get(`${address}${search}`)

  let downloads = 0
  /** Downloads what a filter shows. The download is an event too: it is on the page when this ends. */
  const csvOf = async (search: string) => {
    const response = await admin.fetch(`${address}?${search}&format=csv`)
    const text = await response.text()
    downloads++
    const exported = `/audit?type=activity.exported&organization_id=${acme}&limit=200`
    await eventually(
      async () => (await running.operator('GET', exported)).body.items.length === downloads,
    )
    const [head = [], ...rows] = parseCsv(text)
    return {
      response,
      text,
      rows: rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']))),
      widths: new Set(rows.map((row) => row.length)),
    }
  }

  const named = await Promise.all(hostile.map((name) => createApp(running, { name })))
  for (const app of named) await install(running, acme, app)
  await running.operator('POST', `/organizations/${acme}/key-sets`, {
    name: '=1+1',
    interface: 'current',
    permissions: [],
  })
  const grant = await currentCode(running, confidential, ana)
  const first = await exchangeCode(issuer, confidential, grant)
  const replayed = await exchangeCode(issuer, confidential, grant)
  const refusedId = replayed.headers.get('x-request-id') as string
  for (const app of named) await clientCredentials(issuer, app, acme)

  // Events are written in batches, in their order.
  await eventually(async () => entries(await get(`?request_id=${refusedId}`)).length > 0)

  t.test('only admins see the page, others get 404', async (t) => {
    const unknown = `${issuer}/organizations/org0000000000000000/activity`
    const pages: string[] = []
    for (const [visitor, url, who] of [
      [await signedIn(issuer, ana), address, 'a member'],
      [await signedIn(issuer, zoe), address, 'somebody of another organization'],
      [admin, `${issuer}/organizations/${other}/activity`, 'an admin elsewhere'],
      [admin, unknown, 'an organization that is not there'],
      [admin, `${issuer}/organizations/%00/activity`, 'an id that is none'],
      [await signedIn(issuer, ana), `${address}?format=csv`, 'a member who downloads'],
    ] as const) {
      pages.push(withoutReference(await expectPage(t, await visitor.fetch(url), 404, who)))
    }
    t.equal(new Set(pages).size, 1, 'the same page')
    const nobody = await createVisitor(issuer).fetch(address)
    t.equal(nobody.status, 303)
    t.match(nobody.headers.get('location'), /^\/login\?return_to=/)
  })

  t.test('the trail shows actor, event, address and request id', async (t) => {
    const page = await get()
    t.equal(page.status, 200)
    t.match(page.headers.get('cache-control'), 'no-store')
    const older = page.dom.querySelector('a[rel="next"]')?.getAttribute('href') ?? ''
    const said = [...entries(page), ...entries(await admin.get(older.replaceAll('&amp;', '&')))]
    t.ok(said.some((one) => /The operator installed Report Builder/.test(one)))
    const consent = said.find((one) => one.includes('allowed Report Builder to act'))
    t.match(
      consent,
      /ana allowed Report Builder to act in their name Details [\d:]+ May: Create records/,
    )
    t.match(consent, /From 127\.0\.0\.1 Reference req_/)
    const groups = page.dom.querySelectorAll('.trail h4').map((one) => one.text)
    t.ok(groups.includes('Report Builder'), 'by app')
    t.match((await get('?group=people')).text, /<h4>\s*People and organization/)
    const days = page.dom.querySelectorAll('.trail-part h3')
    t.equal(groups.length, new Set(groups).size * days.length, 'an app once a day')
    const operators = said.filter((one) => one.includes('The operator'))
    t.ok(operators.length > 0 && operators.every((one) => !one.includes('127.0.0.1')))
  })

  t.test(
    'a refusal is found by its reference, with details that the client did not get',
    async (t) => {
      t.notMatch(JSON.stringify(replayed.body), /organization|about|reused/)
      const page = await get(`?request_id=${refusedId}`)
      t.match(
        entries(page).join('\n'),
        /Report Builder was refused a token: the code had been used/,
      )
      const { rows } = await csvOf(`request_id=${refusedId}`)
      t.match(rows, [
        {
          event: 'token.refused',
          client_id: confidential.client_id,
          user_id: ana.id,
          person: 'ana',
        },
      ])
      const elsewhere = await running.operator('GET', `/audit?request_id=${refusedId}`)
      t.match(elsewhere.body.items, [{ organization_id: acme, user_id: ana.id }])
    },
  )

  t.test('refusals without an organization are shown to no organization', async (t) => {
    const unknown = await refresh(issuer, confidential, 'lkrt_nonsense')
    const foreign = await refresh(issuer, second, first.body.refresh_token)
    const elsewhere = await clientCredentials(issuer, confidential, other)
    for (const answer of [unknown, foreign, elsewhere]) {
      t.equal(answer.status, 400)
      const id = answer.headers.get('x-request-id')
      const find = async () => (await running.operator('GET', `/audit?request_id=${id}`)).body.items
      await eventually(async () => (await find()).length > 0)
      t.match(await find(), [{ type: 'token.refused', organization_id: null, user_id: null }])
    }
  })

  t.test('the filters narrow the list', async (t) => {
    const day = (await csvOf('')).rows[0]?.time?.slice(0, 10) as string
    const tables: [search: string, holds: (row: Record<string, string>) => boolean][] = [
      ['group=keys', ({ event = '' }) => event.startsWith('key_set.')],
      ['group=people', ({ event = '' }) => /^(member|workspace_member)\./.test(event)],
      ['group=access', ({ event = '' }) => /^(token|grant|consent|connection)\./.test(event)],
      [`client_id=${second.client_id}`, ({ client_id }) => client_id === second.client_id],
      [`user_id=${ana.id}`, ({ user_id, actor_id }) => [user_id, actor_id].includes(ana.id)],
      [`from=${day}&to=${day}`, ({ time = '' }) => time.startsWith(day)],
      [`group=apps&client_id=${second.client_id}`, ({ event }) => event === 'install.approved'],
    ]
    for (const [search, holds] of tables) {
      const page = await get(`?${search}`)
      const { rows } = await csvOf(search)
      t.ok(rows.length > 0 && rows.every(holds), search)
      t.equal(entries(page).length, Math.min(12, rows.length), search)
      t.equal(page.dom.querySelector('figure'), null, 'a filtered list has no charts')
    }
    for (const search of [
      'to=2020-01-01',
      'client_id=app0',
      `user_id=${zoe.id}`,
      'request_id=req_0',
    ])
      t.match((await get(`?${search}`)).text, /No entry matches this filter/, search)
  })

  t.test('an invalid filter is reported at its field or ignored', async (t) => {
    for (const [search, field] of [
      ['from=yesterday', 'from'],
      ['to=2026-02-30', 'to'],
      ['from=2026-05-04&to=2026-05-03', 'to'],
      ['from=1969-12-31', 'from'],
      [`request_id=${encodeURIComponent("' or 1=1--")}`, 'request'],
      ['from=x&format=csv', 'from'],
    ] as const) {
      const page = await get(`?${search}`)
      t.equal(page.status, 400, search)
      t.equal(page.dom.querySelector('[aria-invalid="true"]')?.id, field, search)
      t.ok(page.dom.querySelector(`[role="alert"] a[href="#${field}"]`))
    }
    const all = entries(await get()).length
    for (const search of [
      'group=nothing',
      'group=__proto__',
      'client_id=%00',
      'older=x',
      'user_id=',
    ])
      t.equal(entries(await get(`?${search}`)).length, all, search)
    t.equal((await get('?group=keys&group=apps')).status, 200)
  })

  t.test('older, newer and back lead to the same page', async (t) => {
    for (let n = 0; n < 9; n++)
      await running.operator('PATCH', `/organizations/${acme}`, { name: `Acme ${n}` })
    await running.operator('PATCH', `/organizations/${acme}`, { name: 'Acme' })
    const search = '?group=organization'
    const newest = await get(search)
    t.equal(entries(newest).length, 12)
    t.equal(newest.dom.querySelector('a[rel="prev"]'), null)
    const link = (page: VisitedPage, rel: string) =>
      page.dom.querySelector(`a[rel="${rel}"]`)?.getAttribute('href') as string
    const older = await admin.get(new URL(link(newest, 'next').replaceAll('&amp;', '&'), issuer))
    t.ok(entries(older).length > 0)
    t.equal(older.dom.querySelector('a[rel="next"]'), null)
    t.same(
      entries(older).filter((one) => entries(newest).includes(one) && !/changed/.test(one)),
      [],
    )
    const back = await admin.get(new URL(link(older, 'prev').replaceAll('&amp;', '&'), issuer))
    t.same(entries(back), entries(newest))
    const { rows } = await csvOf('group=organization')
    t.equal(rows.length, 12 + entries(older).length, 'the download has every page')
  })

  t.test('the download follows RFC 4180 without formulas, whatever the names', async (t) => {
    const { response, rows, widths } = await csvOf('')
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.match(
      response.headers.get('content-disposition'),
      new RegExp(`^attachment; filename="activity-${acme}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
    t.equal(widths.size, 1, 'every record has the same number of cells')
    for (const cell of rows.flatMap((row) => Object.values(row))) t.notMatch(cell, /^[=+\-@\t\r]/)
    const names = new Set(rows.map((row) => row.app_or_key_set))
    for (const name of [...hostile, '=1+1'])
      t.ok(names.has(/^[=+\-@]/.test(name) ? `'${name}` : name), name)
    t.same(
      rows.map(({ time }) => time),
      rows
        .map(({ time }) => time)
        .toSorted()
        .reverse(),
    )
  })

  t.test('hostile names are escaped on the page and in its charts', async (t) => {
    const page = await get()
    t.equal(page.dom.querySelectorAll('script:not([src^="/assets/"]), [onload], [style]').length, 0)
    for (const name of hostile) t.notOk(/[<>]/.test(name) && page.text.includes(name), name)
    const options = page.dom.querySelectorAll('#client_id option').map((one) => one.text)
    for (const name of hostile) t.ok(options.includes(name), name)
  })

  t.test('neither the page nor the download contains a secret, code or token', async (t) => {
    const { text } = await csvOf('')
    const page = await get()
    const secrets = [
      confidential.client_secret,
      grant.code,
      grant.verifier,
      first.body.access_token,
      first.body.refresh_token,
      kim.password,
    ]
    for (const secret of secrets) t.notOk(text.includes(secret) || page.text.includes(secret))
  })
})
