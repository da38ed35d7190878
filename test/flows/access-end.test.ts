/** An operator or admin ends the access of an app for one user; all apps of an organization are suspended together. */
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, readFeed, registerResourceServer } from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

type Person = Scene['world']['ana']

const tokensOf = async ({ running, issuer }: Scene, app: TestApp, user: Person) =>
  (await exchangeCode(issuer, app, await currentCode(running, app, user))).body

const eventsOf = ({ stores }: Scene, type: string, clientId: string) =>
  sql<{ actor_kind: string; user_id: string | null }>(
    stores,
    'select actor_kind, user_id from audit_events where type = $1 and client_id = $2 order by id',
    [type, clientId],
  )

await onEachBackend(
  'the access of one user ends',
  async (t, scene) => {
    const { running, issuer, world } = scene
    const { acme, other, ana, kim, zoe, confidential: app } = world
    const server = await registerResourceServer(running)
    const isActive = async (url: string, token: string) =>
      (await introspectAt(url, server, token)).body.active as boolean
    const pathOf = (user: string, organization = acme, clientId = app.client_id) =>
      `/organizations/${organization}/installs/${clientId}/users/${user}`
    const end = (user: string, ...more: string[]) =>
      running.operator('DELETE', pathOf(user, ...more))

    t.test('its tokens are refused on every instance, and others are not affected', async (t) => {
      const [hers, his] = [await tokensOf(scene, app, ana), await tokensOf(scene, app, kim)]
      const machine = (await clientCredentials(issuer, app, acme)).body
      const { cursor } = await readFeed(issuer, server)
      t.equal((await end(ana.id)).status, 204)
      for (const url of running.urls) {
        t.equal(await isActive(url, hers.access_token), false, url)
        t.equal(await isActive(url, his.access_token), true, 'another user')
        t.equal(await isActive(url, machine.access_token), true, 'the app itself')
        t.match((await refresh(url, app, hers.refresh_token)).body, { error: 'invalid_grant' })
      }
      t.equal((await refresh(issuer, app, his.refresh_token)).status, 200)
      t.ok((await readFeed(issuer, server, cursor)).changes.length > 0, 'data APIs learn of it')
      t.match(await eventsOf(scene, 'connection.ended', app.client_id), [
        { actor_kind: 'operator', user_id: ana.id },
      ])
    })

    t.test('a repetition changes nothing, and the user may allow the app again', async (t) => {
      const before = await eventsOf(scene, 'connection.ended', app.client_id)
      t.equal((await end(ana.id)).status, 204)
      t.same(await eventsOf(scene, 'connection.ended', app.client_id), before)
      const again = await tokensOf(scene, app, ana)
      t.equal(await isActive(issuer, again.access_token), true)
      t.equal((await refresh(issuer, app, again.refresh_token)).status, 200)
    })

    t.test('unknown users, apps and organizations are not found', async (t) => {
      const free = await createApp(running, { name: 'Not installed' })
      for (const [what, path] of Object.entries({
        'an unknown user': pathOf('usrNone'),
        'a user of another organization': pathOf(zoe.id),
        'an unknown app': pathOf(ana.id, acme, 'appNone'),
        'an app that is not installed': pathOf(ana.id, acme, free.client_id),
        'another organization': pathOf(ana.id, other),
        'an unknown organization': pathOf(ana.id, 'orgNone'),
      }))
        t.equal((await running.operator('DELETE', path)).status, 404, what)
    })

    t.test('twenty at once end it once, while the app refreshes', async (t) => {
      const { access_token, refresh_token } = await tokensOf(scene, app, ana)
      const before = await eventsOf(scene, 'connection.ended', app.client_id)
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => end(ana.id))),
        refresh(issuer, app, refresh_token),
      ])
      for (const { status } of answers) t.equal(status, 204)
      const after = await eventsOf(scene, 'connection.ended', app.client_id)
      t.equal(after.length, before.length + 1)
      t.equal(await isActive(issuer, access_token), false)
    })
  },
  { instances: 2 },
)

