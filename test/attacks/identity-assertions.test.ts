/** Attacks with assertions of identity providers (ID-JAG): each is refused, with its sub-reason in the audit trail. */
import { createHmac } from 'node:crypto'
import { eventually } from '../support/eventually.ts'
import {
  assertAt,
  assertingApp,
  nameProvider,
  providerEnvironment,
  startIdentityProvider,
  type TestProvider,
} from '../support/identity-provider.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createApp, install } from '../support/world.ts'

type Claims = Record<string, unknown>

await onEachBackend(
  'identity assertions under attack',
  async (t, { running, issuer, world }) => {
    const { acme, other, ana, zoe, second, publicApp } = world
    const provider = await startIdentityProvider(issuer)
    const stranger = await startIdentityProvider(issuer)
    t.teardown(async () => {
      await provider.stop()
      await stranger.stop()
    })
    const app = await assertingApp(running, world)
    await nameProvider(running, acme, provider)
    const now = Math.floor(Date.now() / 1000)
    const subject = { client_id: app.client_id, sub: ana.id }
    const assertion = (claims: Claims = {}, header: Claims = {}, by: TestProvider = provider) =>
      by.assertion({ ...subject, ...claims }, header)

    const present = async (text: string, by = app) => {
      const { status, body, headers } = await assertAt(issuer, by, text)
      return { status, error: body.error as string, request: headers.get('x-request-id') ?? '' }
    }
    const reasonOf = async (request: string) => {
      const find = async () =>
        (await running.operator('GET', `/audit?request_id=${request}`)).body.items
      await eventually(async () => (await find()).length > 0)
      return (await find())[0].detail.reason as string
    }
    const refuses = async (name: string, text: string, reason: string, by = app) => {
      const { status, error, request } = await present(text, by)
      const isUnauthorized = reason === 'id_jag_off'
      t.equal(status, 400, name)
      t.equal(error, isUnauthorized ? 'unauthorized_client' : 'invalid_grant', name)
      t.equal(await reasonOf(request), reason, name)
    }
    const works = async () => (await present(await assertion())).status === 200

    await t.test('IDJ-01 another token of the provider is no assertion', async (t) => {
      for (const typ of ['JWT', 'at+jwt', 'id+jwt', 'oauth-id-jag', undefined])
        await refuses(`typ ${typ}`, await assertion({}, { typ }), 'id_jag_type')
      for (const claim of ['iat', 'exp', 'jti', 'sub', 'client_id'])
        await refuses(claim, await assertion({ [claim]: undefined }), 'id_jag_malformed')
      for (const claims of [{ sub: '' }, { sub: 'a\u0000b' }, { jti: 7 }, { sub: 'x'.repeat(300) }])
        await refuses(JSON.stringify(claims), await assertion(claims), 'id_jag_malformed')
      for (const claims of [{ scope: ['records:create'] }, { cnf: {} }, { resource: [7] }])
        await refuses(JSON.stringify(claims), await assertion(claims), 'id_jag_malformed')
      await refuses('no JWT', 'x.y.z', 'id_jag_malformed')
      const nul = await assertion({ iss: `${provider.issuer}\0` })
      await refuses('an issuer that no store can look for', nul, 'id_jag_malformed')
      const unstorable = { organization_id: `${acme}\0` }
      const sought = await assertAt(issuer, app, await assertion(), unstorable)
      t.match(sought, { status: 400, body: { error: 'invalid_grant' } })
    })

    await t.test('IDJ-02 an assertion for another server or app is refused', async (t) => {
      const elsewhere = 'https://elsewhere.example'
      const audiences = [elsewhere, `${issuer}/`, `${issuer}/api/oauth/token`, [issuer, elsewhere]]
      for (const aud of [...audiences, undefined]) {
        const reason = 'id_jag_audience'
        await refuses(`aud ${aud}`, await assertion({ aud }), reason)
      }
      t.ok(await present(await assertion({ aud: [issuer] })).then(({ status }) => status === 200))
      await refuses('client', await assertion({ client_id: second.client_id }), 'id_jag_client')
      const thief = await assertingApp(running, world, { name: 'Thief' })
      await refuses('a stolen assertion', await assertion(), 'id_jag_client', thief)
      const resource = await assertAt(issuer, app, await assertion({ resource: elsewhere }))
      t.match(resource, { status: 400, body: { error: 'invalid_target' } })
    })

    await t.test('IDJ-03 only the keys of the named provider count', async (t) => {
      await refuses('foreign issuer', await assertion({}, {}, stranger), 'id_jag_issuer')
      const posing = await assertion({ iss: provider.issuer }, {}, stranger)
      await refuses('foreign key', posing, 'id_jag_signature')
      await refuses('foreign kid', await assertion({}, { kid: 'other' }), 'id_jag_signature')
      const [head, body, signature] = (await assertion()).split('.') as [string, string, string]
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: zoe.id })).toString('base64url')
      await refuses('changed', `${head}.${changed}.${signature}`, 'id_jag_signature')
      const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const none = encoded({ alg: 'none', typ: 'oauth-id-jag+jwt' })
      await refuses('alg none', `${none}.${body}.`, 'id_jag_malformed')
      const symmetric = encoded({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: 'first' })
      const key = JSON.stringify(provider.keys[0]?.jwk)
      const mac = createHmac('sha256', key).update(`${symmetric}.${body}`).digest('base64url')
      await refuses('HMAC with a public key', `${symmetric}.${body}.${mac}`, 'id_jag_malformed')
      const seen = stranger.requests.length
      const header = { jku: stranger.jwksUri, jwk: stranger.keys[0]?.jwk, x5u: stranger.jwksUri }
      const inside = await stranger.assertion({ ...subject, iss: provider.issuer }, header)
      await refuses('keys of the header', inside, 'id_jag_signature')
      t.equal(stranger.requests.length, seen, 'no address of an assertion is fetched')
      t.ok(await works())
    })

    await t.test('IDJ-04 a provider reaches only its own organization', async (t) => {
      await install(running, other, app, { workspace_ids: null })
      await refuses('not a member', await assertion({ sub: zoe.id }), 'user_not_member')
      await refuses('named user', await assertion({ aud_sub: zoe.id }), 'user_not_member')
      const address = { sub: 'new', email: zoe.email, email_verified: true }
      await refuses('address', await assertion(address), 'user_not_member')
      await refuses('nobody', await assertion({ sub: 'nobody' }), 'id_jag_user_unknown')
      await refuses('another tenant', await assertion({ aud_tenant: other }), 'id_jag_issuer')
      for (const unreadable of [7, '', 'a\0b', [other], 'x'.repeat(256), null])
        for (const claim of ['aud_tenant', 'aud_sub']) {
          const text = await assertion({ [claim]: unreadable })
          await refuses(`${claim} ${unreadable}`, text, 'id_jag_malformed')
        }
      await nameProvider(running, other, stranger)
      const posing = await assertion({ aud_tenant: other, sub: zoe.id }, {}, provider)
      await refuses('the issuer of another tenant', posing, 'id_jag_issuer')
      const fields = { organization_id: acme }
      const named = await assertAt(issuer, app, await assertion({}, {}, stranger), fields)
      t.match(named, { status: 400, body: { error: 'invalid_grant' } })
    })

    await t.test('IDJ-05 an assertion lives ten minutes at most', async () => {
      const lives = (iat: number, exp: number) => assertion({ iat: now + iat, exp: now + exp })
      await refuses('an hour', await lives(0, 3600), 'id_jag_lives_too_long')
      await refuses('expired', await lives(-400, -100), 'id_jag_expired')
      await refuses('old, and long', await lives(-3600, 300), 'id_jag_lives_too_long')
      await refuses('of the future', await lives(200, 400), 'id_jag_not_yet_valid')
      await refuses('nbf', await assertion({ nbf: now + 200 }), 'id_jag_not_yet_valid')
      const used = await assertion()
      await present(used)
      await refuses('replayed', used, 'id_jag_replayed')
    })

    await t.test('IDJ-06 only apps that may use assertions can', async (t) => {
      const mine = async (by: typeof app) => assertion({ client_id: by.client_id })
      await refuses('off by default', await mine(second), 'id_jag_off', second)
      const { status, error } = await present(await mine(publicApp), publicApp)
      t.same({ status, error }, { status: 400, error: 'unauthorized_client' })
      const wrong = { ...app, client_secret: 'wrong' }
      t.equal((await present(await assertion(), wrong)).status, 401)
      const elsewhere = await createApp(running, { identity_assertions: true, name: 'Elsewhere' })
      await refuses('not installed', await mine(elsewhere), 'not_installed', elsewhere)
      await nameProvider(running, acme, provider, { client_ids: [second.client_id] })
      await refuses('not allowed here', await assertion(), 'id_jag_app_not_allowed')
      await nameProvider(running, acme, provider)
      t.ok(await works())
      const path = `/organizations/${acme}/identity-provider`
      t.equal((await running.operator('DELETE', path)).status, 204)
      await refuses('no provider', await assertion(), 'id_jag_issuer')
      await nameProvider(running, acme, provider)
    })

    await t.test('IDJ-07 a provider that fails consumes and changes nothing', async (t) => {
      const late = await startIdentityProvider(issuer)
      t.teardown(late.stop)
      await nameProvider(running, acme, late)
      const text = await assertion({}, {}, late)
      late.fault = { status: 500, body: '' }
      const failed = await assertAt(issuer, app, text)
      t.match(failed, { status: 503, body: { error: 'temporarily_unavailable' } })
      t.ok(Number(failed.headers.get('retry-after')) > 0)
      late.fault = null
      // Another source of the keys, because one that has failed is not asked again for ten seconds.
      await nameProvider(running, acme, late, { jwks_uri: late.jwksUri })
      t.equal((await assertAt(issuer, app, text)).status, 200, 'the same assertion')
      t.equal((await assertAt(issuer, app, text)).body.error, 'invalid_grant')
    })
  },
  { environment: providerEnvironment },
)
