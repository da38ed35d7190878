/** Which apps the members of an organization may connect, and requests that no admin answers. */
import { createAccessSweeper } from '../../src/core/grants/access-sweeper.ts'
import { cardOf, decide, wordsOf } from '../pages/organization-visit.ts'
import { authorizeUrl, challengeOf, currentCode, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openTestStores } from '../support/open-stores.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const parallel = 20

await onEachBackend('the rules of an organization', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { operator } = running
  const { acme, ana, kim } = world
  const apps = `/organizations/${acme}/apps`
  const admin = await signedIn(issuer, kim)
  const opened = await openTestStores(stores)
  t.teardown(opened.close)
  const endNow = createAccessSweeper({ store: opened.accessSweeper, families: opened.families })

  const rule = async (connect: string) => {
    const { status } = await operator('PUT', `/organizations/${acme}/policy`, { connect })
    t.equal(status, 200)
  }
  const begin = (app: TestApp, more: Record<string, string> = {}) =>
    authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()), ...more })
  const arrive = async (app: TestApp, person = ana) => {
    const visitor = createVisitor(issuer)
    return { visitor, page: await walk(visitor, begin(app), person) }
  }
  const eventsOf = async (app: TestApp, type: string) => {
    const { body } = await operator('GET', `/audit?client_id=${app.client_id}&limit=100`)
    return (body.items as { type: string }[]).filter((event) => event.type === type)
  }

  await t.test('all: a member may ask for an app', async (t) => {
    const app = await createApp(running, { name: 'Letters' })
    const { page } = await arrive(app)
    t.match(wordsOf(page), 'Ask an admin to install Letters in Acme?')
  })

  await t.test('installed: a member cannot ask, and connects what is installed', async (t) => {
    await rule('installed')
    const app = await createApp(running, { name: 'Closed Shop' })
    const { visitor, page } = await arrive(app)
    t.equal(page.status, 403)
    t.match(wordsOf(page), 'Members of this organization can connect installed apps only')
    const planted = await visitor.submit(page, { decision: 'request', reason: 'planted' })
    t.notMatch(wordsOf(planted), 'Your request is with the admins')
    t.same(await eventsOf(app, 'install.requested'), [])
    const { rows } = await opened.database.query(
      'select 1 from install_requests where client_id = $1',
      [app.client_id],
    )
    t.equal(rows.length, 0)
    const { left } = (await arrive(app, kim)).page
    t.ok(left?.searchParams.get('code'), 'an admin installs and connects it')
    await install(running, acme, app)
    t.ok(await currentCode(running, app, ana, { organization_id: acme }))
    await rule('all')
  })

  await t.test('ask: an admin approves each person, once for a connection', async (t) => {
    const known = await createApp(running, { name: 'Known Before' })
    await install(running, acme, known)
    await currentCode(running, known, ana, { organization_id: acme })
    await rule('ask')
    t.ok(await currentCode(running, known, ana, { organization_id: acme }), 'connected before')

    const app = await createApp(running, { name: 'Night Press' })
    await install(running, acme, app)
    t.ok(await currentCode(running, app, kim, { organization_id: acme }), 'admins need no one')
    const { visitor, page } = await arrive(app)
    t.match(wordsOf(page), 'Ask an admin to let you use Night Press in Acme?')
    const sent = await visitor.submit(page, { decision: 'request', reason: 'For proofs' })
    t.match(wordsOf(sent), 'You asked to use Night Press in Acme')
    t.match(wordsOf(await visitor.get('/account/apps')), /waiting for an admin.*Night Press/)

    const silent = await visitor.fetch(begin(app, { prompt: 'none', organization_id: acme }))
    t.notMatch(silent.headers.get('location'), /[?&]code=/)

    // A change of the install is no answer to a person.
    await install(running, acme, app)
    t.notOk((await visitor.get(sent.url)).left)
    t.match(wordsOf(await visitor.get(sent.url)), 'Your request is with the admins')

    const list = await admin.get(apps)
    t.match(
      cardOf(list, 'client_id', app.client_id),
      /For proofs.*You decide who of these people may use it/,
    )
    const done = await decide(admin, list, 'approve', { client_id: app.client_id })
    t.match(wordsOf(done), 'The request for Night Press is approved')
    t.match(await eventsOf(app, 'install_request.approved'), [{ user_id: ana.id }])
    const consent = await visitor.get(sent.url)
    t.equal(pageKind(consent), 'decide')
    const end = await visitor.submit(consent, { decision: 'approve' })
    t.ok(end.left?.searchParams.get('code'))

    const own = await visitor.get('/account/apps')
    await decide(visitor, own, 'disconnect', { client_id: app.client_id })
    const again = await walk(visitor, begin(app), ana)
    t.match(wordsOf(again), 'Ask an admin to let you use Night Press in Acme?')
    await rule('all')
    t.ok(await currentCode(running, app, ana, { organization_id: acme }))
  })

  await t.test('an unanswered request is reported once, and ends', async (t) => {
    const app = await createApp(running, { name: 'Slow Letters' })
    const { visitor, page } = await arrive(app)
    await visitor.submit(page, { decision: 'request' })
    const waitFor = (days: number) =>
      sql(
        stores,
        `update install_requests set created_at = now() - interval '${days} days'
          where client_id = $1`,
        [app.client_id],
      )
    await Promise.all(Array.from({ length: parallel }, endNow))
    t.same(await eventsOf(app, 'install_request.reminded'), [])
    await waitFor(4)
    await Promise.all(Array.from({ length: parallel }, endNow))
    t.match(await eventsOf(app, 'install_request.reminded'), [{ user_id: ana.id }])
    t.equal((await eventsOf(app, 'install_request.reminded')).length, 1)
    await waitFor(31)
    await Promise.all(Array.from({ length: parallel }, endNow))
    t.match(await eventsOf(app, 'install_request.expired'), [
      { user_id: ana.id, actor: { kind: 'system' } },
    ])
    t.equal((await eventsOf(app, 'install_request.expired')).length, 1)
    t.match(wordsOf(await visitor.get('/account/apps')), /without an answer.*Slow Letters/)
    t.notMatch(wordsOf(await admin.get(apps)), 'Slow Letters')
    const again = await walk(visitor, begin(app), ana)
    t.match(wordsOf(again), 'No admin had answered your request by')
    const sent = await visitor.submit(again, { decision: 'request' })
    t.match(wordsOf(sent), 'Your request is with the admins')
  })
})
