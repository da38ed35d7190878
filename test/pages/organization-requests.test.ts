import { authorizeUrl, challengeOf, clientCredentials, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, type TestApp } from '../support/world.ts'
import { cardOf, decide, formOf, wordsOf } from './organization-visit.ts'

await onEachBackend('requests for apps', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, ana, kim, sales } = world
  const path = `/organizations/${acme}/apps`
  const admin = await signedIn(issuer, kim)

  const begin = (app: TestApp) =>
    authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })

  /** A member requests the app. @returns the browser, at the confirmation page */
  const ask = async (app: TestApp, reason: string) => {
    const visitor = createVisitor(issuer)
    const page = await walk(visitor, begin(app), ana)
    const sent = await visitor.submit(page, { decision: 'request', reason })
    return { visitor, sent }
  }

  await t.test('a narrower approval lets the waiting page continue', async (t) => {
    const app = await createApp(running, { name: 'Letters' })
    const { visitor, sent } = await ask(app, 'For <b>Friday</b>')
    t.match(wordsOf(sent), 'Your request is with the admins')
    t.match(wordsOf(await visitor.get('/account/apps')), /waiting for an admin.*Letters.*for Acme/)

    const page = await admin.get(path)
    const card = cardOf(page, 'client_id', app.client_id) ?? ''
    t.match(card, /Letters.*ana/)
    t.match(card, ana.email)
    t.match(page.text, 'For &lt;b&gt;Friday&lt;/b&gt;')
    t.match(card, 'Read the names and e-mail addresses of workspace members')

    const none = await decide(
      admin,
      page,
      'approve',
      { client_id: app.client_id },
      { workspace_ids: null },
    )
    t.equal(none.status, 400)
    t.match(wordsOf(none), 'Choose at least one workspace')

    const done = await decide(
      admin,
      page,
      'approve',
      { client_id: app.client_id },
      { permissions: ['records:create'], workspace_ids: [sales] },
    )
    t.match(wordsOf(done), /.+ is installed in /)
    t.notMatch(wordsOf(done), 'Needs your decision')
    const token = await clientCredentials(issuer, app, acme)
    t.equal(token.body.scope, 'records:create')
    t.same(token.body.workspace_ids, [sales])

    const on = await visitor.get(sent.url)
    t.equal(pageKind(on), 'decide', 'consent, at the same address')
    const end = await visitor.submit(on, { decision: 'approve' })
    t.ok(end.left?.searchParams.get('code'))
    t.notMatch(wordsOf(await visitor.get('/account/apps')), 'waiting for an admin')

    const events = (await operator('GET', `/audit?client_id=${app.client_id}`)).body.items
    const approved = events.find((one: { type: string }) => one.type === 'install_request.approved')
    t.match(approved, { actor: { kind: 'user', id: kim.id }, user_id: ana.id })
    const again = await decide(admin, page, 'approve', { client_id: app.client_id })
    t.match(wordsOf(again), 'Another person has changed this')
    t.equal((await clientCredentials(issuer, app, acme)).body.scope, 'records:create')
  })

  await t.test('a member sees a refusal and may request again', async (t) => {
    const app = await createApp(running, { name: 'Postcards' })
    const { visitor, sent } = await ask(app, '')
    const page = await admin.get(path)
    t.match(cardOf(page, 'client_id', app.client_id), 'No reason was given')
    const done = await decide(admin, page, 'refuse', { client_id: app.client_id })
    t.match(wordsOf(done), /The request for .+ is refused/)
    t.equal(cardOf(done, 'client_id', app.client_id), null)

    const refused = await visitor.get(sent.url)
    t.equal(pageKind(refused), 'ask-admin')
    t.match(wordsOf(refused), /Your request was refused on .* You may ask again/)
    t.match(wordsOf(await visitor.get('/account/apps')), /Postcards.*Refused on/)
    const twice = await decide(admin, page, 'refuse', { client_id: app.client_id })
    t.match(wordsOf(twice), 'Another person has changed this')

    const requested = await visitor.submit(refused, { decision: 'request', reason: 'Please' })
    t.match(wordsOf(requested), 'Your request is with the admins')
    const second = await admin.get(path)
    t.match(cardOf(second, 'client_id', app.client_id), 'Please')
    const events = (await operator('GET', `/audit?client_id=${app.client_id}`)).body.items
    const types = events.map((one: { type: string }) => one.type)
    t.equal(types.filter((type: string) => type === 'install_request.refused').length, 1)
  })

  await t.test('a refusal answers only the requests on the page', async (t) => {
    const app = await createApp(running, { name: 'Posters' })
    await ask(app, 'first')
    const page = await admin.get(path)
    const lee = { email: 'lee@acme.test', password: ana.password }
    const { body } = await operator('POST', '/users', { ...lee, name: 'Lee' })
    await operator('PUT', `/organizations/${acme}/members/${body.id}`, { role: 'member' })
    const visitor = createVisitor(issuer)
    const asking = await walk(visitor, begin(app), lee)
    await visitor.submit(asking, { decision: 'request', reason: 'second' })

    const done = await decide(admin, page, 'refuse', { client_id: app.client_id })
    const card = cardOf(done, 'client_id', app.client_id) ?? ''
    t.match(card, 'second')
    t.notMatch(card, 'first')
    await operator('DELETE', `/organizations/${acme}/members/${body.id}`)
    t.equal(
      cardOf(await admin.get(path), 'client_id', app.client_id),
      null,
      'a former member’s request is withdrawn',
    )
  })

  await t.test('of concurrent answers one counts', async (t) => {
    const app = await createApp(running, { name: 'Stamps' })
    await ask(app, '')
    const page = formOf(await admin.get(path), 'approve', { client_id: app.client_id })
    const answers = await Promise.all(
      ['approve', 'refuse', 'approve', 'refuse', 'approve'].map((decision) =>
        admin.submit(page, { decision }),
      ),
    )
    const won = answers.filter((one) => !one.url.search.includes('outdated'))
    t.equal(won.length, 1)
    const events = (await operator('GET', `/audit?client_id=${app.client_id}`)).body.items
    const decided = events.filter((one: { type: string }) => /install_request\./.test(one.type))
    t.equal(decided.length, 1)
  })
})
