/** The request id on a page that refuses something leads to why, who and what helps. */
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, type VisitedPage } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'
import { visitAs } from './operator/operator-visit.ts'
import { wordsOf } from './organization-visit.ts'

const idOn = (page: VisitedPage) => page.dom.querySelector('.reference .code')?.textContent ?? ''
const secret = 'pregnant-or-not'

await onEachBackend('refused pages', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, other, ana, kim, zoe, legacy } = world
  const { visitor: console } = await visitAs(running, stores, '*')
  const admin = await signedIn(issuer, kim)
  const member = await signedIn(issuer, ana)
  const app = await createApp(running, { name: 'Letter Press', owners: [ana.id] })
  await install(running, acme, app)
  const requestOf = (more: Record<string, string> = {}) =>
    authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()), ...more })

  const explained = async (id: string) => {
    const path = `/operator/requests/${id}`
    await eventually(async () => /Refused:/.test(wordsOf(await console.get(path))))
    return console.get(path)
  }
  const hold = (suspended: boolean) =>
    operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, { suspended })
  const deny = (method: 'PUT' | 'DELETE') =>
    operator(method, `/organizations/${acme}/installs/${app.client_id}/denied/${ana.id}`)

  const cases: {
    name: string
    meet: () => Promise<VisitedPage>
    says: string[]
    status: number
    ofApp?: true
    ofAcme?: true
    before?: () => Promise<unknown>
    after?: () => Promise<unknown>
  }[] = [
    {
      name: 'a wrong redirect URI',
      meet: () => member.get(requestOf({ redirect_uri: `https://evil.test/${secret}` })),
      says: ['the address to which the app wanted the person back is not registered', 'ana'],
      ...{ status: 400, ofApp: true },
    },
    {
      name: 'a wrong redirect URI of a legacy app',
      meet: () =>
        createVisitor(issuer).get(
          legacyAuthorizeUrl(issuer, legacy, { redirect_uri: 'https://evil.test/' }),
        ),
      says: ['is not registered', 'The page on which a person allows the app'],
      status: 400,
    },
    {
      name: 'an unknown app',
      meet: () => createVisitor(issuer).get(requestOf({ client_id: `cli_${secret}` })),
      says: ['no app is registered under the Client ID', 'The operator registers the app'],
      status: 400,
    },
    {
      name: 'an expired interaction',
      meet: () => member.get(`/interaction/${'x'.repeat(32)}`),
      says: ['took longer than an hour', 'The person starts again from the app.', 'ana'],
      status: 400,
    },
    {
      name: 'an app that is not for this person',
      before: () => deny('PUT'),
      meet: () => member.get(requestOf()),
      after: () => deny('DELETE'),
      says: ['an admin has denied it to this person', 'whom it is for', 'ana', 'Acme'],
      ...{ status: 403, ofApp: true, ofAcme: true },
    },
    {
      name: 'a suspended app',
      before: () => hold(true),
      meet: () => member.get(requestOf()),
      after: () => hold(false),
      says: ['an admin has suspended the app', 'An admin resumes the app under Apps.'],
      ...{ status: 403, ofApp: true, ofAcme: true },
    },
    {
      name: 'a page that is not there for a person',
      meet: () => member.get(`/organizations/${acme}/members`),
      says: ['the page does not exist for this person', 'ana'],
      status: 404,
    },
    {
      name: 'an incomplete link to install an app',
      meet: () => admin.get(`/install?client_id=${app.client_id}&state=${secret}&state=2`),
      says: ['the link to install the app is incomplete', 'A link to install the app', 'kim'],
      status: 400,
    },
  ]

  for (const { name, meet, says, status, ofApp, ofAcme, before, after } of cases)
    await t.test(name, async (t) => {
      await before?.()
      const met = await meet()
      t.equal(met.status, status)
      const id = idOn(met)
      t.match(id, /^req_/, 'the page shows its id')
      const page = await explained(id)
      for (const part of [...says, 'What helps:', `Status ${status}`]) t.match(wordsOf(page), part)
      t.notMatch(page.text, secret, 'nothing of the query')

      const own = await admin.get(`/organizations/${acme}/activity/requests/${id}`)
      t.match(wordsOf(own), ofAcme ? says[0] : 'Nothing is recorded here for this request.')
      const maker = await member.get(`/developer/apps/${app.client_id}/requests/${id}`)
      t.match(wordsOf(maker), ofApp ? says[0] : 'This app has no refused request with this id.')
      if (ofApp) for (const part of ['Acme', acme, '127.0.0.1']) t.notMatch(maker.text, part)
      await after?.()
    })

  await t.test('an admin of another organization finds nothing', async (t) => {
    await hold(true)
    const id = idOn(await member.get(requestOf()))
    await hold(false)
    await explained(id)
    await operator('PUT', `/organizations/${other}/members/${zoe.id}`, { role: 'admin' })
    const elsewhere = `/organizations/${other}/activity/requests/${id}`
    t.match(wordsOf(await (await signedIn(issuer, zoe)).get(elsewhere)), 'Nothing is recorded here')
  })

  await t.test(
    'an address that has no page is not recorded, and a flood has its share',
    async (t) => {
      const anyone = createVisitor(issuer)
      const lost = idOn(await anyone.get('/wp-login.php'))
      const ids: string[] = []
      for (let at = 0; at < 12; at++)
        ids.push(idOn(await anyone.get(requestOf({ redirect_uri: 'https://evil.test/' }))))
      const person = idOn(await member.get(`/interaction/${'y'.repeat(32)}`))
      t.match(wordsOf(await explained(person)), 'took longer than an hour')
      const told = await Promise.all(ids.map((id) => console.get(`/operator/requests/${id}`)))
      const count = told.filter((page) => /Refused:/.test(wordsOf(page))).length
      t.ok(count <= 5, `${count} of 12`)
      const page = await console.get(`/operator/requests/${lost}`)
      t.match(wordsOf(page), 'Nothing is recorded here for this request.')
      t.equal((await operator('GET', '/audit?type=page.refused')).body.items.length, 0)
    },
  )
})
