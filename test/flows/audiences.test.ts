/**
 * Resource servers with limits: introspection and the revocation feed tell each only what concerns
 * its audience, its organizations and its permissions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
} from '../support/flows.ts'
import { type Json, startLatchkey } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  type ResourceServer,
  readFeed,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const filesApi = 'https://files.example/api'
const inactive = { active: false }

type Limits = Partial<Record<'resource' | 'permissions' | 'organization_ids', string[] | null>>

const registered = async (scene: Scene, limits: Limits): Promise<ResourceServer> => {
  const server = await registerResourceServer(scene.running)
  await changed(scene, server, limits)
  return server
}

const changed = async ({ running }: Scene, server: ResourceServer, limits: Limits) => {
  const path = `/resource-servers/${server.clientId}`
  const { status } = await running.operator('PATCH', path, limits)
  if (status !== 200) throw new Error(`limits: ${status}`)
}

/** A credential of each kind, in the organization acme. */
const credentialsOf = async ({ running, issuer, world }: Scene) => {
  const app = await createApp(running, { name: 'Reports' })
  await install(running, world.acme, app)
  const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
  const user = (await exchangeCode(issuer, app, code)).body
  const machine = (await clientCredentials(issuer, app, world.acme)).body
  const old = await createApp(running, { name: 'Old', interface: 'legacy' })
  await install(running, world.acme, old, { permissions: legacyPermissions })
  const legacy = await legacyCode(running, old, world.ana, { organization_id: world.acme })
  const exchange = { grant_type: 'authorization_code', code: legacy.code }
  const legacyUser = (await legacyToken(issuer, old, exchange)).body
  const keys = await createKeySet(running, world.acme)
  const secretKey = await createKeySet(running, world.acme, {
    interface: 'legacy',
    permissions: ['readData'],
  })
  const iat = Math.floor(Date.now() / 1000)
  const permissions = ['records:create', 'records:delete']
  return {
    app,
    keys,
    credentials: {
      user: user.access_token,
      refresh: user.refresh_token,
      install: machine.access_token,
      legacy: legacyUser.access_token,
      self_signed: selfSign(keys.secret, { iss: keys.client_id, iat, permissions }),
      secret_key: secretKey.secret,
    } as Record<string, string>,
  }
}

const answersTo = async (
  { issuer }: Scene,
  server: ResourceServer,
  credentials: Record<string, string>,
) => {
  const answers: Record<string, Json> = {}
  for (const [kind, token] of Object.entries(credentials)) {
    const { status, body } = await introspectAt(issuer, server, token)
    if (status !== 200) throw new Error(`introspection: ${status}`)
    answers[kind] = body
  }
  return answers
}

const allInactive = (t: Test, answers: Record<string, Json>, why: string) => {
  for (const [kind, answer] of Object.entries(answers))
    t.strictSame(answer, inactive, `${kind}: ${why}`)
}

