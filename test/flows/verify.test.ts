/** A data API that verifies tokens itself learns at once of changes on another instance. */
import type { Test } from 'tap'
import { createVerifier, type VerifierOptions } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { eventually } from '../support/eventually.ts'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { createKeySet, registerResourceServer, selfSign } from '../support/resource-server.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

/** A data API that uses the second instance, while other requests go to the first. */
const createDataApi = async (
  t: Test,
  { running, issuer }: Pick<Scene, 'running' | 'issuer'>,
  options: Partial<VerifierOptions> = {},
) => {
  const resourceServer = await registerResourceServer(running)
  const verifier = createVerifier({
    issuer,
    audience: issuer,
    resourceServer,
    server: running.urls.at(-1) as string,
    keysInterval: 0.1,
    log: false,
    ...options,
  })
  t.teardown(() => verifier.close())
  const says = (token: string) => outcomeOf(verifier.verify(token))
  return {
    verifier,
    says,
    /** Waits until the token is refused. @returns the reason */
    refuses: async (token: string) => {
      let outcome = ''
      await eventually(async () => {
        outcome = await says(token)
        return outcome.startsWith('token-invalid')
      })
      return outcome.replace('token-invalid: ', '')
    },
  }
}

const tokensOf = async ({ running, issuer, world }: Scene) => {
  const app = await createApp(running, { name: 'Own' })
  await install(running, world.acme, app)
  const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
  const user = (await exchangeCode(issuer, app, code)).body
  const machine = (await clientCredentials(issuer, app, world.acme)).body
  return {
    app,
    refreshToken: user.refresh_token as string,
    user: user.access_token as string,
    machine: machine.access_token as string,
  }
}
type Tokens = Awaited<ReturnType<typeof tokensOf>>

