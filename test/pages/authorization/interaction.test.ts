import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { countRows } from '../../support/traces.ts'
import { pageKind } from '../../support/visitor.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  type TestApp,
} from '../../support/world.ts'
import { wordsOf } from '../organization-visit.ts'

await onEachBackend('the pages of a request', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, other, ana, kim, sales, confidential } = world
  await operator('PUT', `/organizations/${other}/members/${ana.id}`, { role: 'member' })
  await operator('PUT', `/organizations/${other}/members/${kim.id}`, { role: 'admin' })
  await install(running, other, confidential)

  const ask = (app: TestApp, more: Record<string, string> = {}) =>
    authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()), ...more })
  const installed = async (organization: string, app: TestApp) => {
    const path = `/organizations/${organization}/installs/${app.client_id}`
    return (await operator('GET', path)).status === 200
  }
  const tables = ['installs', 'install_requests', 'consents', 'grants']
  const done = () => Promise.all(tables.map((table) => countRows(stores, table)))

  /** The page for Acme, although another organization is now chosen. */
  const chosenElsewhere = async (person: typeof ana, app: TestApp) => {
    const visitor = await signedIn(issuer, person)
    const choice = await visitor.get(ask(app, { prompt: 'select_account' }))
    const page = await visitor.submit(choice, { organization_id: acme })
    await visitor.submit(choice, { organization_id: other })
    return { visitor, page }
  }

  t.test('an answer for one organization has no effect in another', async (t) => {
    const cases: [string, typeof ana, TestApp, string][] = [
      ['install', kim, await createApp(running, { name: 'Letters' }), 'approve'],
      ['ask an admin', ana, await createApp(running, { name: 'Stamps' }), 'request'],
      ['consent', ana, confidential, 'approve'],
    ]
    for (const [what, person, app, decision] of cases) {
      const { visitor, page } = await chosenElsewhere(person, app)
      t.match(wordsOf(page), 'Acme', what)
      const before = await done()
      const now = await visitor.submit(page, { decision })
      t.same(await done(), before, `${what}: nothing is done`)
      t.equal(now.url.href, page.url.href, what)
      t.match(wordsOf(now), 'Other', `${what}: the page as it now stands`)
      await visitor.submit(now, { decision })
      t.notSame(await done(), before, `${what}: and that one counts`)
    }
  })

  t.test('a script that names no organization answers for the chosen one', async (t) => {
    const app = await createApp(running, { name: 'Postcards' })
    const { visitor, page } = await chosenElsewhere(kim, app)
    await visitor.submit(page, { decision: 'approve', organization_id: null, workspace_ids: '*' })
    t.same([await installed(acme, app), await installed(other, app)], [false, true])
  })

  t.test('a second click on Install does not approve the consent', async (t) => {
    const cases: [string, TestApp, (app: TestApp) => string][] = [
      ['current', await createApp(running, { name: 'Twice' }), ask],
      [
        'legacy',
        await createApp(running, { name: 'Twice', interface: 'legacy' }),
        (app) => legacyAuthorizeUrl(issuer, app),
      ],
    ]
    for (const [what, app, urlOf] of cases) {
      const visitor = await signedIn(issuer, kim)
      const choice = await visitor.get(urlOf(app))
      const page = await visitor.submit(choice, { organization_id: acme })
      const before = await countRows(stores, 'consents')
      const clicks = [{ workspace_ids: [sales] }, { workspace_ids: [sales] }]
      for (const ticked of what === 'legacy' ? [{}, {}] : clicks) {
        const next = await visitor.submit(page, { decision: 'approve', ...ticked })
        t.equal(next.status, 200, what)
        t.equal(pageKind(next), 'decide', what)
      }
      t.ok(await installed(acme, app), what)
      t.equal(await countRows(stores, 'consents'), before, `${what}: nobody has consented`)
    }
  })

  t.test('a decision says when the access ends', async (t) => {
    const policy = (end: object) =>
      operator('PUT', `/organizations/${acme}/policy`, { connect: 'all', ...end })
    const app = await createApp(running, { name: 'Visitor' })
    const url = ask(app, { organization_id: acme })
    const visitor = await signedIn(issuer, kim)
    t.notMatch(wordsOf(await visitor.get(url)), /Ends (on|after)/)
    await policy({ default_expires_days: 90, default_idle_days: 30 })
    const both = /Ends on \d+ \w+ \d{4}, or after 30 days without use/
    const page = await visitor.get(url)
    t.match(wordsOf(page), both, 'install')
    await policy({ default_idle_days: 1 })
    const consent = await visitor.submit(page, { decision: 'approve', workspace_ids: '*' })
    t.equal(pageKind(consent), 'decide')
    t.match(wordsOf(consent), /Ends after 1 day without use/, 'consent: the policy of now')
    const expires = { expires_at: '2030-02-24T12:00:00Z' }
    await operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, expires)
    t.match(
      wordsOf(await visitor.get(consent.url)),
      'Ends on 24 February 2030, or after 1 day without use',
      'not later than the install',
    )
    await policy({})
  })

  t.test('of two concurrent installs by admins the first one’s choices stay', async (t) => {
    const lee = { email: 'lee@acme.test', password: kim.password }
    const { body: user } = await operator('POST', '/users', { ...lee, name: 'Lee' })
    await operator('PUT', `/organizations/${acme}/members/${user.id}`, { role: 'admin' })
    const admins = [await signedIn(issuer, kim), await signedIn(issuer, lee)]
    const ticks = [['records:create'], ['records:update']]
    for (let round = 0; round < 5; round++) {
      const app = await createApp(running, { name: `Raced ${round}` })
      const url = ask(app, { organization_id: acme })
      const pages = await Promise.all(admins.map((admin) => admin.get(url)))
      const next = await Promise.all(
        admins.map((admin, i) =>
          admin.submit(pages[i] as (typeof pages)[0], {
            decision: 'approve',
            permissions: ticks[i] as string[],
          }),
        ),
      )
      for (const page of next) t.ok(page.status < 500)
      const events = (await operator('GET', `/audit?client_id=${app.client_id}`)).body.items
      const approvals = (events as { type: string }[]).filter(({ type }) => /^install/.test(type))
      t.match(approvals, [{ type: 'install.approved' }], 'one approval, without a change')
    }
  })

  t.test('never redirects to a URI that is no longer registered', async (t) => {
    const legacy = { interface: 'legacy' }
    const [app, old] = [await createApp(running, {}), await createApp(running, legacy)]
    for (const [one, permissions] of [
      [app, currentPermissions],
      [old, legacyPermissions],
    ] as const)
      await install(running, acme, one, { permissions })
    const visitor = await signedIn(issuer, ana)
    const hint = { organization_id: acme }
    const forced = { ...hint, force_prompt: '1' }
    const pages = [
      await visitor.get(ask(app, hint)),
      await visitor.get(legacyAuthorizeUrl(issuer, old, forced)),
    ]
    for (const { client_id } of [app, old])
      await operator('PATCH', `/apps/${client_id}`, { redirect_uris: ['https://new.example/cb'] })
    for (const page of pages) {
      t.equal(pageKind(page), 'decide')
      for (const decision of ['approve', 'deny']) {
        const answer = await visitor.submit(page, { decision })
        t.match(answer, { status: 400, left: null }, decision)
        t.match(wordsOf(answer), 'the redirect URI is not registered any more')
      }
      t.match(
        await visitor.get(page.url),
        { status: 400, left: null },
        'no question is asked either',
      )
    }
    for (const { client_id, redirect_uri } of [app, old])
      await operator('PATCH', `/apps/${client_id}`, { redirect_uris: [redirect_uri] })
    const [page] = pages as [(typeof pages)[0]]
    t.ok((await visitor.submit(page, { decision: 'approve' })).left, 'registered again')
  })

  t.test('a decision does not choose an organization', async (t) => {
    const visitor = await signedIn(issuer, kim)
    const choice = await visitor.get(ask(confidential, { prompt: 'select_account' }))
    const still = await visitor.submit(choice, { organization_id: other, decision: 'approve' })
    t.equal(pageKind(still), 'choose-organization')
  })
})