await onEachBackend('introspection for a limited resource server', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { credentials, keys } = await credentialsOf(scene)
  const plain = await registered(scene, {})
  for (const [kind, answer] of Object.entries(await answersTo(scene, plain, credentials)))
    t.equal(answer.active, true, kind)

  t.test('credentials of other organizations are inactive', async (t) => {
    const foreign = await registered(scene, { organization_ids: [world.other] })
    allInactive(t, await answersTo(scene, foreign, credentials), 'other organization')
    const own = await registered(scene, { organization_ids: [world.other, world.acme] })
    t.same(await answersTo(scene, own, credentials), await answersTo(scene, plain, credentials))
  })

  t.test('a credential without an audience is for the default one', async (t) => {
    const files = await registered(scene, { resource: [filesApi] })
    allInactive(t, await answersTo(scene, files, credentials), 'other audience')
    const both = await registered(scene, { resource: ['urn:both'] })
    // As an earlier version has registered it.
    await sql(stores, 'update resource_servers set resource = $2 where client_id = $1', [
      both.clientId,
      ['urn:both', issuer],
    ])
    const path = `/resource-servers/${both.clientId}`
    t.equal((await running.operator('PATCH', path, { name: 'Both' })).status, 200)
    t.same(await answersTo(scene, both, credentials), await answersTo(scene, plain, credentials))
    await changed(scene, both, { resource: ['urn:both'] })
    allInactive(t, await answersTo(scene, both, credentials), 'changed')
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: keys.client_id, iat }
    const signed = {
      forFiles: selfSign(keys.secret, { ...claims, aud: filesApi }),
      forSeveral: selfSign(keys.secret, { ...claims, aud: ['urn:none', filesApi, issuer] }),
      forNone: selfSign(keys.secret, { ...claims, aud: [] }),
      malformed: selfSign(keys.secret, { ...claims, aud: { uri: filesApi } }),
    }
    const active = async (server: ResourceServer) =>
      Object.values(await answersTo(scene, server, signed)).map((answer) => answer.active)
    t.same(await active(files), [true, true, false, false])
    t.same(await active(plain), [false, true, false, false])
    await running.operator('DELETE', `/resource-servers/${both.clientId}`)
  })

  t.test(
    'the default audience is no resource, because its tokens would not be narrowed',
    async (t) => {
      const { clientId } = await registered(scene, { resource: ['urn:own'] })
      for (const audience of [issuer, `${issuer}/`, issuer.toUpperCase()]) {
        const resource = ['urn:other', audience]
        const body = { name: 'Narrow', resource, permissions: ['records:update'] }
        const created = await running.operator('POST', '/resource-servers', body)
        const path = `/resource-servers/${clientId}`
        for (const refused of [created, await running.operator('PATCH', path, { resource })]) {
          const errors = [{ pointer: '/resource/1', reason: 'resource_default' }]
          t.match(refused, { status: 400, body: { errors } }, audience)
        }
      }
    },
  )

  t.test('a token is for the audiences that it names', async (t) => {
    const environment = { ISSUER: issuer, TOKEN_AUDIENCE: filesApi }
    const another = await startLatchkey(stores, { environment })
    t.teardown(another.stop)
    const app = await createApp(running, { name: 'Files app' })
    await install(running, world.acme, app)
    const { body } = await clientCredentials(another.urls[0] as string, app, world.acme)
    const token = { token: body.access_token }
    const [files] = (await running.operator('GET', '/resource-servers')).body.items.filter(
      ({ resource }: { resource: string[] | null }) => resource?.includes(filesApi),
    )
    t.ok(files)
    t.strictSame((await answersTo(scene, plain, token)).token, inactive)
    const explain = async () => (await running.operator('POST', '/tokens/inspect', token)).body
    t.match(await explain(), { accepted: true }, 'operators see tokens of every known audience')
    await running.operator('DELETE', `/resource-servers/${files.client_id}`)
    t.match(
      await explain(),
      { accepted: false, refused: 'other_audience' },
      'no resource server has the audience',
    )
    const owner = await registered(scene, { resource: [filesApi] })
    t.match((await answersTo(scene, owner, token)).token, { active: true, kind: 'install' })
  })

  t.test('unknown permissions are left out', async (t) => {
    const limited = await registered(scene, { permissions: ['records:update', 'readData'] })
    const answers = await answersTo(scene, limited, credentials)
    for (const [kind, answer] of Object.entries(answers)) t.equal(answer.active, true, kind)
    t.match(answers.user, { permissions: ['records:update'], scope: 'records:update' })
    t.match(answers.install, { permissions: ['records:update'], scope: 'records:update' })
    t.match(answers.refresh, { permissions: ['records:update'], scope: 'records:update' })
    t.match(answers.legacy, { permissions: ['readData'], scope: 'readData' })
    t.match(answers.secret_key, { permissions: ['readData'] })
    t.strictSame(answers.self_signed.permissions, [])
    t.equal(answers.self_signed.scope, '')
  })
})

