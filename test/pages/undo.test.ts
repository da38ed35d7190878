import type { Test } from 'tap'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'
import { cardOf, decide, undo, wordsOf } from './organization-visit.ts'

const isOffered = (page: VisitedPage) => page.dom.querySelector('form[action="/undo"]') !== null

await onEachBackend('what was just done', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, ana, kim } = world
  const list = `/organizations/${acme}/apps`
  const admin = await signedIn(issuer, kim)

  const ask = async (t: Test, name: string) => {
    const app = await createApp(running, { name })
    const visitor = createVisitor(issuer)
    const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
    const page = await walk(visitor, url, ana)
    const sent = await visitor.submit(page, { decision: 'request', reason: 'For Friday' })
    t.match(wordsOf(sent), 'Your request is with the admins')
    return { app, about: { client_id: app.client_id }, visitor }
  }
  const events = async (app: TestApp, type: string) =>
    (await operator('GET', `/audit?client_id=${app.client_id}&type=${type}`)).body.items.length

  await t.test('a notice names its object, takes the focus, and comes once', async (t) => {
    const { app, about } = await ask(t, 'Wiki Sync')
    const done = await decide(admin, await admin.get(list), 'approve', about)
    t.match(wordsOf(done), 'Wiki Sync is installed in Acme.')
    const notice = done.dom.querySelector('[role="status"]')
    t.ok(notice?.hasAttribute('autofocus'))
    t.equal(notice?.querySelector('a')?.getAttribute('href'), `${list}/${app.client_id}`)
    t.notMatch(wordsOf(await admin.get(done.url.href)), 'Wiki Sync is installed in', 'a reload')
    const forged = await (await signedIn(issuer, kim)).get(`${list}?done=suspended_all`)
    t.notMatch(wordsOf(forged), 'All apps in Acme are suspended', 'an address alone')

    const undone = await undo(admin, done)
    t.match(wordsOf(undone), 'Undone.')
    t.ok(cardOf(undone, 'client_id', app.client_id), 'the request waits again')
    t.equal((await clientCredentials(issuer, app, acme)).body.error, 'invalid_grant')
    t.match(wordsOf(await undo(admin, done)), 'This can no longer be undone', 'once')
  })

  await t.test('a refusal has a reason, and can be taken back for a moment', async (t) => {
    const { app, about, visitor } = await ask(t, 'Letters')
    const page = await admin.get(`/organizations/${acme}/requests/${app.client_id}`)
    t.match(wordsOf(page), 'For Friday')
    const why = { refusal_reason: 'Use <b>Posts</b>' }
    const done = await decide(admin, page, 'refuse', about, why)
    t.match(wordsOf(done), 'The request for Letters is refused.')
    const own = await visitor.get('/account/apps')
    t.match(own.text, 'Use &lt;b&gt;Posts&lt;/b&gt;')
    const other = await signedIn(issuer, kim)
    t.match(wordsOf(await undo(other, { ...done, url: done.url })), /./)
    t.equal(await events(app, 'install_request.reopened'), 0, 'another session')

    const { about: again, visitor: hers } = await ask(t, 'Posts')
    const refused = await decide(admin, await admin.get(list), 'refuse', again)
    const answers = await Promise.all([undo(admin, refused), undo(admin, refused)])
    t.ok(answers.some((one) => /Undone\./.test(wordsOf(one))))
    t.match(wordsOf(await hers.get('/account/apps')), /waiting for an admin.*Posts/)
    t.ok(cardOf(await admin.get(list), 'client_id', again.client_id))

    const settled = await admin.get(`/organizations/${acme}/requests/${app.client_id}`)
    t.match(wordsOf(settled), 'Another person has changed this', 'a link of an old mail')
  })

  await t.test('a suspension is taken back, unless something has changed since', async (t) => {
    const app = await createApp(running, { name: 'On Hold' })
    await install(running, acme, app)
    const page = `${list}/${app.client_id}`
    const suspend = async () => decide(admin, await admin.get(`${page}/suspend`), 'suspend')
    t.match(wordsOf(await undo(admin, await suspend())), 'Undone.')
    t.equal((await clientCredentials(issuer, app, acme)).status, 200)

    const done = await suspend()
    const path = `/organizations/${acme}/installs/${app.client_id}`
    await operator('PATCH', path, { suspended: false })
    await operator('PATCH', path, { suspended: true })
    t.match(wordsOf(await undo(admin, done)), 'This can no longer be undone')
    t.equal((await clientCredentials(issuer, app, acme)).body.error, 'invalid_grant')
  })

  await t.test('a former admin takes nothing back', async (t) => {
    const app = await createApp(running, { name: 'Left' })
    await install(running, acme, app)
    const page = await admin.get(`${list}/${app.client_id}/suspend`)
    const done = await decide(admin, page, 'suspend')
    const membership = `/organizations/${acme}/members/${kim.id}`
    await operator('PUT', membership, { role: 'member' })
    t.match((await undo(admin, done)).status, 404)
    await operator('PUT', membership, { role: 'admin' })
    t.equal((await clientCredentials(issuer, app, acme)).body.error, 'invalid_grant')
  })

  await t.test('a disconnect keeps its tokens ended, and restores the consent', async (t) => {
    const app = await createApp(running, { name: 'Diary' })
    await install(running, acme, app)
    const code = await currentCode(running, app, ana)
    const { visitor } = code
    const { body } = await exchangeCode(issuer, app, code)
    const about = { client_id: app.client_id }
    const done = await decide(visitor, await visitor.get('/account/apps'), 'disconnect', about)
    t.match(wordsOf(done), 'Diary can no longer act for you in Acme.')
    t.match(wordsOf(await undo(visitor, done)), 'Undone.')
    t.match(wordsOf(await visitor.get('/account/apps')), 'Diary')
    t.equal((await refresh(issuer, app, body.refresh_token)).body.error, 'invalid_grant')
    const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
    t.ok((await visitor.get(url)).left?.searchParams.get('code'), 'the app need not ask again')
    t.equal(await events(app, 'connection.restored'), 1)

    const second = await decide(visitor, await visitor.get('/account/apps'), 'disconnect', about)
    await operator('PUT', `/organizations/${acme}/installs/${app.client_id}/denied/${ana.id}`)
    t.match(wordsOf(await undo(visitor, second)), 'This can no longer be undone', 'denied since')
    t.ok(isOffered(second))
  })

  await t.test('a page that is left behind says what was done', async (t) => {
    const app = await createApp(running, { name: 'Gone' })
    await install(running, acme, app)
    const page = await admin.get(`${list}/${app.client_id}/uninstall`)
    await decide(admin, page, 'uninstall')
    const back = await admin.get(page.url.pathname)
    t.equal(back.status, 404)
    t.match(wordsOf(back), /You have already done this.*Gone is uninstalled/)
    t.notMatch(wordsOf(await admin.get(`${list}/other/uninstall`)), 'already done')

    const asked = await createApp(running, { name: 'Asked' })
    await install(running, acme, asked)
    const visitor = await signedIn(issuer, ana)
    const url = authorizeUrl(issuer, asked, { code_challenge: challengeOf(newVerifier()) })
    const consent = await visitor.get(url)
    await visitor.submit(consent, { decision: 'approve' })
    const again = await visitor.get(consent.url.pathname)
    t.match(wordsOf(again), 'You have allowed Asked in Acme.')
  })

  await t.test('several requests are decided at once', async (t) => {
    const [one, two, three] = [await ask(t, 'One'), await ask(t, 'Two'), await ask(t, 'Three')]
    const path = `/organizations/${acme}/requests`
    const page = await admin.get(path)
    t.match(wordsOf(page), /One.*ana.*Two.*Three/)
    t.equal((await decide(admin, page, 'approve', {}, { client_ids: [] })).status, 400)
    const ids = [one.app.client_id, two.app.client_id]
    const done = await decide(admin, page, 'approve', {}, { client_ids: ids })
    t.match(wordsOf(done), 'Approved: One and Two.')
    t.equal((await clientCredentials(issuer, one.app, acme)).status, 200)
    const again = await decide(admin, page, 'refuse', {}, { client_ids: ids })
    t.match(wordsOf(again), 'Another person has changed this', 'answered before')
    const refusal = { client_ids: [three.app.client_id], refusal_reason: 'Too wide' }
    const refused = await decide(admin, await admin.get(path), 'refuse', {}, refusal)
    t.match(wordsOf(refused), 'Refused: Three.')
    t.match(wordsOf(await three.visitor.get('/account/apps')), 'Too wide')
  })

  await t.test(
    'an answer to several requests is taken back, except where it has changed',
    async (t) => {
      const path = `/organizations/${acme}/requests`
      const asked = [await ask(t, 'Five'), await ask(t, 'Six')]
      const [five, six] = asked.map(({ app }) => app) as [TestApp, TestApp]
      const ids = asked.map(({ about }) => about.client_id)
      const answer = async (decision: 'approve' | 'refuse') =>
        decide(admin, await admin.get(path), decision, {}, { client_ids: ids })
      const waits = async ({ client_id: id }: TestApp) =>
        cardOf(await admin.get(list), 'client_id', id) !== null
      const works = async (app: TestApp) =>
        (await clientCredentials(issuer, app, acme)).status === 200

      t.match(wordsOf(await undo(admin, await answer('refuse'))), 'Undone.')
      t.same(await Promise.all([five, six].map(waits)), [true, true])
      t.match(wordsOf(await undo(admin, await answer('approve'))), 'Undone.')
      t.same(await Promise.all([five, six].map(works)), [false, false])
      t.same(await Promise.all([five, six].map(waits)), [true, true])

      const done = await answer('approve')
      const at = `/organizations/${acme}/installs/${six.client_id}`
      for (const suspended of [true, false]) await operator('PATCH', at, { suspended })
      const both = await Promise.all([undo(admin, done), undo(admin, done)])
      t.equal(both.filter((one) => /Undone, except/.test(wordsOf(one))).length, 1, 'once')
      t.same(await Promise.all([five, six].map(works)), [false, true], 'what has changed stays')
      t.ok(await waits(five))
    },
  )
})
