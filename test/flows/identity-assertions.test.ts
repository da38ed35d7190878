/** Tokens for assertions of an organization's identity provider (ID-JAG). */
import { decodeJwt } from 'jose'
import { createHolder } from '../support/dpop.ts'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import {
  assertAt,
  assertingApp,
  jwtBearer,
  nameProvider,
  providerEnvironment,
  startIdentityProvider,
} from '../support/identity-provider.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openTestStores } from '../support/open-stores.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { connectProvider, newScimUser } from '../support/scim.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { install } from '../support/world.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

await onEachBackend(
  'identity assertions',
  async (t, { running, issuer, world, stores }) => {
    const { acme, other, ana, kim, zoe, sales, support, finance } = world
    const { operator } = running
    const provider = await startIdentityProvider(issuer)
    t.teardown(provider.stop)
    const app = await assertingApp(running, world)
    await nameProvider(running, acme, provider)
    const api = await registerResourceServer(running)
    const subject = { client_id: app.client_id, sub: ana.id }
    const present = async (claims: Record<string, unknown> = {}, fields = {}, headers = {}) =>
      assertAt(issuer, app, await provider.assertion({ ...subject, ...claims }), fields, headers)
    const isActive = async (token: string) => (await introspectAt(issuer, api, token)).body.active
    const installPath = `/organizations/${acme}/installs/${app.client_id}`

    t.test('an assertion gives a user token within the install, without a page', async (t) => {
      const { status, body } = await present()
      t.equal(status, 200, JSON.stringify(body))
      t.match(body, { token_type: 'Bearer', expires_in: 3600, organization_id: acme })
      t.notOk('refresh_token' in body, 'draft §4.4.2: no refresh token')
      t.same([...body.workspace_ids].sort(), [sales, support].sort(), "the user's own workspaces")
      const { body: facts } = await introspectAt(issuer, api, body.access_token)
      t.match(facts, { active: true, kind: 'user', sub: ana.id, client_id: app.client_id })
      t.match(facts, { organization_id: acme, permissions: ['records:create', 'records:update'] })
    })

    t.test('both metadata documents name the grant type and the profile', async (t) => {
      for (const name of ['oauth-authorization-server', 'openid-configuration']) {
        const document = (await (await fetch(`${issuer}/.well-known/${name}`)).json()) as {
          grant_types_supported: string[]
          authorization_grant_profiles_supported: string[]
        }
        t.ok(document.grant_types_supported.includes(jwtBearer))
        t.same(document.authorization_grant_profiles_supported, [
          'urn:ietf:params:oauth:grant-profile:id-jag',
        ])
      }
    })

    t.test(
      'the install, the scope of the assertion and the request narrow the token',
      async (t) => {
        await install(running, acme, app, {
          permissions: ['records:create', 'records:update'],
          workspace_ids: [sales, finance],
        })
        t.teardown(() => install(running, acme, app))
        const all = await present()
        t.equal(all.body.scope, 'records:create records:update')
        t.same(all.body.workspace_ids, [sales])
        const scope = 'records:create workspace_members:read unknown offline_access'
        t.equal((await present({ scope })).body.scope, 'records:create', 'the provider limits')
        const beyond = await present({ scope }, { scope: 'records:update' })
        t.match(beyond, { status: 400, body: { error: 'invalid_scope' } })
        t.equal((await present({}, { scope: 'records:update' })).body.scope, 'records:update')
        const foreign = await present({}, { workspace_ids: support })
        t.match(foreign, { status: 400, body: { error: 'invalid_scope' } })
      },
    )

    t.test('the token is for the resources of the assertion, or fewer', async (t) => {
      const [files, reports] = ['https://files.example', 'https://reports.example']
      for (const resource of [files, reports]) {
        const server = { name: 'API', resource: [resource] }
        t.equal((await operator('POST', '/resource-servers', server)).status, 201)
      }
      const audienceOf = ({ body }: Awaited<ReturnType<typeof present>>) =>
        decodeJwt(body.access_token).aud
      t.equal(audienceOf(await present({ resource: files })), files)
      const resource = [files, reports]
      t.same(audienceOf(await present({ resource })), resource)
      t.equal(audienceOf(await present({ resource }, { resource: reports })), reports)
      const beyond = await present({ resource: files }, { resource: reports })
      t.match(beyond, { status: 400, body: { error: 'invalid_target' } })
    })

    t.test('the token states when the user has signed in at the provider', async (t) => {
      const now = Math.floor(Date.now() / 1000)
      const claimsOf = async (auth_time: unknown) =>
        decodeJwt((await present({ auth_time, acr: 'phr' })).body.access_token)
      const claims = await claimsOf(now - 60)
      t.match(claims, { auth_time: now - 60, acr: 'urn:latchkey:acr:provider' })
      for (const wrong of [undefined, 'now', now + 3600, -1])
        t.notOk((await claimsOf(wrong)).auth_time, `auth_time ${wrong}`)
    })

    t.test('a refused request does not consume the assertion', async (t) => {
      const assertion = await provider.assertion(subject)
      const tooMuch = await assertAt(issuer, app, assertion, { scope: 'records:delete' })
      t.match(tooMuch, { status: 400, body: { error: 'invalid_scope' } })
      await operator('PATCH', installPath, { suspended: true })
      t.match(await assertAt(issuer, app, assertion), invalidGrant)
      await operator('PATCH', installPath, { suspended: false })
      t.equal((await assertAt(issuer, app, assertion)).status, 200)
      t.match(await assertAt(issuer, app, assertion), invalidGrant, 'but a token does')
    })

    t.test('of many uses at once one succeeds', async (t) => {
      const assertion = await provider.assertion(subject)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => assertAt(issuer, app, assertion)),
      )
      t.equal(answers.filter(({ status }) => status === 200).length, 1)
      t.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))
    })

    t.test('the app appears among the connected apps, and in the audit trail', async (t) => {
      await present({ sub: kim.id })
      const page = await (await signedIn(issuer, kim)).get(`${issuer}/account/apps`)
      t.match(page.text, app.client_id)
      // The grant expires with its token. The provider may send the next assertion at any time.
      const expire = `update grants set expires_at = now() - interval '1 second' where user_id = $1`
      await sql(stores, expire, [kim.id])
      const opened = await openTestStores(stores)
      await opened.removeExpired().finally(opened.close)
      t.same(await sql(stores, 'select id from grants where user_id = $1', [kim.id]), [])
      const visitor = await signedIn(issuer, kim)
      const later = await visitor.get('/account/apps')
      t.match(later.text, app.client_id, 'it can still be disconnected')
      const decision = { client_id: app.client_id, organization_id: acme, decision: 'disconnect' }
      t.notMatch((await visitor.submit(later, decision)).text, app.client_id)
      t.match(await present({ sub: kim.id }), invalidGrant)
      const path = `/audit?organization_id=${acme}&type=grant.asserted`
      await eventually(async () => {
        const { items } = (await operator('GET', path)).body
        return items.some(({ user_id }: { user_id: string }) => user_id === kim.id)
      })
      const [event] = (await operator('GET', path)).body.items
      t.match(event, { client_id: app.client_id, detail: { issuer: provider.issuer } })
    })

    t.test('a new key of the provider is accepted', async () => {
      await provider.addKey('second')
      // Keys are fetched again after ten seconds at the latest.
      const second = 1000
      await eventually(async () => {
        await new Promise((resolve) => setTimeout(resolve, second))
        return (await present()).status === 200
      })
    })

    t.test('a token bound to a key needs the proof', async (t) => {
      const holder = await createHolder()
      const url = `${issuer}/api/oauth/token`
      const proven = await present({}, {}, await holder.posts(url))
      t.equal(proven.body.token_type, 'DPoP')
      const cnf = { jkt: holder.jkt }
      t.match(await present({ cnf }), { status: 400, body: { error: 'invalid_dpop_proof' } })
      const stranger = await createHolder()
      t.match(await present({ cnf }, {}, await stranger.posts(url)), invalidGrant)
      t.equal((await present({ cnf }, {}, await holder.posts(url))).status, 200)
    })

    t.test('the subject is found by SCIM, an earlier link or a verified address', async (t) => {
      const scim = await connectProvider(running, acme)
      const created = await scim.call('POST', '/Users', newScimUser({ externalId: 'directory-7' }))
      const lee = created.body.id as string
      const userOf = async (claims: Record<string, unknown>) => {
        const { body } = await present(claims)
        return body.access_token
          ? (await introspectAt(issuer, api, body.access_token)).body.sub
          : null
      }
      t.equal(await userOf({ sub: 'directory-7' }), lee, 'externalId')
      t.equal(await userOf({ sub: 'anything', aud_sub: lee }), lee, 'aud_sub')
      const address = { sub: 'subject of ana', email: ana.email.toUpperCase() }
      t.equal(await userOf(address), null, 'the address is not verified')
      t.equal(await userOf({ ...address, email_verified: 'true' }), null)
      const many = await Promise.all(
        Array.from({ length: 8 }, () => userOf({ ...address, email_verified: true })),
      )
      t.same([...new Set(many)], [ana.id], 'the first assertions link the subject')
      t.equal(await userOf({ sub: 'subject of ana' }), ana.id, 'later ones need no address')
      const heir = { ...address, sub: 'her successor', email_verified: true }
      t.equal(await userOf(heir), null, 'the address is given to another person')
      const { items } = (
        await operator('GET', `/audit?organization_id=${acme}&type=identity.linked`)
      ).body
      t.equal(items.length, 1)
      await nameProvider(running, acme, provider, { issuer: `${provider.issuer}/other` })
      await nameProvider(running, acme, provider)
      t.equal(await userOf({ sub: 'subject of ana' }), null, 'another issuer ends the links')
    })

    t.test('what ends the access of the user ends the token', async (t) => {
      const { access_token: token } = (await present()).body
      await operator('PATCH', `/users/${ana.id}`, { disabled: true })
      t.equal(await isActive(token), false)
      t.match(await present(), invalidGrant, 'a disabled user')
      await operator('PATCH', `/users/${ana.id}`, { disabled: false })
      const { access_token: next } = (await present()).body
      t.equal(await isActive(next), true)
      await operator('DELETE', installPath)
      t.equal(await isActive(next), false)
      t.match(await present(), invalidGrant, 'not installed')
      await install(running, acme, app)
      t.equal(await isActive(next), false, 'a new install revives no token')
      t.match(await present({ sub: zoe.id }), invalidGrant, 'not a member')
    })

    t.test('a disconnect stands until the user allows the app again', async (t) => {
      const { access_token: token } = (await present()).body
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(`${issuer}/account/apps`)
      await visitor.submit(page, {
        client_id: app.client_id,
        organization_id: acme,
        decision: 'disconnect',
      })
      t.equal(await isActive(token), false)
      t.match(await present(), invalidGrant)
      const code = await currentCode(running, app, ana, { scope: 'records:create' })
      t.equal((await exchangeCode(issuer, app, code)).status, 200)
      const again = await present()
      t.equal(again.body.scope, 'records:create', "within the user's own choice")
    })

    t.test('two organizations with one provider are told apart', async (t) => {
      await install(running, other, app, { workspace_ids: null })
      await nameProvider(running, other, provider)
      t.match(await present(), { status: 400, body: { error: 'invalid_request' } })
      const named = { organization_id: other }
      t.equal((await present({ sub: zoe.id }, named)).body.organization_id, other)
      t.equal((await present({ sub: zoe.id, aud_tenant: other })).body.organization_id, other)
      t.match(await present({ sub: zoe.id, aud_tenant: acme }, named), invalidGrant)
      t.match(await present({}, named), invalidGrant, 'Ana is no member there')
    })
  },
  { environment: providerEnvironment },
)
