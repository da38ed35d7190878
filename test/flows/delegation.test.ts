/** An app acts with the access token of another one, or a part of it acts with less (RFC 8693). */
import type { Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { accessTokenType, delegate } from '../support/delegation.ts'
import { eventually } from '../support/eventually.ts'
import {
  claimsOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { withinOneDay } from '../support/one-day.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

/** An app of a user, and two others that it lets act, all installed. */
const partiesOf = async ({ running, issuer, world }: Scene) => {
  const agent = await createApp(running, { name: 'Research Agent' })
  const helper = await createApp(running, { name: 'Helper' })
  const board = await createApp(running, {
    name: 'Board',
    may_act: [agent.client_id, helper.client_id],
  })
  for (const app of [agent, helper, board]) await install(running, world.acme, app)
  const code = await currentCode(running, board, world.ana, { organization_id: world.acme })
  const { body } = await exchangeCode(issuer, board, code)
  const machine = (await clientCredentials(issuer, board, world.acme)).body
  return {
    agent,
    helper,
    board,
    user: body.access_token as string,
    refreshToken: body.refresh_token as string,
    machine: machine.access_token as string,
  }
}
type Parties = Awaited<ReturnType<typeof partiesOf>>

const verifierAt = async (t: Test, { running, issuer }: Scene, mode: 'local' | 'introspect') => {
  const resourceServer = await registerResourceServer(running)
  const verifier = createVerifier({
    issuer,
    audience: issuer,
    resourceServer,
    server: running.urls.at(-1) as string,
    // Answers are reused for a minute, so only the feed can end one.
    introspectionCache: { active: 60 },
    mode,
    log: false,
  })
  t.teardown(() => verifier.close())
  await eventually(() => verifier.status().ready)
  return {
    verifier,
    says: (token: string) => outcomeOf(verifier.verify(token)),
    refuses: (token: string) =>
      eventually(async () => (await outcomeOf(verifier.verify(token))).startsWith('token-invalid')),
  }
}

await onEachBackend('delegation', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { operator } = running
  const { acme, sales, support, ana } = world
  const dataApi = await registerResourceServer(running)
  const introspect = async (token: string) => (await introspectAt(issuer, dataApi, token)).body
  const tokenOf = async (app: TestApp, token: string, more = {}): Promise<string> => {
    const { status, body } = await delegate(issuer, app, token, more)
    if (status !== 200) throw new Error(`delegation: ${status} ${JSON.stringify(body)}`)
    return body.access_token
  }

  t.test('an app gets a narrower token of its own user token', async (t) => {
    const { board, user } = await partiesOf(scene)
    const before = claimsOf(user)
    const more = { scope: 'records:create', workspace_ids: sales }
    const { status, body } = await delegate(issuer, board, user, more)
    t.equal(status, 200)
    t.match(body, {
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      scope: 'records:create',
      organization_id: acme,
      workspace_ids: [sales],
    })
    t.notOk('refresh_token' in body)
    t.notOk('id_token' in body)
    const claims = claimsOf(body.access_token)
    t.same(claims.act, { client_id: board.client_id })
    for (const name of ['sub', 'aud', 'client_id', 'grant_id', 'install_id', 'kind', 'user_epoch'])
      t.same(claims[name], before[name], name)
    t.ok(claims.exp <= before.exp)
    t.equal(body.expires_in, claims.exp - claims.iat)
    t.not(claims.jti, before.jti)
    t.match(await introspect(body.access_token), {
      active: true,
      act: { client_id: board.client_id },
      permissions: ['records:create'],
      workspace_ids: [sales],
    })
    t.notOk('act' in (await introspect(user)))
  })

  t.test('a named app acts for the user, within its own install', async (t) => {
    const { agent, helper, board, user, machine } = await partiesOf(scene)
    await install(running, acme, agent, {
      permissions: ['records:update', 'workspace_members:read'],
      workspace_ids: [support],
    })
    const token = await tokenOf(agent, user)
    t.match(claimsOf(token), {
      client_id: board.client_id,
      sub: ana.id,
      act: { client_id: agent.client_id },
      permissions: ['records:update', 'workspace_members:read'],
      workspace_ids: [support],
    })
    const second = await tokenOf(helper, token, { scope: 'records:update' })
    const chain = { client_id: helper.client_id, act: { client_id: agent.client_id } }
    t.same(claimsOf(second).act, chain)
    const told = await introspect(second)
    t.match(told, { active: true, client_id: board.client_id, permissions: ['records:update'] })
    t.same(told.act, chain)
    const inspected = (await operator('POST', '/tokens/inspect', { token: second })).body.token
    t.same(inspected.actors, [helper.client_id, agent.client_id])

    const ofTheApp = await tokenOf(agent, machine)
    t.match(claimsOf(ofTheApp), { kind: 'install', sub: board.client_id, workspace_ids: [support] })
    t.match(await introspect(ofTheApp), { active: true, act: { client_id: agent.client_id } })

    for (const mode of ['local', 'introspect'] as const) {
      const { verifier } = await verifierAt(t, scene, mode)
      const access = await verifier.verify(second)
      t.match(access, { kind: 'user', userId: ana.id, clientId: board.client_id })
      t.same('actor' in access && access.actor, {
        clientId: helper.client_id,
        actor: { clientId: agent.client_id },
      })
      t.notOk('actor' in (await verifier.verify(user)))
    }
  })

  t.test('a resource narrows the audience, and the sign-in stays', async (t) => {
    const { agent, board, user } = await partiesOf(scene)
    const [files, maps] = ['https://files.example/api', 'https://maps.example/api']
    for (const [name, resource] of [
      ['Files', files],
      ['Maps', maps],
    ])
      await operator('POST', '/resource-servers', { name, resource: [resource] })
    const both = { resource: [issuer, files] }
    const machine = (await clientCredentials(issuer, board, acme, both)).body.access_token
    t.same(claimsOf(await tokenOf(agent, machine)).aud, [issuer, files])
    t.equal(claimsOf(await tokenOf(agent, machine, { resource: files })).aud, files)
    t.equal(claimsOf(await tokenOf(agent, machine, { resource: issuer })).aud, issuer)
    const onlyFiles = await tokenOf(agent, machine, { resource: files })
    for (const [token, resource] of [
      [machine, maps],
      [user, files],
      [onlyFiles, issuer],
    ] as const) {
      const wider = await delegate(issuer, agent, token, { resource })
      t.match(wider, { status: 400, body: { error: 'invalid_target' } })
    }
    const { auth_time, acr } = claimsOf(user)
    t.match(claimsOf(await tokenOf(agent, user)), { auth_time, acr })
    t.ok(acr)
  })

  t.test('a narrowed install of an actor narrows its tokens at once', async (t) => {
    const { agent, user } = await partiesOf(scene)
    const token = await tokenOf(agent, user)
    const { verifier } = await verifierAt(t, scene, 'local')
    t.equal((await verifier.verify(token)).permissions.length, 3)
    const path = `/organizations/${acme}/installs/${agent.client_id}`
    await operator('PATCH', path, { permissions: ['records:create'], workspace_ids: [sales] })
    t.match(await introspect(token), { permissions: ['records:create'], workspace_ids: [sales] })
    await eventually(async () => (await verifier.verify(token)).permissions.length === 1)
    t.same((await verifier.verify(token)).workspaceIds, [sales])
  })

  t.test('one end of any party ends the whole chain, at every data API', async (t) => {
    const installed = (app: TestApp) => `/organizations/${acme}/installs/${app.client_id}`
    const disconnect = async ({ board }: Parties) => {
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get('/account/apps')
      const fields = { client_id: board.client_id, organization_id: acme }
      await visitor.submit(page, { ...fields, decision: 'disconnect' })
    }
    const ends: [string, (parties: Parties) => Promise<unknown>][] = [
      ['the user disconnects the app', disconnect],
      ['the app is uninstalled', ({ board }) => operator('DELETE', installed(board))],
      [
        'the app is suspended',
        ({ board }) => operator('PATCH', installed(board), { suspended: true }),
      ],
      [
        'the app is disabled',
        ({ board }) => operator('PATCH', `/apps/${board.client_id}`, { disabled: true }),
      ],
      [
        'a refresh token is replayed',
        async ({ board, refreshToken }) => {
          await refresh(issuer, board, refreshToken)
          await refresh(issuer, board, refreshToken)
        },
      ],
      [
        'the app revokes its refresh token',
        ({ board, refreshToken: token }) =>
          post(`${issuer}/api/oauth/revoke`, { token, ...credentials(board) }),
      ],
      [
        'the app revokes the token that was exchanged',
        ({ board, user: token }) =>
          post(`${issuer}/api/oauth/revoke`, { token, ...credentials(board) }),
      ],
      ['the first actor is uninstalled', ({ agent }) => operator('DELETE', installed(agent))],
      [
        'the first actor is suspended',
        ({ agent }) => operator('PATCH', installed(agent), { suspended: true }),
      ],
      [
        'the first actor is disabled',
        ({ agent }) => operator('PATCH', `/apps/${agent.client_id}`, { disabled: true }),
      ],
      ['the last actor is uninstalled', ({ helper }) => operator('DELETE', installed(helper))],
      [
        'the last actor’s tokens are ended',
        async ({ helper }) => {
          await operator('PATCH', `/apps/${helper.client_id}`, { disabled: true })
          await operator('PATCH', `/apps/${helper.client_id}`, { disabled: false })
        },
      ],
    ]
    const local = await verifierAt(t, scene, 'local')
    const asking = await verifierAt(t, scene, 'introspect')
    for (const [what, end] of ends) {
      const parties = await partiesOf(scene)
      const token = await tokenOf(parties.helper, await tokenOf(parties.agent, parties.user))
      for (const { says } of [local, asking]) t.notMatch(await says(token), 'invalid', what)
      await end(parties)
      t.same(await introspect(token), { active: false }, what)
      const again = await delegate(issuer, parties.helper, token)
      t.notMatch(again, { status: 200 }, `${what}: no further exchange`)
      await local.refuses(token)
      await asking.refuses(token)
    }
  })

  t.test('the organization and the user see which app acts', async (t) => {
    const { agent, board, user } = await partiesOf(scene)
    await withinOneDay()
    for (let times = 0; times < 3; times++) await tokenOf(agent, user)
    await tokenOf(board, user)
    const events = await sql<{ client_id: string; actor_id: string; user_id: string }>(
      stores,
      `select client_id, actor_id, user_id from audit_events
        where type = 'access_token.delegated' and client_id = '${board.client_id}'`,
    )
    const expected = { client_id: board.client_id, actor_id: agent.client_id, user_id: ana.id }
    t.same(events, [expected], 'once a day')
    const page = await (await signedIn(issuer, ana)).get('/account/apps')
    t.match(
      page.text,
      /Other apps that act for you through it<\/dt>\s*<dd[^>]*><bdi>Research Agent/,
    )
  })

  t.test('many exchanges of a token at once all succeed', async (t) => {
    const { agent, user } = await partiesOf(scene)
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        delegate(running.urls[at % running.urls.length] as string, agent, user),
      ),
    )
    t.same(new Set(all.map(({ status }) => status)), new Set([200]))
    t.equal(new Set(all.map(({ body }) => claimsOf(body.access_token).jti)).size, 20)
  })
})