await onEachBackend(
  'a verifier on another instance',
  async (t, scene) => {
    const { running, issuer, world } = scene
    const { operator } = running
    const { verifier, says, refuses } = await createDataApi(t, scene)

    t.test('asks about every token, with mode introspect', async (t) => {
      // Answers are reused for a minute, so only the feed can end one.
      const asking = await createDataApi(t, scene, {
        mode: 'introspect',
        introspectionCache: { active: 60 },
      })
      const { app, user, machine, refreshToken } = await tokensOf(scene)
      await eventually(() => asking.verifier.status().ready)
      t.match(await asking.verifier.verify(user), { kind: 'user', userId: world.ana.id })
      t.match(await asking.verifier.verify(machine), { kind: 'install', clientId: app.client_id })
      t.equal(await asking.says(refreshToken), 'token-invalid: malformed')
      t.same(asking.verifier.status().problems, [])
      await operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
      for (const token of [user, machine]) t.equal(await asking.refuses(token), 'inactive')
    })

    t.test('verifies tokens of every kind', async (t) => {
      const { app, user, machine, refreshToken } = await tokensOf(scene)
      const access = await verifier.verify(user)
      t.match(access, {
        kind: 'user',
        interface: 'current',
        userId: world.ana.id,
        clientId: app.client_id,
        organizationId: world.acme,
        permissions: ['records:create', 'records:update', 'workspace_members:read'],
      })
      t.ok(access.can('records:create') && !access.can('records:delete'))
      t.ok(access.reaches(world.acme, world.sales) && !access.reaches(world.acme, world.finance))
      t.match(await verifier.verify(machine), { kind: 'install', clientId: app.client_id })
      t.equal(await says(refreshToken), 'token-invalid: malformed', 'a refresh token is refused')
      t.equal(
        await says(app.client_secret),
        'token-invalid: malformed',
        'a client secret is refused',
      )

      const code = await legacyCode(running, world.legacy, world.ana, {
        organization_id: world.acme,
      })
      const fields = { grant_type: 'authorization_code', code: code.code }
      const legacy = (await legacyToken(issuer, world.legacy, fields)).body.access_token
      const reach = await verifier.verify(legacy)
      const globex = (await operator('POST', '/organizations', { name: 'Globex' })).body.id
      const path = `/organizations/${globex}/workspaces`
      const foreign = (await operator('POST', path, { name: 'Foreign' })).body.id
      t.ok(reach.reaches(world.acme, world.finance))
      t.notOk(reach.reaches(globex, foreign), 'all workspaces of one organization')
      t.match(reach, {
        kind: 'user',
        interface: 'legacy',
        workspaceIds: null,
        permissions: legacyPermissions,
      })
    })

    t.test('a revocation on any instance is known here', async (t) => {
      const { acme, ana } = world
      const installed = ({ app }: Tokens) => `/organizations/${acme}/installs/${app.client_id}`
      const member = `/organizations/${acme}/members/${ana.id}`
      const ends: [string, (tokens: Tokens) => Promise<unknown>, string, string | null][] = [
        [
          'uninstall',
          (one) => operator('DELETE', installed(one)),
          'install_inactive',
          'install_inactive',
        ],
        [
          'suspension',
          (one) => operator('PATCH', installed(one), { suspended: true }),
          'install_inactive',
          'install_inactive',
        ],
        [
          'the app disabled',
          ({ app }) => operator('PATCH', `/apps/${app.client_id}`, { disabled: true }),
          'app_inactive',
          'app_inactive',
        ],
        [
          'disconnected: the app revokes its refresh token',
          ({ app, refreshToken: token }) =>
            post(`${issuer}/api/oauth/revoke`, { ...app, redirect_uri: undefined, token }),
          'grant_revoked',
          null,
        ],
        [
          'the user disabled',
          () => operator('PATCH', `/users/${ana.id}`, { disabled: true }),
          'user_inactive',
          null,
        ],
        ['the user has left', () => operator('DELETE', member), 'not_a_member', null],
      ]
      for (const [what, end, user, machine] of ends) {
        await operator('PATCH', `/users/${ana.id}`, { disabled: false })
        await operator('PUT', member, { role: 'member' })
        const tokens = await tokensOf(scene)
        // News of an earlier revocation may still be under way.
        await eventually(async () => (await says(tokens.user)) === 'user')
        t.equal(await says(tokens.machine), 'install')
        await end(tokens)
        t.equal(await refuses(tokens.user), user, what)
        if (machine) t.equal(await refuses(tokens.machine), machine, what)
        else t.equal(await says(tokens.machine), 'install', what)
      }
      await operator('PATCH', `/users/${ana.id}`, { disabled: false })
      await operator('PUT', member, { role: 'member' })
      for (const workspace of [world.sales, world.support])
        await operator('PUT', `/workspaces/${workspace}/members/${ana.id}`, {})
    })

    t.test('suspends, resumes and narrows access', async (t) => {
      const { app, user, machine } = await tokensOf(scene)
      await eventually(async () => (await says(user)) === 'user')
      const path = `/organizations/${world.acme}/installs/${app.client_id}`
      await operator('PATCH', path, { suspended: true })
      t.equal(await refuses(user), 'install_inactive')
      await operator('PATCH', path, { suspended: false })
      await eventually(async () => (await says(user)) === 'user')

      await install(running, world.acme, app, {
        permissions: ['records:update'],
        workspace_ids: [world.sales],
      })
      await eventually(async () => !(await verifier.verify(user)).can('records:create'))
      const narrowed = { permissions: ['records:update'], workspaceIds: [world.sales] }
      t.match(await verifier.verify(user), narrowed)
      t.match(await verifier.verify(machine), narrowed)
      await operator('DELETE', `/workspaces/${world.sales}/members/${world.ana.id}`)
      await eventually(async () => !(await verifier.verify(user)).reaches(world.acme, world.sales))
      t.match(await verifier.verify(machine), narrowed)
    })

    t.test('a rotated key set secret ends its tokens', async (t) => {
      const legacy = await createKeySet(running, world.acme, {
        interface: 'legacy',
        permissions: ['readData'],
      })
      const current = await createKeySet(running, world.acme)
      const selfSigned = (secret: string) =>
        selfSign(secret, { iss: current.client_id, iat: Math.floor(Date.now() / 1000) })
      const token = selfSigned(current.secret)
      t.match(await verifier.verify(legacy.secret), { kind: 'key_set', permissions: ['readData'] })
      t.match(await verifier.verify(token), {
        kind: 'self_signed',
        permissions: [],
        workspaceIds: null,
      })
      const iat = Date.now() / 1000 - 0.5
      const claims = { iss: current.client_id, iat, exp: iat + 600.25 }
      const ofLibrary = selfSign(current.secret, claims, { alg: 'HS256', kid: 'key-1' })
      t.match(await verifier.verify(ofLibrary), { expiresAt: Math.floor(claims.exp) })
      t.equal(await says(selfSigned('another secret')), 'token-invalid: inactive')
      for (const { id } of [legacy, current])
        await operator('POST', `/organizations/${world.acme}/key-sets/${id}/rotate`)
      t.equal(await refuses(legacy.secret), 'inactive')
      t.equal(await refuses(token), 'inactive')
    })

    t.test('tokens stay valid after the signing keys rotate', async (t) => {
      const before = await tokensOf(scene)
      for (let round = 0; round < 2; round++) await operator('POST', '/signing-keys/rotate')
      const after = await tokensOf(scene)
      await eventually(async () => (await says(after.machine)) === 'install')
      t.equal(await says(before.machine), 'install')
    })

    t.test('without the server, known tokens are verified and others refused', async (t) => {
      const own = await startLatchkey(scene.stores)
      const { says } = await createDataApi(t, { running: own, issuer: own.issuer })
      const { user, machine } = await tokensOf({ ...scene, running: own, issuer: own.issuer })
      await eventually(async () => (await says(user)) === 'user')
      const { secret } = await createKeySet(own, world.acme, {
        interface: 'legacy',
        permissions: ['readData'],
      })
      await own.stop()
      t.equal(await says(user), 'user', 'seen before')
      t.equal(await says(machine), 'install', 'seen for the first time')
      t.equal(await says(secret), 'temporarily_unavailable: unreachable')
    })
  },
  { instances: 2 },
)
