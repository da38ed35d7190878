import { eventually } from '../support/eventually.ts'
import {
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  post,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openTestStores } from '../support/open-stores.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'
import { wordsOf } from './organization-visit.ts'

await onEachBackend('connected apps', async (t, { stores, running, issuer, world }) => {
  const { acme, ana, kim, publicApp, legacyPublic } = world

  await t.test('an app that revoked its tokens still shows its last use', async (t) => {
    const code = await currentCode(running, publicApp, ana)
    const { body } = await exchangeCode(issuer, publicApp, code)
    const { status } = await post(`${issuer}/api/oauth/revoke`, {
      token: body.refresh_token,
      ...credentials(publicApp),
    })
    t.equal(status, 200)
    const said = async () => wordsOf(await code.visitor.get('/account/apps'))
    t.match(await said(), 'Last used')
    // The use of a grant is recorded a little later.
    await eventually(async () => !/Last used\s+not used yet/.test(await said()))
    t.match(wordsOf(await code.visitor.get('/')), 'in Acme · Last used')
  })

  await t.test('an implicit-flow app counts as used when it gets its token', async (t) => {
    const visitor = createVisitor(issuer)
    const requested = legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' })
    t.match((await walk(visitor, requested, kim)).left?.hash, /^#access_token=/)
    const said = async () => wordsOf(await visitor.get('/account/apps'))
    t.match(await said(), 'Last used')
    await eventually(async () => !/Last used\s+not used yet/.test(await said()))
    // The grant expires with its token; the consent stays.
    await sql(
      stores,
      `update grants set expires_at = now() - interval '1 second' where user_id = $1`,
      [kim.id],
    )
    const opened = await openTestStores(stores)
    t.teardown(() => opened.close())
    await opened.removeExpired()
    t.same(await sql(stores, 'select id from grants where user_id = $1', [kim.id]), [])
    const later = await said()
    t.match(later, 'Last used')
    t.notMatch(later, /Last used\s+not used yet/)
  })

  await t.test('an app that the organization has suspended does not look active', async (t) => {
    const app = await createApp(running, { name: 'On Hold' })
    await install(running, acme, app)
    const { visitor } = await currentCode(running, app, ana)
    const said = async () => {
      const pages = [await visitor.get('/account/apps'), await visitor.get('/')]
      return pages.map((page) => /On Hold.{0,80}Suspended/.test(wordsOf(page)))
    }
    t.same(await said(), [false, false])
    const path = `/organizations/${acme}/apps/${app.client_id}/suspend`
    const admin = await signedIn(issuer, kim)
    await admin.submit(await admin.get(path), { decision: 'suspend' })
    t.same(await said(), [true, true])
  })

  await t.test('people, admins, operators and the review see one use of an app', async (t) => {
    const app = await createApp(running, { name: 'One Count' })
    await install(running, acme, app)
    const admin = await signedIn(issuer, kim)
    const operators = `/apps/${app.client_id}/usage`
    /** What each of them is shown: people, and whether it was used. */
    const shown = async () => {
      const { body } = await running.operator('GET', operators)
      const [use] = body.items
      const list = await admin.get(`/organizations/${acme}/apps?name=One%20Count`)
      const cell = (label: string) => list.dom.querySelector(`td[data-label="${label}"]`)
      const lastUsed = cell('Last used')
      const wait = wordsOf(await admin.get(`/organizations/${acme}/review`))
      t.equal(
        lastUsed?.querySelector('time')?.getAttribute('datetime') ?? null,
        use.last_used_at,
        'one time',
      )
      t.equal(lastUsed?.text.trim() === 'not used yet', use.last_used_at === null)
      t.equal(/One Count Not used yet/.test(wait), use.last_used_at === null, 'the review')
      t.equal(Number(cell('People')?.text), use.people, 'one number')
      const people = await running.operator('GET', `${operators}/${acme}`)
      t.equal(people.body.items.length, use.people)
      const page = wordsOf(await admin.get(`/organizations/${acme}/apps/${app.client_id}`))
      for (const one of people.body.items) t.match(page, one.email)
      return { people: use.people, isUsed: use.last_used_at !== null }
    }
    t.same(await shown(), { people: 0, isUsed: false })
    const code = await currentCode(running, app, ana)
    t.same(await shown(), { people: 1, isUsed: false }, 'a consent is access, and no use')
    const own = async () =>
      /One Count.*?Last used not used yet/.test(wordsOf(await code.visitor.get('/account/apps')))
    t.ok(await own())
    t.equal((await clientCredentials(issuer, app, acme)).status, 200)
    await eventually(async () => {
      const { body } = await running.operator('GET', operators)
      return body.items[0].last_used_at !== null
    })
    t.same(await shown(), { people: 1, isUsed: true }, 'the app for itself')
    t.ok(await own(), 'not for this person')
    t.equal((await exchangeCode(issuer, app, code)).status, 200)
    await eventually(async () => !(await own()))
    t.same(await shown(), { people: 1, isUsed: true })
    await sql(stores, `delete from grants where client_id = $1`, [app.client_id])
    t.same(await shown(), { people: 1, isUsed: true }, 'grants that are gone')
  })
})
