import { parse } from 'node-html-parser'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { mainForm } from '../support/visitor.ts'
import { createApp, currentPermissions, install, type TestApp } from '../support/world.ts'
import { postFields, wordsOf } from './organization-visit.ts'

await onEachBackend('ways on', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, other, ana, kim } = world
  const ask = (app: TestApp) =>
    authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
  const suspendedIn = async (organization: string, name: string) => {
    const app = await createApp(running, { name })
    const permissions = currentPermissions
    await install(running, organization, app, { permissions })
    const path = `/organizations/${organization}/installs/${app.client_id}`
    await operator('PATCH', path, { suspended: true })
    return app
  }

  await t.test(
    'a suspended app’s page shows app, organization, user and a link back',
    async (t) => {
      const app = await suspendedIn(acme, 'Asleep')
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(ask(app))
      t.equal(page.status, 403)
      for (const words of ['Asleep', 'Acme', ana.email, 'Return to Asleep'])
        t.match(wordsOf(page), words)
      t.notMatch(wordsOf(page), 'Choose another organization', 'there is no link back')
      const left = (await visitor.submit(page, { decision: 'deny' })).left
      t.equal(left?.searchParams.get('error'), 'access_denied')

      await operator('PUT', `/organizations/${other}/members/${kim.id}`, { role: 'member' })
      const choosing = await signedIn(issuer, kim)
      const choice = await choosing.get(ask(await suspendedIn(acme, 'Asleep too')))
      const blocked = await choosing.submit(choice, { organization_id: acme })
      t.match(wordsOf(blocked), 'Choose another organization')
    },
  )

  await t.test('a sent request shows the user and the admins who can answer', async (t) => {
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const email = `admin${number}@acme.test`
      const { body } = await operator('POST', '/users', { email, name: `Admin ${number}` })
      await operator('PUT', `/organizations/${acme}/members/${body.id}`, { role: 'admin' })
    }
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(ask(await createApp(running, { name: 'Wanted' })))
    t.match(wordsOf(page), 'Admin 5 or another admin.')
    const sent = await visitor.submit(page, { decision: 'request' })
    t.match(wordsOf(sent), 'Your request is with the admins')
    t.match(wordsOf(sent), ana.email)
    t.match(wordsOf(sent), 'Not you?')
  })

  await t.test(
    '"Not you?" keeps the device code, and a failed sign-in keeps the reason',
    async (t) => {
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get('/activate?user_code=BCDF-GHJK')
      const returnTo = page.dom.querySelector('form[action="/logout"] input[name="return_to"]')
      t.equal(returnTo?.getAttribute('value'), '/activate?user_code=BCDF-GHJK')
      const out = await postFields(visitor, `${issuer}/logout`, {
        return_to: '/activate?user_code=BCDF-GHJK',
      })
      const next = new URL(out.headers.get('location') ?? '', issuer)
      t.equal(next.pathname, '/login')
      t.equal(next.searchParams.get('return_to'), '/activate?user_code=BCDF-GHJK')
      t.equal(next.searchParams.get('again'), 'other')
      const failed = await visitor.submit(await visitor.get(next), {
        email: ana.email,
        password: 'not this',
      })
      t.equal(failed.status, 401)
      const again = mainForm(failed).querySelector('input[name="again"]')
      t.equal(again?.getAttribute('value'), 'other')
      t.match(failed.dom.querySelector('title')?.text, /^Error: Sign in/)
      t.ok(failed.dom.querySelector('[role="alert"][tabindex="-1"]')?.hasAttribute('autofocus'))
    },
  )

  await t.test('an expired sign-in form keeps the reason for a new sign-in', async (t) => {
    const requested = { return_to: '/account/apps', again: 'confirm' }
    const visitor = await signedIn(issuer, ana)
    const form = { ...requested, _csrf: 'of another time' }
    const refused = await postFields(visitor, `${issuer}/login`, form)
    t.equal(refused.status, 403)
    const links = parse(await refused.text()).querySelectorAll('main a')
    const ways = links.map((one) => one.getAttribute('href') ?? '')
    const again = new URL(ways.find((one) => one.startsWith('/login')) ?? '', issuer)
    t.same(Object.fromEntries(again.searchParams), requested)
    t.match(wordsOf(await visitor.get(again)), 'Please sign in once more')
  })

  await t.test('an app on the user’s device is marked as unverified', async (t) => {
    const redirect = 'com.example.app:/back'
    const app = await createApp(running, {
      name: 'Pocket',
      client_type: 'public',
      redirect_uris: [redirect],
    })
    await install(running, acme, app, { permissions: currentPermissions })
    const page = await (await signedIn(issuer, ana)).get(ask(app))
    t.match(wordsOf(page), 'You return to the app on this device (com.example.app).')
    t.match(wordsOf(page), 'We cannot verify that this app sent the request.')
    t.notMatch(wordsOf(page), 'Reviewed')
  })

  await t.test('a refused sign-out page can be reloaded', async (t) => {
    const response = await (await signedIn(issuer, ana)).fetch(`${issuer}/end-session/confirm`)
    t.equal(response.status, 303)
    t.equal(response.headers.get('location'), '/end-session')
  })
})
