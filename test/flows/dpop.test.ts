/** Key-bound tokens (RFC 9449) from the view of an app, a data API and other parties. */
import { createHolder, getWithProof, hashOf } from '../support/dpop.ts'
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { createSuccessor, legacyTokens } from '../support/migration.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp } from '../support/openid.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'

await onEachBackend('DPoP', async (t, { running, issuer, world, stores }) => {
  const { publicApp, confidential, ana, acme } = world
  const tokenUrl = `${issuer}/api/oauth/token`
  const holder = await createHolder()
  const { jkt } = holder
  const proven = () => holder.posts(tokenUrl)
  const dataApi = await registerResourceServer(running)
  const introspect = async (token: string) => (await introspectAt(issuer, dataApi, token)).body
  const inspect = async (token: string): Promise<Json> =>
    (await running.operator('POST', '/tokens/inspect', { token })).body.token

  const ofTheApp = (headers: Record<string, string>) => {
    const { client_id, client_secret } = confidential
    const form = { grant_type: 'client_credentials', organization_id: acme }
    return post(tokenUrl, { ...form, client_id, client_secret }, headers)
  }

  t.test('a public client gets bound tokens, and introspection reports the key', async (t) => {
    const grant = await currentCode(running, publicApp, ana)
    const first = (await exchangeCode(issuer, publicApp, grant, {}, await proven())).body
    t.match(first, { token_type: 'DPoP', expires_in: 3600 })
    t.same(claimsOf(first.access_token).cnf, { jkt })
    const next = await refresh(issuer, publicApp, first.refresh_token, {}, await proven())
    t.match(next, { status: 200, body: { token_type: 'DPoP' } })
    for (const token of [next.body.access_token, next.body.refresh_token]) {
      t.match(await introspect(token), { active: true, cnf: { jkt } })
      t.match(await inspect(token), { key_thumbprint: jkt })
    }
    t.equal((await introspect(next.body.access_token)).token_type, 'DPoP')
    const rows = await sql<{ dpop_jkt: string }>(
      stores,
      'select dpop_jkt from grants where dpop_jkt is not null',
    )
    t.same(rows, [{ dpop_jkt: jkt }], 'only a thumbprint is stored')
  })

  t.test('without a proof nothing changes', async (t) => {
    const grant = await currentCode(running, publicApp, ana)
    const { body } = await exchangeCode(issuer, publicApp, grant)
    t.equal(body.token_type, 'Bearer')
    t.notOk('cnf' in claimsOf(body.access_token))
    const told = await introspect(body.access_token)
    t.equal(told.token_type, 'Bearer')
    t.notOk('cnf' in told)
    t.match(await inspect(body.access_token), { key_thumbprint: null })
    // A family that began without a key stays so: otherwise the first holder could bind it and shut
    // the other out.
    const bound = await refresh(issuer, publicApp, body.refresh_token, {}, await proven())
    t.match(bound, { status: 200, body: { token_type: 'DPoP' } })
    t.same(claimsOf(bound.body.access_token).cnf, { jkt })
    const last = await refresh(issuer, publicApp, bound.body.refresh_token)
    t.match(last, { status: 200, body: { token_type: 'Bearer' } })
  })

  t.test('a confidential client has bound access tokens and unbound refresh tokens', async (t) => {
    const own = await ofTheApp(await proven())
    t.match(own, { status: 200, body: { token_type: 'DPoP' } })
    t.match(await introspect(own.body.access_token), {
      active: true,
      kind: 'install',
      cnf: { jkt },
    })
    t.equal((await clientCredentials(issuer, confidential, acme)).body.token_type, 'Bearer')
    const grant = await currentCode(running, confidential, ana)
    const { body } = await exchangeCode(issuer, confidential, grant, {}, await proven())
    t.equal(body.token_type, 'DPoP')
    const next = await refresh(issuer, confidential, body.refresh_token)
    t.match(next, { status: 200, body: { token_type: 'Bearer' } })
  })

  t.test('accepts each algorithm in the metadata', async (t) => {
    const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    const { dpop_signing_alg_values_supported: algs } = (await metadata.json()) as Json
    t.equal(algs.length, 6)
    for (const alg of algs) {
      const one = await createHolder(alg)
      const { status, body } = await ofTheApp(await one.posts(tokenUrl))
      t.equal(status, 200, alg)
      t.same(claimsOf(body.access_token).cnf, { jkt: one.jkt })
    }
    const large = await createHolder('PS256', 4096)
    t.equal((await ofTheApp(await large.posts(tokenUrl))).status, 200, '4096 bits')
  })

  t.test('userinfo requires a proof for a bound token', async (t) => {
    const app = await openidApp(running, world, { client_type: 'public' })
    const grant = await currentCode(running, app, ana, { scope: 'openid email' })
    const { body } = await exchangeCode(issuer, app, grant, {}, await proven())
    t.ok(body.id_token)
    const told = await getWithProof(holder, `${issuer}/userinfo`, body.access_token)
    t.match(told, { status: 200, body: { sub: ana.id, email: ana.email } })
    const none = await fetch(`${issuer}/userinfo`)
    t.match(
      none.headers.get('www-authenticate'),
      /^Bearer realm="latchkey", DPoP realm="latchkey", algs="ES256 /,
    )
  })

  t.test('a legacy token is migrated to a family that is bound from the start', async (t) => {
    const { legacyPublic } = world
    const twin = await createSuccessor(running, world, legacyPublic, { client_type: 'public' })
    const exchange = async (token: string, headers: Record<string, string>) =>
      post(
        tokenUrl,
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: token,
          subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
          client_id: twin.client_id,
        },
        headers,
      )
    const old = (await legacyTokens(running, legacyPublic, world)).refresh_token
    t.match(await exchange(old, { dpop: 'x' }), { body: { error: 'invalid_dpop_proof' } })
    const moved = await exchange(old, await proven())
    t.match(moved, { status: 200, body: { token_type: 'DPoP' } })
    const bare = await refresh(issuer, twin, moved.body.refresh_token)
    t.match(bare, { status: 400, body: { error: 'invalid_dpop_proof' } })
    const next = await refresh(issuer, twin, moved.body.refresh_token, {}, await proven())
    t.equal(next.status, 200)
    const thief = await createHolder()
    const again = await exchange(old, await thief.posts(tokenUrl))
    t.match(again, { status: 400, body: { error: 'invalid_request' } })
    const ended = await refresh(issuer, twin, next.body.refresh_token, {}, await proven())
    t.match(ended, { status: 400 }, 'one legacy token with two keys: neither family stays valid')
  })

  t.test('pages of public clients may send proofs and read nonces', async (t) => {
    const { origin } = new URL(publicApp.redirect_uri)
    for (const path of ['/api/oauth/token', '/api/oauth/par', '/userinfo']) {
      const headers = { origin, 'access-control-request-headers': 'content-type, dpop' }
      const preflight = await fetch(issuer + path, { method: 'OPTIONS', headers })
      t.match(preflight.headers.get('access-control-allow-headers'), /\bdpop\b/, path)
    }
    const grant = await currentCode(running, publicApp, ana)
    const stale = { ...(await holder.posts(tokenUrl, { iat: 0 })), origin }
    const refused = await exchangeCode(issuer, publicApp, grant, {}, stale)
    t.match(refused, { status: 400, body: { error: 'use_dpop_nonce' } })
    t.equal(refused.headers.get('access-control-allow-origin'), origin)
    t.match(refused.headers.get('access-control-expose-headers'), 'dpop-nonce')
    const nonce = refused.headers.get('dpop-nonce')
    const right = { ...(await holder.posts(tokenUrl, { iat: 0, nonce })), origin }
    const answer = await exchangeCode(issuer, publicApp, grant, {}, right)
    t.equal(answer.status, 200, 'the code was not consumed')
    t.match(answer.headers.get('access-control-expose-headers'), 'dpop-nonce')
  })

  t.test('a bound token can be revoked without its key (RFC 7009)', async (t) => {
    const grant = await currentCode(running, publicApp, ana)
    const { body } = await exchangeCode(issuer, publicApp, grant, {}, await proven())
    const { refresh_token: token } = body
    const revoked = await post(`${issuer}/api/oauth/revoke`, {
      token,
      client_id: publicApp.client_id,
    })
    t.equal(revoked.status, 200)
    t.match(await refresh(issuer, publicApp, token, {}, await proven()), {
      status: 400,
      body: { error: 'invalid_grant' },
    })
    t.match(await introspect(body.access_token), { active: false })
  })

  t.test('htu is compared as a URL, not as text', async (t) => {
    const loud = issuer.replace('http:', 'HTTP:')
    for (const url of [`${loud}/api/oauth/token?a=b#c`, `${issuer}/api/./oauth/%74oken`]) {
      const grant = await currentCode(running, publicApp, ana)
      const answer = await exchangeCode(issuer, publicApp, grant, {}, await holder.posts(url))
      t.equal(answer.status, 200, url)
    }
  })

  t.test('the operator can require DPoP for an app', async (t) => {
    const path = `/apps/${publicApp.client_id}`
    const grant = await currentCode(running, publicApp, ana)
    const { refresh_token } = (await exchangeCode(issuer, publicApp, grant)).body
    t.equal((await running.operator('GET', path)).body.dpop_bound_access_tokens, false)
    await running.operator('PATCH', path, { dpop_bound_access_tokens: true })
    const refused = await refresh(issuer, publicApp, refresh_token)
    t.match(refused, { status: 400, body: { error: 'invalid_dpop_proof' } })
    t.equal((await refresh(issuer, publicApp, refresh_token, {}, await proven())).status, 200)
    const changes = await running.operator('GET', `/audit?client_id=${publicApp.client_id}`)
    t.ok(
      changes.body.items.some(
        ({ type, detail }: Json) => type === 'app.changed' && detail.dpop_bound_access_tokens,
      ),
    )
    await running.operator('PATCH', path, { dpop_bound_access_tokens: false })
    const legacy = await running.operator('PATCH', `/apps/${world.legacy.client_id}`, {
      dpop_bound_access_tokens: true,
    })
    t.match(legacy, { status: 400, body: { errors: [{ pointer: '/dpop_bound_access_tokens' }] } })
  })

  t.test('a proof is remembered for as long as it could be replayed', async (t) => {
    const headers = await proven()
    const grant = await currentCode(running, publicApp, ana)
    await exchangeCode(issuer, publicApp, grant, {}, headers)
    if (stores.redisUrl) return
    const rows = await sql<{ life: number; key: string }>(
      stores,
      `select extract(epoch from expires_at - now())::float as life, key from records where collection = 'dpop'`,
    )
    t.ok(rows.length > 0)
    t.ok(
      rows.every(({ life }) => life <= 130),
      'and no longer',
    )
    t.notOk(rows.some(({ key }) => key === hashOf(headers.dpop)))
  })
})
