/** The directory: apps that the operator has listed; an admin installs from it, a member asks. */
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'
import { decide, formOf, postFields, wordsOf } from './organization-visit.ts'

await onEachBackend('the directory', async (t, { running, issuer, world }) => {
  const { acme, other, ana, kim, zoe } = world
  const { operator } = running
  const path = `/organizations/${acme}/directory`
  const kimThere = await signedIn(issuer, kim)
  t.match((await kimThere.get(path)).text, 'The operator has not listed any app yet')
  t.notMatch((await kimThere.get('/')).text, path, 'no link to an empty page')

  const listed = (name: string, part: Record<string, unknown> = {}) =>
    createApp(running, { name, listed: true, ...part })
  const letters = await listed('Letter Press', {
    publisher: 'Letters & Sons',
    description: 'Prints letters',
    setup_uri: 'https://app.example/setup',
  })
  const maps = await listed('Map Maker', { reviewed: true })
  const pocket = await listed('Pocket Maps', {
    client_type: 'public',
    redirect_uris: ['com.example.maps:/cb'],
  })
  const old = await listed('Old Sheets', { interface: 'legacy' })
  const hidden = await createApp(running, { name: 'Hidden' })
  const off = await listed('Switched Off')
  await operator('PATCH', `/apps/${off.client_id}`, { disabled: true })
  await install(running, acme, maps)

  t.test('shows listed apps with their state, by name', async (t) => {
    const page = await (await signedIn(issuer, kim)).get(path)
    t.equal(page.headers.get('cache-control'), 'no-store')
    const names = page.dom.querySelectorAll('li.panel h2').map((one) => one.text.trim())
    t.same(names, ['Letter Press', 'Map Maker', 'Old Sheets', 'Pocket Maps'])
    const words = wordsOf(page)
    for (const one of ['by Letters & Sons', 'Prints letters', 'Reviewed', 'Installed'])
      t.match(words, one)
    t.notMatch(words, 'Hidden')
    t.notMatch(words, 'Switched Off')
    t.match((await kimThere.get('/')).text, path)
  })

  t.test('finds an app by its name', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(`${path}?name=MAP`)
    const names = page.dom.querySelectorAll('li.panel h2').map((one) => one.text.trim())
    t.same(names, ['Map Maker', 'Pocket Maps'])
    t.match(wordsOf(await visitor.get(`${path}?name=%3Cb%3E`)), 'No app here has “<b>” in its name')
  })

  t.test('shows the next part of a long list', async (t) => {
    const { acme: whole } = world
    for (let at = 0; at < 25; at++) await listed(`Zebra ${String(at).padStart(2, '0')}`)
    const visitor = await signedIn(issuer, ana)
    const first = await visitor.get(`/organizations/${whole}/directory`)
    t.equal(first.dom.querySelectorAll('li.panel').length, 25)
    const next = first.dom.querySelector('a[rel="next"]')?.getAttribute('href') ?? ''
    const second = await visitor.get(next.replaceAll('&amp;', '&'))
    t.same(
      second.dom.querySelectorAll('li.panel h2').map((one) => one.text.trim()),
      ['Zebra 21', 'Zebra 22', 'Zebra 23', 'Zebra 24'],
    )
  })

  t.test('an admin installs an app and returns to the apps of the organization', async (t) => {
    for (const { client_id } of [letters, pocket, old]) {
      const admin = await signedIn(issuer, kim)
      const about = { client_id }
      const step = await decide(admin, await admin.get(`${path}?name=`), 'install', about)
      t.match(step.text, /<h1>Install /)
      const done = await admin.submit(step, { decision: 'approve' })
      t.match(
        { left: done.left, path: done.url.pathname },
        { left: null, path: `/organizations/${acme}/apps` },
      )
      const { status } = await operator('GET', `/organizations/${acme}/installs/${client_id}`)
      t.equal(status, 200)
    }
  })

  t.test('an admin who cancels returns to the directory', async (t) => {
    const app = await listed('A Cancelled One')
    const admin = await signedIn(issuer, kim)
    const step = await decide(admin, await admin.get(path), 'install', { client_id: app.client_id })
    const back = await admin.submit(step, { decision: 'deny' })
    t.match({ left: back.left, path: back.url.pathname }, { left: null, path })
  })

  t.test('a member asks, and sees that', async (t) => {
    const app = await listed('A Wanted One')
    const about = { client_id: app.client_id }
    const member = await signedIn(issuer, ana)
    const list = await member.get(path)
    t.throws(() => formOf(list, 'install', about), 'a member cannot install')
    const step = await decide(member, list, 'request', about)
    const sent = await member.submit(step, { decision: 'request' })
    t.equal(sent.status, 200)
    t.match(wordsOf(await member.get(path)), 'You asked for it')
    const again = await decide(member, await member.get(path), 'request', about)
    t.match(again.text, 'Your request is with the admins')
    t.match(
      wordsOf(await (await signedIn(issuer, kim)).get(`/organizations/${acme}/apps`)),
      'A Wanted One',
    )
  })

  t.test(
    'is the same 404 for foreign and unknown organizations and for unlisted apps',
    async (t) => {
      const stranger = await signedIn(issuer, zoe)
      const foreign = await stranger.get(path)
      const unknown = await stranger.get('/organizations/orgNone/directory')
      t.match([foreign.status, unknown.status], [404, 404])
      t.notMatch(foreign.text, 'Acme')
      t.equal((await stranger.get(`/organizations/${other}/directory`)).status, 200)
      const url = `${issuer}${path}`
      for (const client_id of [hidden.client_id, off.client_id, 'appNone', '', '../x'])
        t.equal((await postFields(kimThere, url, { client_id })).status, 404, client_id)
      t.equal((await postFields(stranger, url, { client_id: letters.client_id })).status, 404)
      const signedOut = await createVisitor(issuer).get(path)
      t.equal(signedOut.url.pathname, '/login')
      const forged = new URLSearchParams({ client_id: letters.client_id })
      t.equal((await kimThere.fetch(url, { method: 'POST', body: forged })).status, 403)
    },
  )
})
