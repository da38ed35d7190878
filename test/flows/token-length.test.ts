/** Permissions that are too long for a token: refused where they are registered, and tokens of what exists (decision 0108). */
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  refresh,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const names = Array.from({ length: 60 }, (_, at) => `${at}:`.padEnd(64, 'long'))
const few = names.slice(0, 20)

/** As an earlier version has registered and approved them. */
const lengthen = async ({ stores }: Scene, clientId: string) => {
  for (const table of ['apps', 'installs'])
    await sql(stores, `update ${table} set permissions = $2 where client_id = $1`, [
      clientId,
      names,
    ])
}

await onEachBackend('permissions that are too long for a token', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { operator } = running
  for (const name of names)
    await operator('PUT', `/permissions/current/${name}`, { sentence: 'Use it', group: 'other' })

  t.test('they are refused where they are registered', async (t) => {
    const { client_id: id } = await createApp(running, { name: 'Short', permissions: few })
    const keySets = `/organizations/${world.acme}/key-sets`
    const keySet = { name: 'Keys', interface: 'current' }
    const made = (await operator('POST', keySets, { ...keySet, permissions: few })).body
    const refused = {
      status: 400,
      body: { errors: [{ pointer: '/permissions', reason: 'permissions_too_long' }] },
    }
    t.match(await operator('PATCH', `/apps/${id}`, { permissions: names }), refused)
    t.match(await operator('POST', keySets, { ...keySet, permissions: names }), refused)
    t.match(await operator('PATCH', `${keySets}/${made.id}`, { permissions: names }), refused)
  })

  t.test('an app that exists gets no token for them, and nothing is consumed', async (t) => {
    const app = await createApp(running, { name: 'Long', permissions: few })
    await install(running, world.acme, app, { permissions: few })
    const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
    const { refresh_token: token } = (await exchangeCode(issuer, app, code)).body
    await lengthen(scene, app.client_id)
    await sql(stores, 'update grants set permissions = $2 where client_id = $1', [
      app.client_id,
      names,
    ])
    const refused = { status: 400, body: { error: 'invalid_scope', error_description: /too long/ } }
    t.match(await clientCredentials(issuer, app, world.acme), refused)
    t.match(await refresh(issuer, app, token), refused)
    const scope = few.join(' ')
    const narrow = await refresh(issuer, app, token, { scope })
    t.equal(narrow.status, 200, 'the token was not consumed')
    t.strictSame(claimsOf(narrow.body.access_token).permissions.toSorted(), few.toSorted())
    t.ok(narrow.body.access_token.length < 8000)
    const path = `/apps/${app.client_id}`
    t.equal((await operator('PATCH', path, { disabled: true })).status, 200, 'it can be changed')
  })

  t.test('the implicit flow of the legacy interface answers with the error, too', async (t) => {
    const app = await createApp(running, {
      name: 'Long page',
      interface: 'legacy',
      client_type: 'public',
      permissions: ['readData'],
    })
    await install(running, world.acme, app, { permissions: ['readData'], workspace_ids: null })
    const url = legacyAuthorizeUrl(issuer, app, {
      response_type: 'token',
      organization_id: world.acme,
    })
    const visitor = createVisitor(issuer)
    t.match((await walk(visitor, url, world.ana)).left?.hash, /access_token=/)
    await lengthen(scene, app.client_id)
    t.match((await walk(visitor, url, world.ana)).left?.hash, /error=invalid_scope/)
  })

  t.test('the log lists them at the start', async (t) => {
    const app = await createApp(running, { name: 'Listed', permissions: few })
    await lengthen(scene, app.client_id)
    const another = await startLatchkey(stores, { environment: { ISSUER: issuer } })
    t.teardown(another.stop)
    const listing = () =>
      another.log
        .join('')
        .split('\n')
        .find((line) => line.includes('too long'))
    while (!listing()) await new Promise((done) => setTimeout(done, 20))
    t.ok(listing()?.includes(app.client_id))
    t.notOk(listing()?.includes(world.confidential.client_id))
  })
})
