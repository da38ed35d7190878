/** Endpoints at the paths of a server that this one replaces. */

import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createDeviceApp } from '../support/device.ts'
import { createHolder, getWithProof } from '../support/dpop.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, verifiedIdToken } from '../support/openid.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const aliases = {
  '/oauth/authorize': 'authorize',
  '/o/authorize/': 'authorize',
  '/oauth/token': 'token',
  '/oauth/par': 'par',
  '/oauth/revoke': 'revoke',
  '/oauth/introspect': 'introspect',
  '/oauth/userinfo': 'userinfo',
  '/oauth/discovery/keys': 'jwks',
  '/old/.well-known/openid-configuration': 'metadata',
  '/oauth/authorize_device': 'device',
  '/oauth/logout': 'end_session',
}
const environment = {
  ENDPOINT_ALIASES: Object.entries(aliases)
    .map(([path, endpoint]) => `${path}=${endpoint}`)
    .join(','),
  LEGACY_DEPRECATED_AT: '2026-01-01',
}

for (const path of ['', '/auth'])
  await onEachBackend(
    `aliases${path && ` below ${path}`}`,
    async (t, { running, issuer, world }) => {
      const { acme, ana, confidential, publicApp, legacy } = world
      const { origin } = new URL(issuer)
      const wiki = await openidApp(running, world)
      const token = `${issuer}/oauth/token`

      t.test('the app decides which interface answers', async (t) => {
        for (const at of ['/oauth/authorize', '/o/authorize/']) {
          const verifier = newVerifier()
          const asked = { code_challenge: challengeOf(verifier), organization_id: acme }
          const url = authorizeUrl(issuer, confidential, asked).replace('/authorize', at)
          const { left } = await walk(createVisitor(issuer), url, ana)
          t.equal(left?.searchParams.get('iss'), issuer, at)
          const fields = {
            grant_type: 'authorization_code',
            code: left?.searchParams.get('code') ?? '',
            code_verifier: verifier,
            redirect_uri: confidential.redirect_uri,
            ...credentials(confidential),
          }
          const tokens = await post(token, fields)
          t.match(claimsOf(tokens.body.access_token), { interface: 'current' })
          t.equal(tokens.headers.get('deprecation'), null)

          const old = legacyAuthorizeUrl(issuer, legacy).replace('/oauth/authorize', at)
          const back = (await walk(createVisitor(issuer), old, ana)).left
          t.equal(back?.searchParams.get('iss'), null, at)
          const grant = {
            grant_type: 'authorization_code',
            code: back?.searchParams.get('code') ?? '',
          }
          const basic = Buffer.from(`${legacy.client_id}:${legacy.client_secret}`).toString(
            'base64',
          )
          const first = await post(token, grant, { authorization: `Basic ${basic}` })
          t.match(first, { status: 200, body: { expires_in: 7200, organization_id: acme } })
          t.ok(first.headers.get('deprecation'), 'the end of the legacy interface is announced')
          t.equal(first.headers.get('vary'), null)
          const next = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
          t.match(await post(token, { ...next, ...credentials(legacy) }), { status: 200 })
          t.match(await post(token, { ...next, ...credentials(legacy) }), {
            status: 400,
            body: { error: 'invalid_grant' },
          })
        }
      })

      t.test('own paths that are no aliases still serve one interface', async (t) => {
        const legacyRequest = legacyAuthorizeUrl(issuer, legacy).replace('/oauth/', '/')
        t.equal((await fetch(legacyRequest)).status, 400)
        const refused = await post(`${issuer}/api/oauth/token`, {
          grant_type: 'refresh_token',
          refresh_token: 'x',
          ...credentials(legacy),
        })
        t.match(refused, { status: 401, body: { error: 'invalid_client' } })
      })

      t.test('a request for a legacy app by POST, and one of another site', async (t) => {
        const [at, query] = legacyAuthorizeUrl(issuer, legacy).split('?') as [string, string]
        const sent = await fetch(at, {
          method: 'POST',
          body: new URLSearchParams(query),
          redirect: 'manual',
        })
        t.equal(sent.status, 303)
        const again = new URL(sent.headers.get('location') ?? '', at)
        t.equal(again.pathname, `${path}/oauth/authorize`)
        t.ok((await walk(createVisitor(issuer), again, ana)).left?.searchParams.get('code'))
      })

      t.test('refusals are those of the endpoint', async (t) => {
        const bodies = [
          {},
          { grant_type: 'refresh_token' },
          {
            grant_type: 'refresh_token',
            refresh_token: 'x',
            client_id: 'unknown',
            client_secret: 'x',
          },
          {
            grant_type: 'refresh_token',
            refresh_token: 'x',
            ...credentials(legacy),
            client_secret: 'x',
          },
          { client_id: [legacy.client_id, legacy.client_id] },
          { grant_type: 'nothing', ...credentials(legacy) },
          { grant_type: 'nothing', ...credentials(confidential) },
        ]
        for (const body of bodies) {
          const isLegacy = 'client_id' in body && [body.client_id].flat()[0] === legacy.client_id
          const own = `${issuer}/api/oauth/${isLegacy ? 'access_token' : 'token'}`
          const [expected, found] = [await post(own, body), await post(token, body)]
          t.same([found.status, found.body], [expected.status, expected.body], JSON.stringify(body))
        }
        const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
        t.equal((await fetch(token, json)).status, 400)
        const page = { origin: new URL(publicApp.redirect_uri).origin }
        for (const at of [token, `${issuer}/api/oauth/token`]) {
          const refused = await post(at, { client_id: publicApp.client_id }, page)
          t.equal(refused.headers.get('access-control-allow-origin'), page.origin, at)
        }
        t.equal((await fetch(token)).status, 400)
        const revoke = await fetch(`${issuer}/oauth/revoke`)
        t.same([revoke.status, revoke.headers.get('allow')], [405, 'POST'])
      })

      t.test('pages of other origins', async (t) => {
        const page = new URL(publicApp.redirect_uri).origin
        const wish = { origin: page, 'access-control-request-method': 'POST' }
        for (const at of ['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/userinfo']) {
          const preflight = await fetch(issuer + at, { method: 'OPTIONS', headers: wish })
          t.equal(preflight.status, 204, at)
          t.equal(preflight.headers.get('access-control-allow-origin'), page, at)
        }
        const got = await currentCode(running, publicApp, ana, { organization_id: acme })
        const tokens = await post(
          token,
          {
            grant_type: 'authorization_code',
            code: got.code,
            code_verifier: got.verifier,
            redirect_uri: publicApp.redirect_uri,
            ...credentials(publicApp),
          },
          { origin: page },
        )
        t.equal(tokens.status, 200)
        t.equal(tokens.headers.get('access-control-allow-origin'), page)
        const refused = await post(
          token,
          { grant_type: 'refresh_token', refresh_token: 'x', ...credentials(legacy) },
          { origin: page },
        )
        t.equal(refused.headers.get('access-control-allow-origin'), null)
      })

      t.test('metadata and keys', async (t) => {
        const read = async (at: string): Promise<Json> => (await fetch(at)).json()
        const own = await read(`${issuer}/.well-known/openid-configuration`)
        t.same(await read(`${issuer}/old/.well-known/openid-configuration`), own)
        t.equal(own.issuer, issuer)
        t.equal(own.token_endpoint, `${issuer}/api/oauth/token`)
        const keys = await read(`${issuer}/.well-known/jwks.json`)
        t.same(await read(`${issuer}/oauth/discovery/keys`), keys)
      })

      t.test('userinfo, introspection, revocation, sign-out', async (t) => {
        const got = await currentCode(running, wiki, ana, {
          scope: 'openid',
          organization_id: acme,
        })
        const { body } = await exchangeCode(issuer, wiki, got)
        const authorization = `Bearer ${body.access_token}`
        const userinfo = await fetch(`${issuer}/oauth/userinfo`, { headers: { authorization } })
        t.match(await userinfo.json(), { sub: ana.id })
        t.match((await fetch(`${issuer}/oauth/userinfo`)).headers.get('www-authenticate'), /Bearer/)
        const dataApi = await registerResourceServer(running)
        const ask = () =>
          post(
            `${issuer}/oauth/introspect`,
            { token: body.access_token },
            { authorization: dataApi.authorization },
          )
        t.match(await ask(), { body: { active: true } })
        const fields = { token: body.access_token, ...credentials(wiki) }
        const revoked = await fetch(`${issuer}/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams(fields),
        })
        t.equal(revoked.status, 200)
        t.match(await ask(), { body: { active: false } })
        const out = await got.visitor.get(
          `/oauth/logout?${new URLSearchParams({ id_token_hint: body.id_token })}`,
        )
        t.match(out.url.pathname, '/signed-out')
      })

      t.test('a device, and a pushed request', async (t) => {
        const device = await createDeviceApp(running, world)
        const begun = await post(`${issuer}/oauth/authorize_device`, {
          client_id: device.client_id,
        })
        t.equal(begun.body.verification_uri, `${issuer}/activate`)
        const pushed = await post(`${issuer}/oauth/par`, {
          ...credentials(confidential),
          redirect_uri: confidential.redirect_uri,
          code_challenge: challengeOf(newVerifier()),
        })
        t.equal(pushed.status, 201)
      })

      t.test('proofs and assertions may name the alias', async (t) => {
        const holder = await createHolder()
        const urls = [token, `${origin}/oauth/token`, `${issuer}/api/oauth/token`]
        const got = await currentCode(running, publicApp, ana, { organization_id: acme })
        let { refresh_token: held } = (
          await exchangeCode(issuer, publicApp, got, {}, await holder.posts(urls[2] as string))
        ).body
        for (const url of urls) {
          const next = await post(
            token,
            { grant_type: 'refresh_token', refresh_token: held, ...credentials(publicApp) },
            await holder.posts(url),
          )
          t.match(next, { status: 200, body: { token_type: 'DPoP' } }, url)
          held = next.body.refresh_token
        }
        const wrong = await holder.posts(`${issuer}/oauth/revoke`)
        const refused = await refresh(issuer, publicApp, held, {}, wrong)
        t.match(refused.body, { error: 'invalid_dpop_proof' }, 'the URL of another endpoint')
        const reading = await getWithProof(holder, `${issuer}/oauth/userinfo`, 'x')
        t.equal(reading.status, 401)

        const { publicKey, privateKey } = await generateKeyPair('ES256')
        const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' }
        const app = await createApp(running, { name: 'Signs', jwks: { keys: [jwk] } })
        await install(running, acme, app)
        const assert = (audience: string) =>
          new SignJWT({ jti: randomUUID() })
            .setProtectedHeader({ alg: 'ES256', kid: 'one' })
            .setIssuer(app.client_id)
            .setSubject(app.client_id)
            .setAudience(audience)
            .setIssuedAt()
            .setExpirationTime('1m')
            .sign(privateKey)
        const requestAs = async (audience: string) =>
          post(token, {
            grant_type: 'client_credentials',
            organization_id: acme,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: await assert(audience),
          })
        for (const url of [...urls, issuer, `${issuer}/oauth/par`])
          t.equal((await requestAs(url)).status, 200, url)
        t.equal((await requestAs(`${issuer}/oauth/other`)).status, 401)
      })

      t.test('a user of the old server keeps the id', async (t) => {
        const id = `old-${randomUUID()}`
        const person = { id, email: `${id}@old.example`, password: 'correct horse battery staple' }
        const lines = [
          { type: 'user', name: 'Old user', ...person },
          { type: 'member', organization: acme, user: id, role: 'member' },
        ]
        const imported = await fetch(`${issuer}/api/admin/v1/import`, {
          method: 'POST',
          headers: {
            authorization: 'Bearer operator-token-of-the-tests-0123456789',
            'content-type': 'application/x-ndjson',
          },
          body: lines.map((line) => JSON.stringify(line)).join('\n'),
        })
        t.match(await imported.text(), /"created".*"created"/s)
        const got = await currentCode(running, wiki, person, {
          scope: 'openid',
          organization_id: acme,
        })
        const { body } = await exchangeCode(issuer, wiki, got)
        t.equal((await verifiedIdToken(issuer, wiki.client_id, body.id_token)).sub, id)
        t.equal(claimsOf(body.access_token).sub, id)
        const authorization = `Bearer ${body.access_token}`
        const userinfo = await fetch(`${issuer}/oauth/userinfo`, { headers: { authorization } })
        t.match(await userinfo.json(), { sub: id })
      })

      t.test('a legacy code is redeemed at either path', async (t) => {
        const { code } = await legacyCode(running, legacy, ana)
        const fields = { grant_type: 'authorization_code', code, ...credentials(legacy) }
        t.equal((await post(token, fields)).status, 200)
      })
    },
    { path, environment },
  )
