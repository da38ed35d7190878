import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { walk } from '../support/visitor.ts'
import { createApp, install, password } from '../support/world.ts'

const hidden = [
  'Acme\u200b',
  'Ac\u200cme',
  'Ac\u200dme',
  'Ac\u2060me',
  '\ufeffAcme',
  'Ac\u00adme',
  'Ac\u034fme',
  'Acme \u3164',
  'Acme\u115f',
  'Acme\uffa0',
  'Acme\u17b4',
  'Acme\u180e',
  'Acme\u2061',
  'Acme\ufe0f',
  'Acme\u{e0041}',
  'Acme\u{e0100}',
  '\u202eemcA',
  '\u2067Acme\u2069',
  'Acme\u2028',
  '\u200b',
  '\u3164',
  '\u2800',
  '\u00a0\u2003',
]

await onEachBackend('names', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, kim, ana, sales, confidential } = world

  t.test('UI-17 rejects displayed names with hidden characters', async (t) => {
    const app = { interface: 'current', client_type: 'confidential', permissions: [] }
    const uris = { redirect_uris: ['https://a.example/cb'] }
    const keySet = { interface: 'current', permissions: [] }
    const made = await operator('POST', `/organizations/${acme}/key-sets`, { ...keySet, name: 'K' })
    const rows: [method: string, path: string, body: (name: string) => object][] = [
      ['POST', '/apps', (name) => ({ ...app, ...uris, name })],
      ['PATCH', `/apps/${confidential.client_id}`, (name) => ({ name })],
      ['POST', '/organizations', (name) => ({ name })],
      ['PATCH', `/organizations/${acme}`, (name) => ({ name })],
      ['POST', `/organizations/${acme}/workspaces`, (name) => ({ name })],
      ['PATCH', `/workspaces/${sales}`, (name) => ({ name })],
      ['POST', '/users', (name) => ({ email: 'new@names.test', name, password })],
      ['PATCH', `/users/${kim.id}`, (name) => ({ name })],
      ['POST', `/organizations/${acme}/key-sets`, (name) => ({ ...keySet, name })],
      ['PATCH', `/organizations/${acme}/key-sets/${made.body.id}`, (name) => ({ name })],
      ['POST', '/resource-servers', (name) => ({ name })],
    ]
    for (const [method, path, body] of rows) {
      for (const name of hidden) {
        const { status } = await operator(method, path, body(name))
        t.equal(status, 400, `${method} ${path}: ${encodeURIComponent(name)}`)
      }
      const { status } = await operator(method, path, body('Acme 📊 — Ünïcode'))
      t.ok([200, 201].includes(status), `${method} ${path} accepts a visible name`)
    }
    for (const description of hidden.slice(0, 19)) {
      const patched = await operator('PATCH', `/apps/${confidential.client_id}`, { description })
      t.equal(patched.status, 400, encodeURIComponent(description))
    }
  })

  t.test('UI-17 an admin cannot give a key set such a name', async (t) => {
    const admin = await signedIn(issuer, kim)
    const path = `/organizations/${acme}/keys`
    // White space around a name, which the form trims.
    const inside = hidden.filter((name) => !/^\ufeff|\u2028$/.test(name))
    for (const name of inside) {
      const form = await admin.get(`${path}/new`)
      const page = await admin.submit(form, { name, decision: 'create' })
      t.equal(page.status, 400, encodeURIComponent(name))
    }
  })

  t.test('UI-17 stored names are shown without hidden characters', async (t) => {
    const app = await createApp(running, { name: 'Old', description: 'Old' })
    const old = 'Pay\u200bPal\u202e\u2060 \ufeffOld'
    await install(running, acme, app)
    const set = (table: string, column: string, key: string, id: string) =>
      sql(stores, `update ${table} set ${column} = $1 where ${key} = $2`, [old, id])
    await set('apps', 'name', 'client_id', app.client_id)
    await set('apps', 'description', 'client_id', app.client_id)
    await set('organizations', 'name', 'id', acme)
    await set('workspaces', 'name', 'id', sales)
    await set('users', 'name', 'id', ana.id)
    await set('users', 'name', 'id', kim.id)
    const [member, admin] = [await signedIn(issuer, ana), await signedIn(issuer, kim)]
    const requested = { code_challenge: challengeOf(newVerifier()), prompt: 'consent' }
    for (const [who, path] of [
      [member, authorizeUrl(issuer, app, requested)],
      [member, '/'],
      [admin, `/organizations/${acme}/apps`],
      [admin, `/organizations/${acme}/apps/${app.client_id}`],
      [admin, `/organizations/${acme}/apps/${app.client_id}/change`],
      [admin, `/organizations/${acme}/apps/${app.client_id}/ends`],
      [admin, `/organizations/${acme}/apps/${app.client_id}/uninstall`],
      [admin, `/organizations/${acme}/members`],
      [admin, `/organizations/${acme}/keys/new`],
      [admin, `/organizations/${acme}/activity`],
    ] as const) {
      const page = await who.get(path)
      t.equal(page.status, 200, path)
      t.match(page.text, 'PayPal Old', path)
      t.notMatch(page.text, /[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/, path)
    }
    const path = `/apps/${app.client_id}`
    t.equal((await operator('PATCH', path, { retry_window_seconds: 1 })).status, 200)
    t.equal((await operator('PATCH', path, { disabled: true })).status, 200, 'it can be disabled')
  })

  t.test('an app’s parameters are returned unchanged, hidden characters included', async (t) => {
    const state = 'a\u200bb\u202ec\ufeff'
    const requested = {
      code_challenge: challengeOf(newVerifier()),
      state,
      response_mode: 'form_post',
    }
    const visitor = await signedIn(issuer, ana)
    const page = await walk(visitor, authorizeUrl(issuer, confidential, requested), ana)
    t.equal(page.dom.querySelector('input[name="state"]')?.getAttribute('value'), state)
    const legacy = await walk(visitor, legacyAuthorizeUrl(issuer, world.legacy, { state }), ana)
    t.equal(legacy.left?.searchParams.get('state'), state)
  })
})
