/** What an operator reads before deciding about an app, and what its maker reads of a refusal. */
import { startDocumentServer } from '../../support/document-server.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp, install, type TestApp } from '../../support/world.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const answersOn = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('main .buttons button').map((one) => one.text.trim())
const rowsOn = ({ dom }: VisitedPage) =>
  dom
    .querySelectorAll('main tbody tr')
    .map((row) => row.querySelectorAll('th, td').map((cell) => cell.text.trim()))

await onEachBackend(
  'reviews',
  async (t, { running, stores, world, issuer }) => {
    const { operator } = running
    const { ana, acme, other } = world
    const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write', 'users:read')
    const maker = await signedIn(issuer, ana)
    const pageOf = ({ client_id }: TestApp) => `/developer/apps/${client_id}`

    const requested = async (app: TestApp, fields: Record<string, string | string[]>) => {
      await maker.submit(await maker.get(`${pageOf(app)}/change`), fields)
      const { items } = (await operator('GET', '/app-changes')).body
      const { id } = items.find((one: Json) => one.client_id === app.client_id)
      return { id, at: `/operator/changes/${id}` }
    }

    await t.test('a change says what is new, and whom it concerns', async (t) => {
      const app = await createApp(running, {
        name: 'Report Builder',
        permissions: ['records:create', 'records:delete'],
        owners: [ana.id],
      })
      await install(running, acme, app, { permissions: ['records:create'] })
      await install(running, other, app, { permissions: [] })
      const { id, at } = await requested(app, {
        permissions: ['records:create', 'teams:read'],
        redirect_uris: `${app.redirect_uri}\nhttps://reports.example/second`,
        reason: 'Teams <b>',
      })
      const page = await visitor.get(at)
      const said = wordsOf(page)
      t.match(said, 'Report Builder asks for one more: Read which teams exist')
      t.match(said, 'Report Builder gives up one permission: Delete records')
      t.match(said, 'Used in 2 organizations by nobody. Each admin is asked')
      t.match(said, /Reason Teams/)
      t.notMatch(said, app.client_id)
      const rows = rowsOn(page)
      t.same(rows.length, 3, 'what stays is left out')
      t.match(rows[0], ['Redirect URIs', 'none', 'https://reports.example/second'])
      t.match(rows[1], [/^Permissions/, 'none', /Read which teams.*whole organization/s])
      t.match(rows[2], [/^Permissions/, /Delete records.*data can be lost/s, 'none'])
      t.same(answersOn(page), ['Approve', 'Refuse'])
      t.match((await operator('GET', `/app-changes/${id}`)).body, { organizations: 2, people: 0 })

      const note = 'Ask for teams only.\nThen we can approve it.'
      await visitor.submit(page, { decision: 'refuse', note })
      t.match(wordsOf(await maker.get(pageOf(app))), 'Refused')
      t.match(wordsOf(await maker.get(pageOf(app))), 'Ask for teams only. Then we can')
      t.same((await operator('GET', `/apps/${app.client_id}`)).body.redirect_uris.length, 1)
    })

    await t.test('a long reason is refused, and nothing is decided', async (t) => {
      const app = await createApp(running, { name: 'Press', owners: [ana.id] })
      const { id, at } = await requested(app, { redirect_uris: 'https://letters.example/cb' })
      const note = 'x'.repeat(1001)
      const page = await visitor.submit(await visitor.get(at), { decision: 'refuse', note })
      t.equal(page.status, 400)
      t.equal(page.dom.querySelector('#note')?.text, note, 'kept')
      t.equal((await operator('GET', `/app-changes/${id}`)).status, 200)
    })

    await t.test('a review sets the retry window of a new app', async (t) => {
      const documents = await startDocumentServer(t)
      await operator('PUT', `/client-hosts/${documents.host}`, { policy: 'review' })
      const url = documents.publish('/assistant', { scope: 'records:create' })
      const { body: review } = await operator('POST', '/app-reviews', { url })
      const page = await visitor.get(`/operator/reviews/${review.id}`)
      for (const wrong of ['61', '-1', '0.5', 'soon']) {
        const fields = { decision: 'approve', retry_window_seconds: wrong }
        const refused = await visitor.submit(page, fields)
        t.equal(refused.status, 400, wrong)
        t.equal(refused.dom.querySelector('#retry_window_seconds')?.getAttribute('value'), wrong)
      }
      const shown = await visitor.submit(page, { decision: 'approve', retry_window_seconds: '20' })
      const path = `/apps/${encodeURIComponent(url)}`
      t.equal((await operator('GET', path)).body.retry_window_seconds, 20)
      t.match(wordsOf(shown), /refresh token may be sent again 20/)
      const change = await visitor.get(`/operator${path}/change`)
      await visitor.submit(change, { retry_window_seconds: '' })
      t.equal((await operator('GET', path)).body.retry_window_seconds, 0)
    })

    await t.test('the owner of an app reads why its document was refused', async (t) => {
      const documents = await startDocumentServer(t)
      await operator('PUT', `/client-hosts/${documents.host}`, { policy: 'review' })
      const url = documents.publish('/agent', { scope: 'records:create' })
      t.equal((await operator('POST', '/apps/import', { url, owners: [ana.id] })).status, 201)
      documents.publish('/agent', { scope: 'records:create records:delete' })
      const { body: review } = await operator('POST', '/app-reviews', { url })
      const page = await visitor.get(`/operator/reviews/${review.id}`)
      t.match(wordsOf(page), /asks for one more: Delete records/)
      t.match(wordsOf(page), 'data can be lost')
      t.same(answersOn(page), ['Approve', 'Refuse'])
      await visitor.submit(page, { decision: 'refuse', note: 'Deleting is too much.' })
      t.same((await operator('GET', `/apps/${encodeURIComponent(url)}`)).body.permissions, [
        'records:create',
      ])
      const own = wordsOf(await maker.get(`/developer/apps/${encodeURIComponent(url)}`))
      t.match(own, /has refused the last change.*The operator says: Deleting is too much\./)
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
