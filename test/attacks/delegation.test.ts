/** Attacks on the exchange of access tokens (RFC 8693): DEL-01 … */
import { delegate } from '../support/delegation.ts'
import { createHolder } from '../support/dpop.ts'
import {
  claimsOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  post,
  type TokenResponse,
} from '../support/flows.ts'
import { legacyTokens } from '../support/migration.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, userinfoAt } from '../support/openid.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

await onEachBackend('attacks on delegation', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, other, sales, finance, ana, legacy, publicApp, second } = world
  const agent = await createApp(running, { name: 'Agent' })
  const elsewhere = await createApp(running, { name: 'Agent elsewhere' })
  const board = await createApp(running, {
    name: 'Board',
    may_act: [agent.client_id, elsewhere.client_id, publicApp.client_id],
  })
  await install(running, acme, board)
  await install(running, acme, agent, { permissions: ['records:create', 'records:update'] })
  await install(running, other, elsewhere)
  const dataApi = await registerResourceServer(running)
  const introspect = async (token: string) => (await introspectAt(issuer, dataApi, token)).body
  const userToken = async (app: TestApp = board, more = {}): Promise<string> => {
    const code = await currentCode(running, app, ana, { organization_id: acme })
    return (await exchangeCode(issuer, app, code, more)).body.access_token
  }
  const user = await userToken()
  const answerOf = ({ status, body }: TokenResponse) => `${status} ${body.error}`
  const refused = async (request: Promise<TokenResponse>, error = 'invalid_request') => {
    const answer = await request
    t.equal(answerOf(answer), `400 ${error}`)
    t.same(Object.keys(answer.body).sort(), ['error', 'error_description'])
  }

  t.test('DEL-01 an exchange never widens a token', async (t) => {
    const narrow = await userToken(board, { scope: 'records:create', workspace_ids: sales })
    for (const [app, more] of [
      [board, { scope: 'records:create records:update' }],
      [board, { workspace_ids: `${sales} ${world.support}` }],
      [board, { workspace_ids: finance }],
      [board, { scope: 'openid' }],
      [agent, { scope: 'workspace_members:read' }],
      [agent, { scope: 'records:update' }],
    ] as const)
      t.equal(answerOf(await delegate(issuer, app, narrow, more)), '400 invalid_scope')
    const all = await delegate(issuer, agent, user)
    t.same(claimsOf(all.body.access_token).permissions, ['records:create', 'records:update'])
    const whole = await delegate(issuer, agent, user, { scope: 'workspace_members:read' })
    t.equal(answerOf(whole), '400 invalid_scope', 'not beyond the install of the actor')
    for (const more of [
      { audience: 'https://other.example' },
      { resource: 'https://other.example' },
    ])
      t.equal(answerOf(await delegate(issuer, agent, user, more)), '400 invalid_target')
  })

  t.test('DEL-02 an exchange never prolongs a token', async (t) => {
    const brief = await createApp(running, { name: 'Brief', access_token_seconds: 60 })
    await install(running, acme, brief)
    await operator('PATCH', `/apps/${brief.client_id}`, { may_act: [agent.client_id] })
    let token = await userToken(brief)
    const { exp } = claimsOf(token)
    for (const app of [agent, agent, agent]) {
      const { body } = await delegate(issuer, app, token)
      token = body.access_token
      t.ok(claimsOf(token).exp <= exp)
      t.notOk('refresh_token' in body)
    }
    const more = { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }
    t.equal(answerOf(await delegate(issuer, agent, user, more)), '400 invalid_request')
  })

  t.test('DEL-03 a chain has at most three actors', async () => {
    let token = user
    for (const app of [board, agent, agent]) {
      token = (await delegate(issuer, app, token)).body.access_token
    }
    await refused(delegate(issuer, agent, token))
  })

  t.test('DEL-04 only a named app acts, where it is installed', async (t) => {
    await refused(delegate(issuer, second, user)) // installed, not named
    await refused(delegate(issuer, elsewhere, user)) // named, installed in another organization
    await refused(
      delegate(issuer, { ...publicApp, client_secret: '' }, user),
      'unauthorized_client',
    )
    const wrong = await delegate(issuer, { ...agent, client_secret: 'wrong' }, user)
    t.equal(wrong.status, 401)
    const path = `/organizations/${acme}/installs/${agent.client_id}`
    await operator('PATCH', path, { suspended: true })
    await refused(delegate(issuer, agent, user))
    await operator('PATCH', path, { suspended: false })
    t.equal((await delegate(issuer, agent, user)).status, 200)
    await operator('PATCH', `/apps/${board.client_id}`, { may_act: [] })
    await refused(delegate(issuer, agent, user))
    await operator('PATCH', `/apps/${board.client_id}`, {
      may_act: [agent.client_id, elsewhere.client_id, publicApp.client_id],
    })
  })

  t.test('DEL-05 nothing but an access token of the current interface is exchanged', async (t) => {
    const wiki = await openidApp(running, world)
    const code = await currentCode(running, wiki, ana, { organization_id: acme, scope: 'openid' })
    const signedIn = (await exchangeCode(issuer, wiki, code)).body
    const keySet = await createKeySet(running, acme)
    const own = selfSign(keySet.secret, {
      iss: keySet.client_id,
      iat: Math.floor(Date.now() / 1000) - 5,
    })
    const forged = `${user.slice(0, -6)}${user.endsWith('A') ? 'B' : 'A'}AAAAA`
    const old = await legacyTokens(running, legacy, world)
    const tokens = [signedIn.id_token, signedIn.refresh_token, own, forged, old.access_token, 'x']
    for (const token of tokens) await refused(delegate(issuer, board, token), 'invalid_request')
    for (const type of ['id_token', 'jwt', 'saml2']) {
      const more = { subject_token_type: `urn:ietf:params:oauth:token-type:${type}` }
      t.equal(answerOf(await delegate(issuer, board, user, more)), '400 invalid_request')
    }
    const more = { actor_token: user, actor_token_type: 'x' }
    t.equal(answerOf(await delegate(issuer, board, user, more)), '400 invalid_request')
  })

  t.test('DEL-06 a token that has ended yields no other', async () => {
    const revoked = await userToken()
    await post(`${issuer}/api/oauth/revoke`, { token: revoked, ...credentials(board) })
    for (const app of [board, agent]) await refused(delegate(issuer, app, revoked))
    const path = `/organizations/${acme}/installs/${board.client_id}`
    const machine = (await clientCredentials(issuer, board, acme)).body.access_token
    await operator('PATCH', path, { suspended: true })
    for (const token of [user, machine]) await refused(delegate(issuer, agent, token))
    await operator('PATCH', path, { suspended: false })
    const late = await userToken()
    await operator('PATCH', `/users/${ana.id}`, { disabled: true })
    await refused(delegate(issuer, agent, late))
    await operator('PATCH', `/users/${ana.id}`, { disabled: false })
  })

  t.test('DEL-07 a bound token is exchanged with its key only', async (t) => {
    const tokenUrl = `${issuer}/api/oauth/token`
    const [holder, thief] = [await createHolder(), await createHolder()]
    const code = await currentCode(running, board, ana, { organization_id: acme })
    const proven = await exchangeCode(issuer, board, code, {}, await holder.posts(tokenUrl))
    const bound = proven.body.access_token
    await refused(delegate(issuer, board, bound), 'invalid_dpop_proof')
    await refused(delegate(issuer, board, bound, {}, await thief.posts(tokenUrl)))
    await refused(delegate(issuer, agent, bound))
    await refused(delegate(issuer, agent, bound, {}, await thief.posts(tokenUrl)))
    const own = await delegate(issuer, board, bound, {}, await holder.posts(tokenUrl))
    t.match(own, { status: 200, body: { token_type: 'DPoP' } })
    t.same(claimsOf(own.body.access_token).cnf, { jkt: holder.jkt })
  })

  t.test(
    'DEL-08 an actor does not learn who the user is, nor revokes what is not its own',
    async (t) => {
      const wiki = await openidApp(running, world)
      await operator('PATCH', `/apps/${wiki.client_id}`, { may_act: [agent.client_id] })
      const scope = 'openid profile email'
      const code = await currentCode(running, wiki, ana, { organization_id: acme, scope })
      const token = (await exchangeCode(issuer, wiki, code)).body.access_token
      const acting = (await delegate(issuer, agent, token)).body
      t.notMatch(acting.scope, /openid|profile|email/)
      t.equal((await userinfoAt(issuer, acting.access_token)).status, 403)
      const own = (await delegate(issuer, wiki, token)).body
      t.match(own.scope, /openid/, 'the app itself keeps the scopes')

      const revoke = (app: TestApp, subject: string) =>
        post(`${issuer}/api/oauth/revoke`, {
          token: subject,
          ...credentials(app),
        })
      await revoke(agent, token)
      t.match(await introspect(token), { active: true }, 'the token of the user stays')
      await revoke(second, acting.access_token)
      t.match(await introspect(acting.access_token), { active: true })
      await revoke(agent, acting.access_token)
      t.match(await introspect(acting.access_token), { active: false })
      t.match(await introspect(token), { active: true })
    },
  )

  t.test('DEL-09 an app that is no longer named ends every chain through it', async (t) => {
    const named = (app: TestApp, ...actors: TestApp[]) =>
      operator('PATCH', `/apps/${app.client_id}`, { may_act: actors.map((one) => one.client_id) })
    const helper = await createApp(running, { name: 'Helper' })
    const origin = await createApp(running, { name: 'Origin' })
    for (const app of [helper, origin]) await install(running, acme, app)
    const code = await currentCode(running, origin, ana, { organization_id: acme })
    const fromUser = (await exchangeCode(issuer, origin, code)).body.access_token
    const machine = (await clientCredentials(issuer, origin, acme)).body.access_token
    // The apps of a chain, in their order; the apps that each one names afterwards; who exchanges its last token then.
    type Naming = [origin: TestApp[], agent: TestApp[], helper: TestApp[]]
    const cases: [
      what: string,
      chain: TestApp[],
      afterwards: Naming,
      by: TestApp,
      status: number,
    ][] = [
      ['the removed app narrows its own', [agent], [[], [helper], []], agent, 400],
      ['the removed app hands its own on', [agent], [[], [helper], []], helper, 400],
      ['after a step of the first app', [origin, agent], [[], [helper], []], helper, 400],
      ['after two steps of its own', [agent, agent], [[], [helper], []], agent, 400],
      ['the first link of two', [agent, helper], [[], [helper], []], helper, 400],
      ['the last link of two', [agent, helper], [[agent], [], []], helper, 400],
      ['the first app names both', [agent, helper], [[agent, helper], [], []], helper, 200],
      ['the link of a token that came back', [agent, helper], [[], [helper], [agent]], agent, 400],
      ['the first app, from a removed app', [agent], [[], [origin], []], origin, 400],
      ['a name in the other direction', [agent], [[], [origin], [agent]], helper, 400],
      ['nothing', [agent, helper], [[agent], [helper], []], helper, 200],
    ]
    for (const [what, chain, afterwards, by, status] of cases)
      for (const first of [fromUser, machine]) {
        await named(origin, agent, helper)
        await named(agent, helper, origin)
        let token = first
        for (const app of chain) token = (await delegate(issuer, app, token)).body.access_token
        const apps = [origin, agent, helper]
        for (const [at, actors] of afterwards.entries()) await named(apps[at] as TestApp, ...actors)
        const answer = await delegate(issuer, by, token)
        t.equal(answer.status, status, what)
        if (status === 400) t.equal(answer.body.error, 'invalid_request', what)
        t.match(await introspect(token), { active: true }, 'the token itself expires')
        await named(origin, agent, helper)
        await named(agent, helper, origin)
        t.equal((await delegate(issuer, by, token)).status, 200, `${what}, named again`)
      }
  })
})