const typesIn = (changes: Json[]) => changes.map(({ type, id }) => [type, id])

await onEachBackend('the feed for a limited resource server', async (t, scene) => {
  const { running, issuer, world } = scene
  const { operator } = running
  const acme = await registered(scene, { organization_ids: [world.acme] })
  const other = await registered(scene, { organization_ids: [world.other] })
  const plain = await registered(scene, {})
  const news = async (server: ResourceServer, cursor: string) => {
    const page = await readFeed(issuer, server, cursor)
    t.equal(page.reset, false)
    return page
  }

  t.test('entries are about its organizations', async (t) => {
    const app = await createApp(running, { name: 'Here' })
    await install(running, world.acme, app)
    const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
    const user = (await exchangeCode(issuer, app, code)).body
    const early = await createApp(running, { name: 'Early' })
    await operator('DELETE', `/apps/${early.client_id}`) // An empty feed would start again.
    const starts = {
      acme: (await readFeed(issuer, acme)).cursor,
      other: (await readFeed(issuer, other)).cursor,
      plain: (await readFeed(issuer, plain)).cursor,
    }
    const keys = await createKeySet(running, world.acme)
    const workspace = (
      await operator('POST', `/organizations/${world.acme}/workspaces`, { name: 'Brief' })
    ).body.id
    await post(
      `${issuer}/api/oauth/revoke`,
      { token: user.access_token },
      { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
    )
    const path = `/organizations/${world.acme}`
    await operator('PATCH', `${path}/installs/${app.client_id}`, { suspended: true })
    await operator('PUT', `/workspaces/${workspace}/members/${world.ana.id}`, {})
    await operator('DELETE', `/workspaces/${workspace}/members/${world.ana.id}`)
    await operator('DELETE', `/workspaces/${workspace}`)
    await operator('PATCH', `${path}/key-sets/${keys.id}`, { permissions: [] })
    await operator('DELETE', `${path}/key-sets/${keys.id}`)
    await operator('PATCH', `/apps/${app.client_id}`, { disabled: true })
    await operator('DELETE', `${path}/members/${world.ana.id}`)
    await operator('PATCH', `/users/${world.ana.id}`, { disabled: true })
    await operator('DELETE', `/users/${world.ana.id}`)
    await operator('DELETE', `/apps/${app.client_id}`)
    const all = (await news(plain, starts.plain)).changes
    const kinds = [...new Set(all.map(({ type }) => type))].sort()
    const expected = ['app', 'install', 'key_set', 'member', 'token', 'user', 'workspace']
    t.same(
      kinds.filter((kind) => expected.includes(kind)),
      expected,
    )
    t.ok(kinds.includes('workspace_member'))
    t.same((await news(acme, starts.acme)).changes, all)
    t.same((await news(other, starts.other)).changes, [])
    const again = await readFeed(issuer, other)
    t.same(again.changes, [], 'from the start')
    t.strictSame((again as Json).organization_ids, [world.other])
    t.notOk('organization_ids' in (await readFeed(issuer, plain)))
  })

  t.test('an app of several organizations concerns each of them', async (t) => {
    const app = await createApp(running, { name: 'Both' })
    const elsewhere = await createApp(running, { name: 'Not installed' })
    await install(running, world.acme, app)
    await install(running, world.other, app)
    const cursor = (await readFeed(issuer, other)).cursor
    await operator('PATCH', `/apps/${elsewhere.client_id}`, { disabled: true })
    await operator('DELETE', `/apps/${elsewhere.client_id}`)
    await operator('PATCH', `/apps/${app.client_id}`, { permissions: ['records:create'] })
    await operator('DELETE', `/apps/${app.client_id}`)
    const { changes } = await news(other, cursor)
    t.same(typesIn(changes), [
      ['app', app.client_id],
      ['app', app.client_id],
    ])
    t.match(changes, [{ permissions: ['records:create'] }, { active: false }])
  })

  t.test('permissions that it does not know are left out', async (t) => {
    const limited = await registered(scene, { permissions: ['records:update'] })
    const app = await createApp(running, { name: 'Narrowed' })
    await install(running, world.acme, app)
    const cursor = (await readFeed(issuer, limited)).cursor
    await install(running, world.acme, app, { permissions: ['records:create', 'records:update'] })
    const { changes } = await news(limited, cursor)
    t.match(changes, [{ type: 'install', permissions: ['records:update'] }])
  })

  t.test('the cursor of a limited reader tells nothing about others', async (t) => {
    const cursors = new Set<string>()
    for (let n = 0; n < 3; n++) {
      const { cursor } = await readFeed(issuer, other)
      t.notMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /\d+\.[0-9a-f-]{36}/)
      cursors.add(cursor)
    }
    t.equal(cursors.size, 3, 'each is sealed anew, whether anything happened or not')
    t.equal(new Set([...cursors].map((one) => one.length)).size, 1)
    const [own] = cursors
    t.equal((await readFeed(issuer, acme, own)).reset, true, "another reader's cursor")
    t.equal((await readFeed(issuer, other, `${own?.slice(0, -2)}AA`)).reset, true, 'changed')
  })

  t.test('what happens elsewhere does not end a wait', async (t) => {
    const app = await createApp(running, { name: 'Elsewhere' })
    await install(running, world.acme, app)
    const { cursor } = await readFeed(issuer, other)
    let isAnswered = false
    const waiting = readFeed(issuer, other, cursor, 20).then((page) => {
      isAnswered = true
      return page
    })
    await operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
    await readFeed(issuer, acme, null) // The entry is visible now.
    await pause(1000)
    t.notOk(isAnswered)
    const own = await createApp(running, { name: 'Own' })
    await install(running, world.other, own)
    await operator('DELETE', `/organizations/${world.other}/installs/${own.client_id}`)
    const { changes } = await waiting
    t.match(changes, [{ type: 'install', active: false }])
  })

  t.test('new limits start the feed again', async (t) => {
    const reader = await registered(scene, { organization_ids: [world.other] })
    const app = await createApp(running, { name: 'Later' })
    await install(running, world.acme, app)
    const { cursor } = await readFeed(issuer, reader)
    await operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
    const before = await news(reader, cursor)
    t.same(before.changes, [])
    await changed(scene, reader, { organization_ids: [world.other, world.acme] })
    const wider = await readFeed(issuer, reader, before.cursor)
    t.equal(wider.reset, true)
    t.ok(wider.changes.some(({ type, active }) => type === 'install' && active === false))
    await changed(scene, reader, { organization_ids: null })
    const whole = await readFeed(issuer, reader, wider.cursor)
    t.equal(whole.reset, true)
    await changed(scene, reader, { organization_ids: [world.other] })
    t.equal((await readFeed(issuer, reader, whole.cursor)).reset, true)
  })
})

await onEachBackend('a revoked token of another audience', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const files = await registered(scene, { resource: [filesApi] })
  const plain = await registered(scene, {})
  const another = await startLatchkey(stores, {
    environment: { ISSUER: issuer, TOKEN_AUDIENCE: filesApi },
  })
  t.teardown(another.stop)
  const app = await createApp(running, { name: 'Files app' })
  await install(running, world.acme, app)
  const cursors = {
    files: (await readFeed(issuer, files)).cursor,
    plain: (await readFeed(issuer, plain)).cursor,
  }
  const { body } = await clientCredentials(another.urls[0] as string, app, world.acme)
  const revoked = await post(
    `${issuer}/api/oauth/revoke`,
    { token: body.access_token },
    { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
  )
  t.equal(revoked.status, 200)
  t.match((await readFeed(issuer, files, cursors.files)).changes, [{ type: 'token' }])
  t.same((await readFeed(issuer, plain, cursors.plain)).changes, [])
  t.strictSame((await introspectAt(issuer, files, body.access_token)).body, inactive)
})
