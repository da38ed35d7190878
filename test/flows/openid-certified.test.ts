/** What the conformance tests of OpenID ask of an app's settings: RS256, context classes, no PKCE. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, userinfoAt } from '../support/openid.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { pageKind, type Visitor } from '../support/visitor.ts'
import { password, type TestApp } from '../support/world.ts'

const atOnce = 50
const passwordClass = 'urn:latchkey:acr:password'

await onEachBackend(
  'OpenID apps with settings of their own',
  async (t, { running, issuer, world, stores }) => {
    const { operator, urls } = running
    const { acme, ana } = world
    const change = (app: TestApp, part: object) => operator('PATCH', `/apps/${app.client_id}`, part)

    /** The answer to an app without a page. */
    const silently = async (visitor: Visitor, app: TestApp, parameters: Record<string, string>) => {
      const requested = { scope: 'openid', prompt: 'none', organization_id: acme, ...parameters }
      const response = await visitor.fetch(authorizeUrl(issuer, app, requested))
      return new URL(response.headers.get('location') ?? '', issuer).searchParams
    }
    const codes = async (visitor: Visitor, app: TestApp, count: number) => {
      const all: { code: string; verifier: string }[] = []
      while (all.length < count) {
        const verifier = newVerifier()
        const answer = await silently(visitor, app, { code_challenge: challengeOf(verifier) })
        all.push({ code: answer.get('code') ?? '', verifier })
      }
      return all
    }
    const verified = async (app: TestApp, token: string) => {
      const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
      return jwtVerify(token, keys, { issuer, audience: app.client_id, algorithms: ['RS256'] })
    }
    const rsaKeys = () =>
      sql<{ kid: string; status: string }>(stores, 'select kid, status from rsa_signing_keys')

    t.test('many first uses of RS256 at once make one key', async (t) => {
      const app = await openidApp(running, world)
      const { visitor } = await currentCode(running, app, ana, {
        scope: 'openid',
        organization_id: acme,
      })
      const first = await codes(visitor, app, atOnce)
      t.same(await rsaKeys(), [], 'no key before its first use')
      // As if another instance had changed the app: the key is not made with the setting.
      await sql(
        stores,
        `update apps set id_token_signed_response_alg = 'RS256' where client_id = '${app.client_id}'`,
      )
      const answers = await Promise.all(
        first.map((one, at) => exchangeCode(urls[at % urls.length] as string, app, one)),
      )
      t.same(
        answers.filter(({ status }) => status !== 200),
        [],
      )
      const used = answers.map(({ body }) => decodeProtectedHeader(body.id_token))
      t.equal(new Set(used.map(({ kid }) => kid)).size, 1, 'one key')
      t.ok(used.every(({ alg }) => alg === 'RS256'))
      t.same((await rsaKeys()).map((one) => one.status).toSorted(), ['active', 'next'])
      t.match(await verified(app, answers[0]?.body.id_token), {
        payload: { sub: ana.id, acr: passwordClass },
      })
      t.equal(decodeProtectedHeader(answers[0]?.body.access_token).alg, 'ES256', 'access tokens')
    })

    t.test('an app gets ID tokens with RS256', async (t) => {
      const app = await openidApp(running, world, { id_token_signed_response_alg: 'RS256' })
      const grant = await currentCode(running, app, ana, {
        scope: 'openid',
        organization_id: acme,
      })
      const { body } = await exchangeCode(issuer, app, grant)
      t.match(await verified(app, body.id_token), { payload: { sub: ana.id } })
      const next = (await refresh(issuer, app, body.refresh_token)).body
      t.match(await verified(app, next.id_token), { payload: { sub: ana.id } })
      const hint = { id_token_hint: body.id_token, code_challenge: challengeOf(newVerifier()) }
      t.ok((await silently(grant.visitor, app, hint)).get('code'), 'it is a valid hint')

      const resourceServer = await registerResourceServer(running)
      t.same((await introspectAt(issuer, resourceServer, body.id_token)).body, { active: false })
      t.equal((await userinfoAt(issuer, body.id_token)).status, 401, 'it is no access token')

      await change(app, { id_token_signed_response_alg: 'ES256' })
      const again = (await refresh(issuer, app, next.refresh_token)).body
      t.equal(decodeProtectedHeader(again.id_token).alg, 'ES256')
    })

    t.test('the RS256 key is published, rotated and withdrawn like the others', async (t) => {
      const app = await openidApp(running, world, { id_token_signed_response_alg: 'RS256' })
      const grant = await currentCode(running, app, ana, {
        scope: 'openid',
        organization_id: acme,
      })
      let { body } = await exchangeCode(issuer, app, grant)
      const renew = async () => {
        body = (await refresh(issuer, app, body.refresh_token)).body
        return body.id_token as string
      }
      const before = body.id_token as string
      const response = await fetch(`${issuer}/.well-known/jwks.json`)
      const { keys } = (await response.json()) as { keys: Record<string, string>[] }
      const rsa = keys.filter((key) => key.kty === 'RSA')
      t.equal(rsa.length, 2, 'the next key in advance')
      for (const key of rsa)
        t.same(Object.keys(key).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      const { body: listed } = await operator('GET', '/signing-keys')
      t.same(listed.items.map(({ alg }: { alg: string }) => alg).toSorted(), [
        'ES256',
        'ES256',
        'RS256',
        'RS256',
      ])

      await operator('POST', '/signing-keys/rotate', {})
      const rotated = await renew()
      t.not(decodeProtectedHeader(rotated).kid, decodeProtectedHeader(before).kid)
      t.ok(await verified(app, rotated))
      t.ok(await verified(app, before), 'the retired key is still published')

      await operator('POST', '/signing-keys/rotate', { withdraw: true })
      await t.rejects(verified(app, rotated), 'withdrawn at once')
      t.ok(await verified(app, await renew()))
    })

    t.test('acr_values asks for another sign-in once', async (t) => {
      const app = await openidApp(running, world)
      const requested = { scope: 'openid', organization_id: acme }
      const { visitor } = await currentCode(running, app, ana, requested)
      const challenge = { code_challenge: challengeOf(newVerifier()) }
      const pageFor = (acr_values: string) =>
        visitor.get(authorizeUrl(issuer, app, { ...requested, ...challenge, acr_values }))
      for (const met of [passwordClass, `phr ${passwordClass}`, 'unknown', '1 2', '0'])
        t.ok((await pageFor(met)).left?.searchParams.get('code'), met)
      const silent = await silently(visitor, app, { ...challenge, acr_values: 'phr' })
      t.ok(silent.get('code'), 'a preference does not refuse a silent request')

      const page = await pageFor('phr')
      t.equal(pageKind(page), 'sign-in')
      const done = await visitor.submit(page, { email: ana.email, password })
      t.ok(done.left?.searchParams.get('code'), 'the user has no passkey: acr says so')
      const verifier = newVerifier()
      const answer = await silently(visitor, app, { code_challenge: challengeOf(verifier) })
      const code = answer.get('code') ?? ''
      const { body } = await exchangeCode(issuer, app, { code, verifier })
      t.equal(claimsOf(body.id_token).acr, passwordClass)
    })

    t.test('a confidential OpenID app may be exempt from PKCE', async (t) => {
      const app = await openidApp(running, world, { pkce_required: false })
      const { visitor } = await currentCode(running, app, ana, {
        scope: 'openid records:create',
        organization_id: acme,
      })
      const exchange = (code: string, more: Record<string, string> = {}) =>
        post(`${issuer}/api/oauth/token`, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: app.redirect_uri,
          client_id: app.client_id,
          client_secret: app.client_secret,
          ...more,
        })
      const plain = async () => (await silently(visitor, app, {})).get('code') ?? ''
      const { status, body } = await exchange(await plain())
      t.equal(status, 200)
      t.equal(claimsOf(body.id_token).sub, ana.id)

      const injected = await exchange(await plain(), { code_verifier: newVerifier() })
      t.match(injected, { status: 400, body: { error: 'invalid_grant' } }, 'RFC 9700 §4.8.2')
      const [bound] = await codes(visitor, app, 1)
      const missing = await exchange(bound?.code ?? '')
      t.match(missing, { status: 400, body: { error: 'invalid_grant' } })
      const right = await exchange(bound?.code ?? '', { code_verifier: bound?.verifier ?? '' })
      t.equal(right.status, 200, 'a refused request consumes nothing')

      const pushed = await post(`${issuer}/api/oauth/par`, {
        client_id: app.client_id,
        client_secret: app.client_secret,
        redirect_uri: app.redirect_uri,
        response_type: 'code',
        scope: 'openid',
        prompt: 'none',
      })
      t.equal(pushed.status, 201)
      const request = { client_id: app.client_id, request_uri: pushed.body.request_uri }
      const left = await visitor.fetch(`${issuer}/authorize?${new URLSearchParams(request)}`)
      const code = new URL(left.headers.get('location') ?? '', issuer).searchParams.get('code')
      t.equal((await exchange(code ?? '')).status, 200, 'a pushed request too')

      const late = await plain()
      await change(app, { pkce_required: true })
      const refused = await exchange(late)
      t.match(refused, { status: 400, body: { error: 'invalid_request' } }, 'no longer exempt')
      const verified = await exchange(late, { code_verifier: newVerifier() })
      t.match(verified, { status: 400, body: { error: 'invalid_grant' } })
      t.equal((await silently(visitor, app, {})).get('error'), 'invalid_request')
    })

    t.test('PKC-13 an exemption from PKCE covers OpenID requests only', async (t) => {
      const app = await openidApp(running, world, { pkce_required: false })
      const visitor = await signedIn(issuer, ana)
      await currentCode(running, app, ana, { scope: 'openid', organization_id: acme }, visitor)
      for (const parameters of [
        { scope: 'records:create' },
        { scope: 'records:create', nonce: 'n' },
        { scope: '' },
        { scope: 'openid2' },
        { code_challenge: 'short' },
        { code_challenge: 'A'.repeat(43), code_challenge_method: 'plain' },
        { code_challenge_method: 'S256' },
        { requested_scope: 'openid', scope: 'records:create' },
      ]) {
        const answer = await silently(visitor, app, parameters)
        t.equal(answer.get('error'), 'invalid_request', JSON.stringify(parameters))
      }
      const other = await openidApp(running, world, { name: 'Not exempt' })
      t.equal((await silently(visitor, other, {})).get('error'), 'invalid_request')

      for (const part of [{ openid: false }, { client_type: 'public' }])
        t.match(await change(app, part), {
          status: 400,
          body: { errors: [{ pointer: '/pkce_required' }] },
        })
      t.equal((await change(app, { openid: false, pkce_required: true })).status, 200)
      const [event] = await sql<{ detail: Record<string, unknown> }>(
        stores,
        `select detail from audit_events where type = 'app.created' and client_id = '${app.client_id}'`,
      )
      t.equal(event?.detail.pkce_required, false, 'the audit trail records it')
    })
  },
  { instances: 2, environment: { SIGNING_KEY_AHEAD_SECONDS: '0' } },
)
