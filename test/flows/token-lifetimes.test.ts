import type { Test } from 'tap'
import {
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  post,
  refresh,
} from '../support/flows.ts'
import { type Json, startLatchkey } from '../support/latchkey.ts'
import { legacyTokens } from '../support/migration.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, readFeed, registerResourceServer } from '../support/resource-server.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const environment = { CURRENT_TOKEN_SECONDS: '600', LEGACY_TOKEN_SECONDS: '5400' }

const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())

await onEachBackend(
  'lifetimes of access tokens',
  async (t, { running, issuer, world, stores }) => {
    const { acme, ana, confidential, legacy } = world
    const server = await registerResourceServer(running)
    const lasts = async (t: Test, { body }: { body: Json }, seconds: number) => {
      t.equal(body.expires_in, seconds)
      const { iat, exp } = claimsOf(body.access_token)
      t.equal(exp - iat, seconds, 'the claims say the same')
      const answer = await introspectAt(issuer, server, body.access_token)
      t.match(answer.body, { active: true, iat, exp })
    }

    t.test('are those of the settings', async (t) => {
      const code = await currentCode(running, confidential, ana)
      const first = await exchangeCode(issuer, confidential, code)
      await lasts(t, first, 600)
      await lasts(t, await refresh(issuer, confidential, first.body.refresh_token), 600)
      await lasts(t, await clientCredentials(issuer, confidential, acme), 600)
      await lasts(t, { body: await legacyTokens(running, legacy, world) }, 5400)
    })

    t.test('of the implicit flow too', async (t) => {
      const app = await createApp(running, { interface: 'legacy', client_type: 'public' })
      await install(running, acme, app, { permissions: legacyPermissions })
      const implicit = async () => {
        const url = legacyAuthorizeUrl(issuer, app, { response_type: 'token' })
        const { left } = await walk(createVisitor(issuer), url, ana)
        return Object.fromEntries(new URLSearchParams(left?.hash.slice(1)))
      }
      const before = await implicit()
      await lasts(t, { body: { ...before, expires_in: Number(before.expires_in) } }, 5400)
      await running.operator('PATCH', `/apps/${app.client_id}`, { access_token_seconds: 300 })
      const after = await implicit()
      await lasts(t, { body: { ...after, expires_in: Number(after.expires_in) } }, 300)
    })

    t.test('are shorter for an app that the operator says so of', async (t) => {
      const app = await createApp(running, { name: 'Short', access_token_seconds: 60 })
      await install(running, acme, app)
      const path = `/apps/${app.client_id}`
      t.match(await running.operator('GET', path), { body: { access_token_seconds: 60 } })
      const code = await currentCode(running, app, ana)
      const { body } = await exchangeCode(issuer, app, code)
      await lasts(t, { body }, 60)
      const supposed = { client_id: app.client_id, organization_id: acme }
      const simulated = await running.operator('POST', '/tokens/simulate', supposed)
      t.equal(simulated.body.expires_in, 60)
      const tooLong = await running.operator('PATCH', path, { access_token_seconds: 601 })
      t.match(tooLong, { status: 400, body: { errors: [{ pointer: '/access_token_seconds' }] } })
      t.match(tooLong.body.errors[0].detail, '60 to 600')
      await running.operator('PATCH', path, { access_token_seconds: null })
      await lasts(t, await refresh(issuer, app, body.refresh_token), 600)
    })

    t.test('an app with more than a later setting allows has that of the setting', async (t) => {
      const app = await createApp(running, { name: 'Stored', access_token_seconds: 600 })
      await install(running, acme, app)
      const later = await startLatchkey(stores, {
        environment: { ISSUER: issuer, CURRENT_TOKEN_SECONDS: '120' },
      })
      t.teardown(() => later.stop())
      await lasts(t, await clientCredentials(later.urls[0] as string, app, acme), 120)
      const renamed = await later.operator('PATCH', `/apps/${app.client_id}`, { name: 'Other' })
      t.match(renamed, { status: 200, body: { access_token_seconds: 600 } })
    })

    t.test('revocations are kept for as long as the longest tokens', async (t) => {
      const kept = async () => {
        const code = await currentCode(running, confidential, ana)
        const { body } = await exchangeCode(issuer, confidential, code)
        const { grant_id } = claimsOf(body.access_token)
        const fields = { token: body.refresh_token, ...credentials(confidential) }
        await post(`${issuer}/api/oauth/revoke`, fields).catch(() => undefined)
        const { changes } = await readFeed(issuer, server)
        const { until } = changes.find(({ type, id }) => type === 'grant' && id === grant_id)
        return until - Date.now() / 1000
      }
      t.ok(Math.abs((await kept()) - 7800) < 60, 'two hours and ten minutes at least')
      for (const [longest, expected] of [
        ['86400', 87_000],
        ['60', 87_000], // tokens of the earlier setting may still be valid
      ] as const) {
        const other = await startLatchkey(stores, {
          environment: { ISSUER: issuer, LEGACY_TOKEN_SECONDS: longest },
        })
        await other.stop()
        t.ok(Math.abs((await kept()) - expected) < 60, longest)
      }
    })
  },
  { environment },
)
