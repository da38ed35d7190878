import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createStandings } from '../../../src/core/authorization/standing.ts'
import { createConnections } from '../../../src/core/grants/connections.ts'
import { createSessions } from '../../../src/core/people/sessions.ts'
import type { Method } from '../../../src/core/people/sign-in-method.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const world = `
  insert into users (id, email, name) values ('ana', 'ana@acme.test', 'Ana'), ('kim', 'kim@acme.test', 'Kim');
  insert into organizations (id, name) values ('acme', 'Acme'), ('other', 'Other');
  insert into members (organization_id, user_id, role) values
    ('acme', 'ana', 'member'), ('other', 'ana', 'admin'), ('acme', 'kim', 'member');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions) values
    ('app', 'App', 'current', 'confidential', '{}', '{records:create}'),
    ('rival', 'Rival', 'current', 'confidential', '{}', '{records:create}');
  insert into installs (id, organization_id, client_id, permissions, ended_at) values
    ('i-app', 'acme', 'app', '{records:create}', null), ('i-ended', 'other', 'app', '{}', now());
  insert into consents (user_id, organization_id, client_id, install_id, offered, permissions) values
    ('ana', 'acme', 'app', 'i-app', '{records:create}', '{records:create}')`

const user = (id: string) => ({
  id,
  email: `${id}@acme.test`,
  name: id,
  credentialsEpoch: 0,
  sessionsEpoch: 0,
})
const from = { actor: { kind: 'anonymous', id: null }, address: null, requestId: null } as const

await onEachStores(t, 'the standing of a request', async (t, stores, setup) => {
  await sql(setup, world)
  const reading = (accepts: Method[], idle = 0) => {
    const audit = { record: () => undefined, close: async () => undefined }
    const sessions = createSessions({ store: stores.sessions, audit, accepts, idle })
    return { sessions, ...createStandings({ store: stores.standings, sessions }) }
  }
  const { sessions, find } = reading(['password'])
  const open = async (id: string) => {
    const methods: Method[] = ['password']
    const opened = { user: user(id), authenticatedAt: 5000, methods, passkeyIds: [] }
    const token = await sessions.open(opened, from)
    if (token === null) throw new Error('no session')
    return token
  }
  const isSignedIn = async (token: string, how = find) => (await how('app', token))?.signed !== null

  t.test('has the app, the user, and each organization of the user', async (t) => {
    const standing = await find('app', await open('ana'))
    t.match(standing?.app, { clientId: 'app', permissions: ['records:create'], disabled: false })
    t.same(standing?.signed, {
      userId: 'ana',
      credentialsEpoch: 0,
      authenticatedAt: 5000,
      methods: ['password'],
    })
    const places = standing?.places.toSorted((one, other) =>
      one.organizationId < other.organizationId ? -1 : 1,
    )
    t.match(places, [
      { organizationId: 'acme', install: { id: 'i-app' }, consent: { installId: 'i-app' } },
      { organizationId: 'other', install: null, consent: null },
    ])
    t.match((await find('rival', await open('ana')))?.places, [
      { install: null, consent: null },
      { install: null, consent: null },
    ])
    t.equal(await find('unknown', await open('ana')), null)
  })

  t.test('without a valid session has the app alone', async (t) => {
    const token = await open('kim')
    const alone = { signed: null, places: [] }
    t.match(await find('app', null), alone)
    t.match(await find('app', `${token}x`), alone)
    const renewed = await sessions.find(token)
    if (!renewed) throw new Error('no session')
    t.ok(await sessions.renew(renewed))
    t.match(await find('app', token), alone, 'a token that was renewed')
  })

  t.test('notices each end of a session at the next request', async (t) => {
    const ends: [string, string][] = [
      ['a sign-out', `delete from sessions where user_id = 'kim'`],
      ['its expiry', `update sessions set expires_at = now() where user_id = 'kim'`],
      ['a new password', `update users set credentials_epoch = 1 where id = 'kim'`],
      ['all sessions', `update users set sessions_epoch = 1 where id = 'kim'`],
      ['a disabled user', `update users set disabled_at = now() where id = 'kim'`],
    ]
    for (const [what, end] of ends) {
      const token = await open('kim')
      t.ok(await isSignedIn(token), what)
      await sql(setup, end)
      t.notOk(await isSignedIn(token), what)
      await sql(
        setup,
        `update users set credentials_epoch = 0, sessions_epoch = 0, disabled_at = null where id = 'kim'`,
      )
    }
    const token = await open('kim')
    t.notOk(await isSignedIn(token, reading(['oidc']).find), 'a method no longer accepted')
    await sql(setup, `update sessions set last_seen_at = now() - interval '1 hour'`)
    t.notOk(await isSignedIn(token, reading(['password'], 60).find), 'idle for too long')
  })

  t.test('records the use of the session', async (t) => {
    const token = await open('kim')
    await sql(setup, `update sessions set last_seen_at = now() - interval '10 minutes'`)
    await find('app', token)
    const seen = () =>
      sql(
        setup,
        `select from sessions where user_id = 'kim' and last_seen_at > now() - interval '1 minute'`,
      )
    // It is not awaited by the request.
    for (let tries = 0; tries < 400 && (await seen()).length === 0; tries++)
      await new Promise((done) => setTimeout(done, 25))
    t.equal((await seen()).length, 1)
  })

  t.test('a connection that ends after it was read leaves no live grant', async (t) => {
    const issue = async () => {
      const standing = await find('app', await open('ana'))
      const place = standing?.places.find((one) => one.organizationId === 'acme')
      return async () => {
        const id = randomUUID()
        const grant = {
          id,
          userId: 'ana',
          clientId: 'app',
          organizationId: 'acme',
          installId: 'i-app',
          appEpoch: 0,
          userEpoch: 0,
          connectionEpoch: place?.connectionEpoch as number,
          permissions: [],
          workspaceIds: null,
          openidScopes: [],
          signIn: null,
          redirectUri: '',
          codeChallenge: null,
          dpopJkt: null,
          lifetime: null,
        }
        await stores.grants.insert(grant, 10)
        return (await stores.grants.loadGrant('app', id))?.grant?.standing.ended
      }
    }
    const connections = createConnections({ store: stores.connections, families: stores.families })
    const insert = await issue()
    t.equal(await insert(), false)
    const connection = { userId: 'ana', clientId: 'app', organizationId: 'acme' }
    t.ok(await connections.disconnect(connection, from))
    t.equal(await insert(), true, 'read before')
    t.equal(await (await issue())(), false, 'read after')
  })
})
