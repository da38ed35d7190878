import { authorizeUrl, challengeOf, newVerifier } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { countRows } from '../../support/traces.ts'
import { pageKind } from '../../support/visitor.ts'
import { createApp, install, type TestApp } from '../../support/world.ts'
import { wordsOf } from './organization-visit.ts'

await onEachBackend('the pages of a request', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, other, ana, kim, confidential } = world
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

  /** The page for Acme, while the choice is another one by now. */
  const chosenElsewhere = async (person: typeof ana, app: TestApp) => {
    const visitor = await signedIn(issuer, person)
    const choice = await visitor.get(ask(app, { prompt: 'select_account' }))
    const page = await visitor.submit(choice, { organization_id: acme })
    await visitor.submit(choice, { organization_id: other })
    return { visitor, page }
  }

  t.test('what was shown for one organization is not done in another', async (t) => {
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

  t.test('a script that names no organization means the one that is chosen', async (t) => {
    const app = await createApp(running, { name: 'Postcards' })
    const { visitor, page } = await chosenElsewhere(kim, app)
    await visitor.submit(page, { decision: 'approve', organization_id: null, workspace_ids: '*' })
    t.same([await installed(acme, app), await installed(other, app)], [false, true])
  })

  t.test('a decision is no choice of an organization', async (t) => {
    const visitor = await signedIn(issuer, kim)
    const choice = await visitor.get(ask(confidential, { prompt: 'select_account' }))
    const still = await visitor.submit(choice, { organization_id: other, decision: 'approve' })
    t.equal(pageKind(still), 'choose-organization')
  })
})