await onEachBackend('all apps of an organization are suspended together', async (t, scene) => {
  const { running, issuer, stores, world } = scene
  const { acme, other, ana, confidential, second, publicApp } = world
  const post = (call: 'suspend-all' | 'resume-all', organization = acme) =>
    running.operator('POST', `/organizations/${organization}/${call}`)
  const set = (app: TestApp, suspended: boolean) =>
    running.operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, { suspended })
  const suspended = async () => {
    const { items } = (await running.operator('GET', `/organizations/${acme}/installs`)).body
    const those = items.filter((one: { suspended: boolean }) => one.suspended)
    return new Set<string>(those.map((one: { client_id: string }) => one.client_id))
  }
  const countOf = async (type: string) => {
    const found = await sql(
      stores,
      'select 1 as one from audit_events where type = $1 and organization_id = $2',
      [type, acme],
    )
    return found.length
  }
  const live = (await running.operator('GET', `/organizations/${acme}/installs`)).body.items.length
  await install(running, other, confidential)

  t.test('tokens are refused until the apps are resumed, and no approval is lost', async (t) => {
    const tokens = await tokensOf(scene, confidential, ana)
    await set(second, true)
    const answer = await post('suspend-all')
    t.match(answer, { status: 200, body: { apps: live - 1 } })
    t.equal((await suspended()).size, live)
    const refused = await refresh(issuer, confidential, tokens.refresh_token)
    t.match(refused.body, { error: 'invalid_grant' })
    t.equal(
      (await clientCredentials(issuer, confidential, other)).status,
      200,
      'elsewhere it works',
    )
    t.match((await post('suspend-all')).body, { apps: 0 })

    t.match((await post('resume-all')).body, { apps: live - 1 })
    t.same(await suspended(), new Set([second.client_id]), 'it was suspended before')
    t.equal((await refresh(issuer, confidential, tokens.refresh_token)).status, 200)
    t.match((await post('resume-all')).body, { apps: 0 })
    await set(second, false)
    t.equal(await countOf('organization.apps_suspended'), 1, 'once, whatever the number of apps')
    t.equal(await countOf('organization.apps_resumed'), 1)
    t.equal(await countOf('install.suspended'), live, 'and one for each app')
  })

  t.test('an app that is suspended again by itself stays suspended', async (t) => {
    await post('suspend-all')
    await set(publicApp, false)
    t.notOk((await suspended()).has(publicApp.client_id), 'one app is resumed by itself')
    await set(publicApp, true)
    await post('resume-all')
    t.same(await suspended(), new Set([publicApp.client_id]))
    await set(publicApp, false)
  })

  t.test('an approval keeps the suspension, and a new install works', async (t) => {
    await post('suspend-all')
    await install(running, acme, confidential, { permissions: [] })
    t.ok((await suspended()).has(confidential.client_id))
    const fresh = await createApp(running, { name: 'Fresh' })
    await install(running, acme, fresh)
    t.equal((await clientCredentials(issuer, fresh, acme)).status, 200)
    await post('resume-all')
    t.same(await suspended(), new Set())
  })

  t.test('many at once change each app once', async (t) => {
    const before = await countOf('install.suspended')
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('suspend-all')))
    const changed = answers.map(({ body }) => body.apps as number)
    const all = changed.reduce((sum, one) => sum + one, 0)
    t.equal(all, live + 1)
    t.equal(changed.filter((one) => one > 0).length, 1, 'one call suspends them all')
    t.equal((await countOf('install.suspended')) - before, live + 1)
    await Promise.all([
      ...Array.from({ length: 5 }, () => post('resume-all')),
      ...Array.from({ length: 5 }, () => set(second, false)),
    ])
    t.same(await suspended(), new Set())
  })

  t.test('an unknown organization is not found', async (t) => {
    for (const call of ['suspend-all', 'resume-all'] as const)
      t.equal((await post(call, 'orgNone')).status, 404)
  })
})
