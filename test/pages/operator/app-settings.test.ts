/** Where an app runs and returns after an installation, and requests of owners that are outdated. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp } from '../../support/world.ts'
import { postFields, wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const uri = 'https://letters.example/cb'
const faultOf = (page: VisitedPage, name: string) =>
  page.dom.querySelector(`#${name}-error`)?.text.trim()
const answersOn = ({ dom }: VisitedPage) =>
  dom.querySelectorAll('main button[name="decision"]').map((one) => one.getAttribute('value'))
const faultsOn = (page: VisitedPage) => page.dom.querySelectorAll('.field-error').length

await onEachBackend('settings of an app in the console', async (t, { running, stores, world }) => {
  const { operator, issuer } = running
  const { ana } = world
  const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write')

  await t.test('location, kind and setup URI, when an app is registered and changed', async (t) => {
    const given = {
      location: 'https://letters.example/start',
      kind: 'hybrid',
      setup_uri: 'https://letters.example/setup',
    }
    const form = await visitor.get('/operator/apps/new')
    const shown = await visitor.submit(form, { name: 'Letters', redirect_uris: uri, ...given })
    const back = shown.dom.querySelector('main a[href^="/operator/apps/"]')?.getAttribute('href')
    const at = String(back)
    const path = `/apps/${at.split('/').pop()}`
    t.match((await operator('GET', path)).body, given)
    const page = wordsOf(await visitor.get(at))
    t.match(page, `Address of the app ${given.location}`)
    t.match(page, 'Where people open it In both places')
    t.match(page, `Return address after an install ${given.setup_uri}`)

    const change = await visitor.get(`${at}/change`)
    t.equal(change.dom.querySelector('#setup_uri')?.getAttribute('value'), given.setup_uri)
    const chosen = change.dom.querySelector('input[name="kind"][checked]')
    t.equal(chosen?.getAttribute('value'), 'hybrid')
    const none = { location: '', kind: '', setup_uri: '' }
    const saved = wordsOf(await visitor.submit(change, none))
    t.match(
      saved,
      / is saved\..*Address of the app none.*Where people open it Not recorded.*Return address after an install none/,
    )
    const empty = { location: null, kind: null, setup_uri: null }
    t.match((await operator('GET', path)).body, empty)

    const again = await visitor.get(`${at}/change`)
    const wrong = { location: 'http://letters.example', setup_uri: 'com.example.app:/setup' }
    const refused = await visitor.submit(again, { ...wrong, kind: 'inside' })
    t.equal(refused.status, 400)
    t.equal(faultsOn(refused), 2)
    t.match(faultOf(refused, 'location'), 'Enter an address that begins with https://, or with')
    t.match(faultOf(refused, 'setup_uri'), 'follows the rules of redirect URIs')
    for (const [name, value] of Object.entries(wrong))
      t.equal(refused.dom.querySelector(`#${name}`)?.getAttribute('value'), value, 'kept')
    t.match((await operator('GET', path)).body, empty)
    const open = await visitor.submit(again, { client_type: 'public', setup_uri: given.setup_uri })
    t.match(faultOf(open, 'setup_uri'), 'This is for confidential apps')
  })

  await t.test('a legacy app has a location and a kind, and no setup URI', async (t) => {
    const form = await visitor.get('/operator/apps/new-legacy')
    t.equal(form.dom.querySelector('#setup_uri'), null)
    const fields = { name: 'Old', redirect_uris: uri, location: 'http://localhost:8080/' }
    const shown = await visitor.submit(form, { ...fields, kind: 'outside' })
    const at = shown.dom.querySelector('main a[href^="/operator/apps/"]')?.getAttribute('href')
    const page = wordsOf(await visitor.get(String(at)))
    t.match(page, /Address of the app http:\/\/localhost:8080\/ Where people open it Elsewhere/)
    t.notMatch(page, 'Return address after an install')
  })

  await t.test('an outdated request of an owner can only be refused', async (t) => {
    const app = await createApp(running, { name: 'Press', owners: [ana.id] })
    const maker = await signedIn(issuer, ana)
    const wider = `${app.redirect_uri}\nhttps://letters.example/second`
    const asking = await maker.get(`/developer/apps/${app.client_id}/change`)
    await maker.submit(asking, { redirect_uris: wider })
    const { items } = (await operator('GET', '/app-changes')).body
    const { id } = items.find((one: { client_id: string }) => one.client_id === app.client_id)
    const at = `/operator/changes/${id}`
    const early = await visitor.get(at)
    t.match(wordsOf(early), 'This is exactly what you approve')
    const other = { redirect_uris: ['https://letters.example/other'] }
    t.equal((await operator('PATCH', `/apps/${app.client_id}`, other)).status, 200)

    const page = await visitor.get(at)
    const why = 'A setting has changed since, so this cannot be approved.'
    const main = (one: VisitedPage) => one.dom.querySelector('main')
    const hrefs = main(page)
      ?.querySelectorAll('a')
      .map((one) => one.getAttribute('href'))
    t.equal(wordsOf(page).split(why).length, 2, 'said once')
    t.same(answersOn(page), ['refuse'])
    t.notMatch(main(page)?.text, /Approve\b|exactly what you approve/)
    t.ok(hrefs?.includes(`/operator/apps/${app.client_id}`), 'open the app')

    const late = await visitor.submit(early, { note: 'Welcome' })
    t.equal(late.url.pathname, at)
    t.equal(wordsOf(late).split(why).length, 2, 'said once to an earlier form too')
    t.same(answersOn(late), ['refuse'])
    t.match((await operator('GET', `/apps/${app.client_id}`)).body, other)
    const sent = await postFields(visitor, `${issuer}${at}`, { decision: 'approve' })
    t.equal(sent.headers.get('location'), at)

    const refusal = { decision: 'refuse', note: 'Ask again' }
    t.match(wordsOf(await visitor.submit(await visitor.get(at), refusal)), 'Refused')
    const own = await maker.get(`/developer/apps/${app.client_id}`)
    t.match(wordsOf(own), 'The operator says: Ask again')
    t.equal((await operator('GET', `/app-changes/${id}`)).status, 404)
  })
})
