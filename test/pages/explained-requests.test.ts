/** From the id of a request to who, why and what helps: for operators, for admins and for makers of apps. */
import { parseCsv } from '../support/csv.ts'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, install } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'
import { wordsOf } from './organization-visit.ts'

const reason = 'Refused: the code had been used before.'
const help = 'What helps: The app has to keep the tokens that it got for the code.'

await onEachBackend('explained requests', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, other, ana, kim, zoe } = world
  const app = await createApp(running, { name: 'Letter Press', owners: [ana.id] })
  const foreign = await createApp(running, { name: 'Other Press', owners: [ana.id] })
  await install(running, acme, app)
  const grant = await currentCode(running, app, ana)
  await exchangeCode(issuer, app, grant)
  const replayed = await exchangeCode(issuer, app, grant)
  const id = replayed.headers.get('x-request-id') as string
  await eventually(
    async () => (await operator('GET', `/audit?request_id=${id}`)).body.items.length > 0,
  )
  const admin = await signedIn(issuer, kim)
  const maker = await signedIn(issuer, ana)
  const { visitor } = await visitAs(running, stores, '*')

  await t.test('an operator reads who, where, why and what helps, with links', async (t) => {
    const page = await visitor.get(`/operator/requests?request_id=${id}`)
    t.equal(page.url.pathname, `/operator/requests/${id}`)
    const said = wordsOf(page)
    for (const part of [reason, help, 'Letter Press', 'Acme', 'ana', '127.0.0.1'])
      t.match(said, part)
    t.match(said, 'The tokens for a code, after a person had allowed the app')
    t.match(said, 'For developers Reason code_reused Error invalid_grant Status 400')
    for (const href of [
      `/operator/apps/${app.client_id}`,
      `/operator/people/${ana.id}`,
      `/operator/organizations/${acme}`,
      `/operator/audit?client_id=${app.client_id}`,
      `/operator/audit?organization_id=${acme}`,
    ]) {
      t.ok(page.dom.querySelector(`a[href="${href}"]`), href)
      t.equal((await visitor.get(href)).status, 200, href)
    }
  })

  await t.test('the audit page tells the same in a sentence, and as CSV', async (t) => {
    const filter = `client_id=${app.client_id}&organization_id=${acme}`
    const page = await visitor.get(`/operator/audit?${filter}`)
    t.match(
      wordsOf(page),
      'Letter Press was refused a token: the code had been used before in Acme',
    )
    const answer = await visitor.fetch(`${issuer}/operator/audit?${filter}&format=csv`)
    const [head = [], ...rows] = parseCsv(await answer.text())
    const refused = rows.find((row) => row[head.indexOf('event')] === 'token.refused') ?? []
    t.equal(refused[head.indexOf('organization')], 'Acme')
    t.match(refused[head.indexOf('what_helps')], 'The app has to keep')
    await eventually(async () => {
      const { items } = (await operator('GET', '/audit?type=activity.exported')).body
      return items.length === 1 && items[0].detail.complete
    })
  })

  await t.test('names need the right to read what has them', async (t) => {
    const { visitor: auditor } = await visitAs(running, stores, 'audit:read')
    const page = await auditor.get(`/operator/requests/${id}`)
    t.match(wordsOf(page), reason)
    for (const name of ['Letter Press', 'Acme']) t.notMatch(wordsOf(page), name)
    t.match(wordsOf(page), `App ${app.client_id}`)
    t.equal(page.dom.querySelector(`a[href="/operator/apps/${app.client_id}"]`), null)
    const { visitor: reader } = await visitAs(running, stores, 'apps:read')
    for (const path of ['/operator/requests', `/operator/requests/${id}`, '/operator/audit'])
      t.equal((await reader.get(path)).status, 404, path)
  })

  await t.test('an admin finds requests that concern the organization only', async (t) => {
    const path = `/organizations/${acme}/activity/requests`
    const page = await admin.get(`${path}?request_id=${id}`)
    t.equal(page.url.pathname, `${path}/${id}`)
    for (const part of [reason, help, 'Letter Press', 'ana']) t.match(wordsOf(page), part)
    t.ok(page.dom.querySelector(`a[href="/organizations/${acme}/apps/${app.client_id}"]`))
    await operator('PUT', `/organizations/${other}/members/${zoe.id}`, { role: 'admin' })
    const elsewhere = await (await signedIn(issuer, zoe)).get(
      `/organizations/${other}/activity/requests/${id}`,
    )
    t.match(wordsOf(elsewhere), 'Nothing is recorded here for this request.')
    t.notMatch(wordsOf(elsewhere), 'Letter Press')
    t.equal((await maker.get(`${path}/${id}`)).status, 404, 'a member')
    const wrong = await admin.get(`${path}?request_id=${encodeURIComponent("' or 1=1")}`)
    t.equal(wrong.status, 400)
    t.match(wordsOf(wrong), 'Enter the whole id')
  })

  await t.test('a maker reads why, and neither who nor where', async (t) => {
    const path = `/developer/apps/${app.client_id}/requests`
    t.match(wordsOf(await maker.get(path)), `${reason.slice(0, -1)} ${help}`)
    const page = await maker.get(`${path}?request_id=${id}`)
    t.equal(page.url.pathname, `${path}/${id}`)
    for (const part of [reason, help, 'code_reused']) t.match(wordsOf(page), part)
    for (const part of ['Acme', acme, '127.0.0.1']) t.notMatch(page.text, part)
    const others = await maker.get(`/developer/apps/${foreign.client_id}/requests/${id}`)
    t.match(wordsOf(others), 'This app has no refused request with this id.')
    t.notMatch(wordsOf(others), reason)
  })
})
