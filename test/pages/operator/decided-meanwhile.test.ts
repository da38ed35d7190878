/** Requests of owners that change or are decided while an operator decides: the page offers what is possible now. */
import pg from 'pg'
import { eventually } from '../../support/eventually.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp } from '../../support/world.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const outdated = 'A setting has changed since, so this cannot be approved.'
const decided = 'This was decided before, or taken back.'
const answersOn = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('main button[name="decision"]').map((one) => one.getAttribute('value'))

await onEachBackend('decisions that cross', async (t, { running, stores, world, issuer }) => {
  const { operator } = running
  const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write')

  const requested = async () => {
    const app = await createApp(running, { name: 'Press', owners: [world.ana.id] })
    const maker = await signedIn(issuer, world.ana)
    const form = await maker.get(`/developer/apps/${app.client_id}/change`)
    await maker.submit(form, { redirect_uris: `${app.redirect_uri}\nhttps://letters.example/cb` })
    const { items } = (await operator('GET', '/app-changes')).body
    const { id } = items.find((one: { client_id: string }) => one.client_id === app.client_id)
    return { app, id: String(id), at: `/operator/changes/${id}` }
  }

  /** Submits the form, and makes the change while the server waits for the lock of the app. */
  const during = async (form: VisitedPage, clientId: string, change: string, value: string) => {
    const client = new pg.Client(stores.databaseUrl)
    await client.connect()
    try {
      await client.query('begin')
      await client.query('select from apps where client_id = $1 for no key update', [clientId])
      const pending = visitor.submit(form, { note: 'Welcome' })
      await eventually(async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        return rows.length > 0
      })
      await client.query(change, [value])
      await client.query('commit')
      return await pending
    } finally {
      await client.end()
    }
  }

  await t.test('an app that changes during the approval', async (t) => {
    const { app, id, at } = await requested()
    const other = `update apps set redirect_uris = '{https://letters.example/other}' where client_id = $1`
    const page = await during(await visitor.get(at), app.client_id, other, app.client_id)
    t.equal(page.url.pathname, at)
    t.equal(wordsOf(page).split(outdated).length, 2, 'said once')
    t.same(answersOn(page), ['refuse'])
    t.equal((await operator('GET', `/app-changes/${id}`)).body.outdated, true, 'still waits')
  })

  await t.test('a request that is decided during the approval', async (t) => {
    const { app, id, at } = await requested()
    const refused = `update app_changes set decision = 'refuse', decided_at = now() where id = $1`
    const page = await during(await visitor.get(at), app.client_id, refused, id)
    t.equal(page.url.pathname, '/operator')
    t.match(wordsOf(page), decided)
    t.same((await operator('GET', `/apps/${app.client_id}`)).body.redirect_uris, [app.redirect_uri])
  })

  await t.test('a request that was decided since the page was opened', async (t) => {
    for (const answer of ['approve', 'refuse']) {
      const { id, at } = await requested()
      const form = await visitor.get(at)
      await operator('POST', `/app-changes/${id}`, { decision: 'approve' })
      const page = await visitor.submit(form, { decision: answer })
      t.equal(page.url.pathname, '/operator')
      t.match(wordsOf(page), decided)
      t.equal((await visitor.get(at)).status, 404)
    }
  })
})
