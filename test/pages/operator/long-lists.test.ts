/** What the Operator API answers in parts, the console shows in parts too, to the last item. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { sql } from '../../support/traces.ts'
import type { Visitor } from '../../support/visitor.ts'
import { visitAs } from './operator-visit.ts'

const count = 60
const series = `(select n, lpad(n::text, 3, '0') as nr from generate_series(1, ${count}) n) n`
const document = JSON.stringify({
  ...{ name: 'Bulk', clientType: 'public', redirectUris: ['https://bulk.example/cb'], scopes: [] },
  ...{ homepageUri: null, logoUri: null, policyUri: null, tosUri: null, jwks: null, jwksUri: null },
})

/** The rows of a table on all its pages; the first one may be the page of something else. */
const rowsFrom = async (visitor: Visitor, start: string, id: string) => {
  const rows: string[] = []
  let next: string | undefined = start
  for (let pages = 0; next !== undefined && pages < 10; pages++) {
    const { dom, status } = await visitor.get(next)
    const section = dom.querySelector(`#${id}`)?.parentNode
    if (status !== 200 || !section) throw new Error(`${next}: no ${id} (${status})`)
    rows.push(...section.querySelectorAll('tbody th').map((one) => one.text.trim()))
    next = section.querySelector('a[rel="next"]')?.getAttribute('href')?.replaceAll('&amp;', '&')
  }
  return rows
}

await onEachBackend('long lists of the console', async (t, { running, stores, world }) => {
  const app = world.confidential.client_id
  for (const statement of [
    `insert into users (id, email, name) select 'usrbulk' || nr, 'bulk' || nr || '@console.test', 'B' from ${series}`,
    `insert into operators (user_id, permissions) select 'usrbulk' || nr, '{apps:read}' from ${series}`,
    `insert into organizations (id, name) select 'orgbulk' || nr, 'Bulk ' || nr from ${series}`,
    `insert into installs (id, organization_id, client_id, permissions)
     select 'insbulk' || nr, 'orgbulk' || nr, '${app}', '{}' from ${series}`,
    `insert into client_hosts (host, policy) select 'bulk' || nr || '.example', 'review' from ${series}`,
    `insert into app_reviews (id, client_id, host, document)
     select 'arvbulk' || nr, 'https://bulk.example/' || nr, 'bulk.example', '${document}' from ${series}`,
    `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
     select 'appbulk' || nr, 'Bulk ' || nr, 'current', 'public', '{https://bulk.example/cb}', '{}' from ${series}`,
    `insert into app_changes (id, client_id, before, after, requested_by)
     select 'achbulk' || nr, 'appbulk' || nr, '{"name":"Bulk"}', '{"name":"B"}', '${world.ana.id}' from ${series}`,
  ])
    await sql(stores, statement)
  const { visitor } = await visitAs(running, stores, '*')

  for (const [start, id] of [
    ['/operator/tokens', 'operators'],
    [`/operator/apps/${app}`, 'use'],
    ['/operator/reviews', 'reviews'],
    ['/operator/changes', 'owners'],
    ['/operator/not-reviewed', 'not-reviewed'],
    ['/operator/hosts', 'hosts'],
  ] as const)
    await t.test(`${id} on ${start}`, async (t) => {
      const rows = await rowsFrom(visitor, start, id)
      t.ok(rows.length >= count, `${rows.length} rows`)
      if (id !== 'reviews') t.equal(new Set(rows).size, rows.length, 'each once')
    })
})
