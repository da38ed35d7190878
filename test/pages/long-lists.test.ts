import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { decide, postFields, rowOf, wordsOf } from './organization-visit.ts'

const hundreds = 230

/** The names in the table or on the cards of a page. */
const shown = (page: VisitedPage) =>
  page.dom
    .querySelectorAll(
      'ul.connected > li.panel :is(h2, h3), li.installed .key-set-head h2, table.compare tbody th a',
    )
    .map((one) => one.text.trim())

const link = (page: VisitedPage, words: string) =>
  page.dom
    .querySelectorAll('main a')
    .find((one) => one.text.trim() === words)
    ?.getAttribute('href') ?? null

/** Follows "Next page" to the end. */
const pagesFrom = async (visitor: Visitor, path: string) => {
  const pages = [await visitor.get(path)]
  for (let next = link(pages[0]!, 'Next page'); next; next = link(pages.at(-1)!, 'Next page'))
    pages.push(await visitor.get(next))
  return pages
}

await onEachBackend('long lists', async (t, { world, issuer, stores }) => {
  const { acme, kim, ana } = world
  const [apps, keys] = [`/organizations/${acme}/apps`, `/organizations/${acme}/keys`]
  const admin = await signedIn(issuer, kim)
  const member = await signedIn(issuer, ana)
  const numbers = `select n, lpad(n::text, 3, '0') as nr from generate_series(1, ${hundreds}) n`
  for (const statement of [
    `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
     select 'app_bulk' || nr, case when n % 2 = 0 then 'Tool ' else 'tool ' end || nr, 'current',
       'public', '{https://bulk.example/cb}', '{records:create}' from (${numbers}) n`,
    `insert into installs (id, organization_id, client_id, permissions)
     select 'ins_bulk' || nr, '${acme}', 'app_bulk' || nr, '{}' from (${numbers}) n`,
    `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
     select '${ana.id}', '${acme}', 'app_bulk' || nr, 'ins_bulk' || nr, '{}', '{}' from (${numbers}) n`,
    `insert into key_sets (id, client_id, organization_id, interface, name, permissions)
     select 'kst_bulk' || nr, 'ksc_bulk' || nr, '${acme}', 'current', 'Set ' || nr, '{}'
     from (${numbers}) n`,
  ])
    await sql(stores, statement)
  const named = (word: string) =>
    Array.from({ length: hundreds }, (_, at) => `${word} ${String(at + 1).padStart(3, '0')}`)

  await t.test('lists every app once, ordered by name in any letter case', async (t) => {
    const pages = await pagesFrom(admin, apps)
    const all = pages.flatMap(shown)
    t.ok(pages.length > 5)
    t.same(
      all.filter((one) => /tool/i.test(one)).map((one) => one.toLowerCase()),
      named('tool'),
    )
    t.equal(all.length, hundreds + 5, 'with the earlier ones')
    t.equal(new Set(all).size, all.length)
    t.equal(link(pages[0]!, 'First page'), null)
    t.same(shown(await admin.get(link(pages[3]!, 'First page')!)), shown(pages[0]!))
    t.match(pages[2]!.url.search, /^\?after=0\.[\w-]+$/)
  })

  await t.test(
    'a search matches a part of the name, and its pages stay within the result',
    async (t) => {
      const first = await admin.get(`${apps}?name=%20TOOL%201%20`)
      const pages = await pagesFrom(admin, `${apps}?name=%20TOOL%201%20`)
      t.same(pages.flatMap(shown).length, 100)
      t.ok(pages.flatMap(shown).every((one) => /^tool 1\d\d$/i.test(one)))
      t.equal(first.dom.querySelector('#find')?.getAttribute('value'), 'TOOL 1')
      const all = link(first, 'Show all')
      t.equal(all, apps)
      for (const [name, count] of [
        ['report', 1],
        ['%25', 0],
        ['_', 0],
        ["' or true --", 0],
        ['%00tool 007', 1],
        [`${'x'.repeat(5000)}`, 0],
      ] as const) {
        const page = await admin.get(`${apps}?name=${name}`)
        t.equal(page.status, 200, name.slice(0, 20))
        t.equal(shown(page).length, count, name.slice(0, 20))
        t.equal(
          wordsOf(page).includes('No installed app fits this search'),
          count === 0,
          name.slice(0, 20),
        )
      }
      const marked = await admin.get(`${apps}?name=%3Cb%3E`)
      t.notMatch(marked.text, '<b>')
    },
  )

  await t.test('a decision returns to the same page of the list', async (t) => {
    const [, , third] = await pagesFrom(admin, `${apps}?name=tool`)
    const about = { client_id: 'app_bulk060' }
    t.ok(rowOf(third!, about.client_id))
    const answer = await postFields(admin, third!.url.href, { ...about, decision: 'suspend' })
    const suspended = await admin.get(new URL(answer.headers.get('location') ?? '', issuer))
    t.match(wordsOf(suspended), 'Tool 060 is suspended')
    t.same(shown(suspended), shown(third!))
    t.equal(suspended.url.searchParams.get('name'), 'tool')
  })

  await t.test('deleting the last row of a page keeps the next page', async (t) => {
    const [first, second] = await pagesFrom(admin, `${apps}?name=tool`)
    const last = shown(first!).at(-1)!.slice(-3)
    const page = await admin.get(`${apps}/app_bulk${last}/uninstall`)
    await decide(admin, page, 'uninstall', { client_id: `app_bulk${last}` })
    t.same(shown(await admin.get(second!.url)), shown(second!))
    await sql(stores, `delete from apps where client_id = 'app_bulk${last}'`)
    const again = await admin.get(second!.url)
    t.equal(again.status, 200)
    t.same(shown(again)[0], shown(second!)[0], 'deleted for good: from the same place')
  })

  await t.test('a state narrows the list, and the pages of the result', async (t) => {
    const suspended = await admin.get(`${apps}?state=suspended`)
    t.same(shown(suspended), ['Tool 060'])
    t.equal(link(suspended, 'Show all'), apps)
    t.same(shown(await admin.get(`${apps}?state=suspended&name=report`)), [])
    const working = await pagesFrom(admin, `${apps}?state=working`)
    t.notOk(working.flatMap(shown).includes('Tool 060'))
    t.ok(working.length > 5)
    t.ok(working.slice(1).every(({ url }) => url.searchParams.get('state') === 'working'))
    await sql(
      stores,
      `update installs set created_at = now() - interval '91 days' where client_id
      in ('app_bulk070', 'app_bulk071')`,
    )
    await sql(stores, `update installs set last_used_at = now() where client_id = 'app_bulk071'`)
    t.same(shown(await admin.get(`${apps}?state=unused`)), ['Tool 070'])
    const start = shown(await admin.get(apps))
    for (const state of ['x', '', '%00', "' or true --"])
      t.same(shown(await admin.get(`${apps}?state=${state}`)), start, state)
  })

  await t.test('an invalid cursor shows the first page', async (t) => {
    const start = shown(await admin.get(apps))
    for (const after of ['x', '0.ins_nowhere', '%00', "0.'", '1'.repeat(40), '0.%C3%A4', '-1'])
      for (const path of [apps, keys, '/account/apps']) {
        const page = await admin.get(`${path}?after=${after}`)
        t.equal(page.status, 200, `${path} ${after}`)
        if (path === apps) t.same(shown(page), start, after)
      }
  })

  await t.test('lists every key set once, in creation order', async (t) => {
    const pages = await pagesFrom(admin, keys)
    t.same(
      pages.flatMap(shown).filter((one) => one.startsWith('Set')),
      named('Set'),
    )
    const id = `kst_bulk${shown(pages[1]!)[0]!.slice(-3)}`
    const fields = { key_set_id: id, decision: 'delete' }
    const answer = await postFields(admin, pages[1]!.url.href, fields)
    const page = await admin.get(new URL(answer.headers.get('location') ?? '', issuer))
    t.match(wordsOf(page), 'The key is deleted')
    t.equal(page.url.searchParams.get('after'), pages[1]!.url.searchParams.get('after'))
    const end = await admin.get(`${keys}?after=9999999999999999.zzz`)
    t.match(wordsOf(end), 'The list ends here')
    t.ok(link(end, 'First page'))
  })

  await t.test('lists every connected app once', async (t) => {
    const pages = await pagesFrom(member, '/account/apps')
    const left = named('tool').length - 1
    t.equal(pages.flatMap(shown).length, left)
    t.equal(new Set(pages.flatMap(shown)).size, left)
    const page = await decide(member, pages[2]!, 'disconnect', { client_id: 'app_bulk040' })
    t.match(wordsOf(page), 'can no longer act for you')
    t.equal(page.url.searchParams.get('after'), pages[2]!.url.searchParams.get('after'))
    t.equal(pages[0]!.status, 200)
  })
})
