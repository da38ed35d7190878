import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createHolder } from '../support/dpop.ts'
import {
  authorizeUrl,
  challengeOf,
  credentials,
  currentCode,
  newVerifier,
  post,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const invalidClient = { status: 401, body: { error: 'invalid_client' } }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const invalidProof = { status: 400, body: { error: 'invalid_dpop_proof' } }

const newKey = async (alg: string) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID() as string
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } }
}
type Key = Awaited<ReturnType<typeof newKey>>

await onEachBackend('demands of FAPI 2.0 under attack', async (t, { running, issuer, world }) => {
  const { acme, ana, second } = world
  const { operator } = running
  const [ecdsa, rsa, long] = [await newKey('ES256'), await newKey('RS256'), await newKey('ES384')]
  const register = async (part: object = {}) => {
    const jwks = { keys: [ecdsa.jwk, rsa.jwk, long.jwk] }
    const app = await createApp(running, { name: 'Bank', security_profile: 'fapi2', jwks, ...part })
    await install(running, acme, app)
    return app
  }
  const [app, other] = [await register(), await register({ name: 'Other bank' })]
  const holder = await createHolder()
  const [tokenUrl, parUrl] = [`${issuer}/api/oauth/token`, `${issuer}/api/oauth/par`]

  const assert = (
    by: TestApp,
    claims: object = {},
    { alg, kid, privateKey }: Key = ecdsa,
    as = alg,
  ) => {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: by.client_id, sub: by.client_id, aud: issuer, iat: now, exp: now + 60 }
    return new SignJWT({ ...all, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: as, kid })
      .sign(privateKey)
  }
  const signed = async (by: TestApp, claims: object = {}, key: Key = ecdsa, as = key.alg) => ({
    client_assertion_type,
    client_assertion: await assert(by, claims, key, as),
  })
  const parameters = (by: TestApp, verifier: string) => ({
    redirect_uri: by.redirect_uri,
    response_type: 'code',
    state: 'the-state',
    code_challenge: challengeOf(verifier),
  })
  const push = async (by: TestApp, more: Record<string, string> = {}, headers = {}) => {
    const verifier = newVerifier()
    const fields = { ...parameters(by, verifier), ...(await signed(by)), ...more }
    return { ...(await post(parUrl, fields, headers)), verifier }
  }
  /** A code of a pushed request. */
  const codeOf = async (by: TestApp, more: Record<string, string> = {}, headers = {}) => {
    const { body, verifier } = await push(by, more, headers)
    const query = { client_id: by.client_id, request_uri: body.request_uri }
    const url = `${issuer}/authorize?${new URLSearchParams(query)}`
    const { left } = await walk(createVisitor(issuer), url, { ...ana, organizationId: acme })
    return { code: left?.searchParams.get('code') ?? '', verifier }
  }
  const exchange = async (
    by: TestApp,
    { code, verifier }: { code: string; verifier: string },
    more: Record<string, string | undefined> = {},
    headers: Record<string, string> | null = null,
  ) =>
    post(
      tokenUrl,
      {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: by.redirect_uri,
        ...(await signed(by)),
        ...more,
      },
      headers ?? (await holder.posts(tokenUrl)),
    )

  t.test('FAP-01 a request that was not pushed is refused', async (t) => {
    const pushOnly = await createApp(running, {
      name: 'Pushes',
      require_pushed_authorization_requests: true,
    })
    await install(running, acme, pushOnly)
    const visitor = await signedIn(issuer, ana)
    for (const by of [app, pushOnly]) {
      const requested = { code_challenge: challengeOf(newVerifier()), organization_id: acme }
      for (const more of [
        {},
        { prompt: 'none' },
        { prompt: 'consent' },
        { request_uri: '' },
        { response_mode: 'form_post' },
      ] as Record<string, string>[]) {
        const url = authorizeUrl(issuer, by, { ...requested, ...more })
        const response = await visitor.fetch(url)
        const text = `${response.headers.get('location') ?? ''} ${await response.text()}`
        t.match(text, 'invalid_request', JSON.stringify(more))
        t.notMatch(text, /[?&]code=|name="code"/)
      }
      const body = new URLSearchParams({
        ...parameters(by, newVerifier()),
        client_id: by.client_id,
      })
      const posted = await visitor.fetch(`${issuer}/authorize`, { method: 'POST', body })
      t.match(posted.headers.get('location'), 'error=invalid_request')
    }
    const { body, status } = await post(parUrl, {
      ...parameters(pushOnly, newVerifier()),
      ...credentials(pushOnly),
    })
    t.equal(status, 201, 'its secret is good for a pushed request')
    const query = { client_id: pushOnly.client_id, request_uri: body.request_uri }
    const pushed = await walk(visitor, `${issuer}/authorize?${new URLSearchParams(query)}`, ana)
    t.ok(pushed.left?.searchParams.get('code'))
    // A decision of the user does not carry over to a request that was not pushed.
    const silent = authorizeUrl(issuer, pushOnly, { code_challenge: challengeOf(newVerifier()) })
    const answer = await visitor.fetch(silent)
    t.match(answer.headers.get('location'), 'error=invalid_request')
  })

  t.test(
    'FAP-02 parameters beside request_uri and foreign request_uris change nothing',
    async (t) => {
      const { body } = await push(app, { prompt: 'none' })
      const visitor = await signedIn(issuer, ana)
      const use = (client_id: string, more: Record<string, string> = {}) =>
        visitor.fetch(
          `${issuer}/authorize?${new URLSearchParams({ client_id, request_uri: body.request_uri, ...more })}`,
        )
      const foreign = await use(other.client_id)
      t.notMatch(foreign.headers.get('location') ?? '', /code=/)
      const mixed = await use(app.client_id, {
        redirect_uri: 'https://evil.example/cb',
        state: 'another',
        response_mode: 'web_message',
      })
      const location = mixed.headers.get('location') ?? ''
      t.match(location, /^https:\/\/app\.example\/cb/)
      t.match(location, 'state=the-state')
      for (const request_uri of ['https://evil.example/r', 'urn:ietf:params:oauth:request_uri:x']) {
        const query = new URLSearchParams({ ...parameters(app, newVerifier()), request_uri })
        const made = await visitor.fetch(`${issuer}/authorize?client_id=${app.client_id}&${query}`)
        t.notMatch(made.headers.get('location') ?? '', /code=/)
      }
      const framed = { response_mode: 'web_message', platform_origin: 'https://app.example' }
      t.match(await push(app, framed), { status: 400, body: { error: 'invalid_request' } })
    },
  )

  t.test('FAP-03 only private_key_jwt for this issuer authenticates the client', async (t) => {
    t.equal((await push(app)).status, 201)
    const basic = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')
    const form = parameters(app, newVerifier())
    t.match(await post(parUrl, { ...form, ...credentials(app) }), invalidClient, 'post')
    t.match(await post(parUrl, form, { authorization: `Basic ${basic}` }), invalidClient, 'Basic')
    t.match(await post(parUrl, { ...form, client_id: app.client_id }), invalidClient, 'none')
    const token = { grant_type: 'client_credentials', organization_id: acme }
    const proven = await holder.posts(tokenUrl)
    t.match(await post(tokenUrl, { ...token, ...credentials(app) }, proven), invalidClient)
    const revoke = { token: 'x', ...credentials(app) }
    t.match(await post(`${issuer}/api/oauth/revoke`, revoke), invalidClient)

    for (const aud of [
      [issuer],
      [issuer, 'https://other.example'],
      tokenUrl,
      parUrl,
      `${issuer}/`,
      'https://other.example',
      [],
      undefined,
    ])
      t.match(await push(app, await signed(app, { aud })), invalidClient, JSON.stringify(aud))
    t.match(await push(app, await signed(app, {}, rsa)), invalidClient, 'RS256')
    t.match(await push(app, await signed(app, {}, long)), invalidClient, 'ES384')
    const pss = await generateKeyPair('PS256', { extractable: true })
    const jwk = { ...(await exportJWK(pss.publicKey)), kid: 'pss' }
    const withPss = await register({ jwks: { keys: [jwk] } })
    const key = { alg: 'PS256', kid: 'pss', privateKey: pss.privateKey, jwk }
    t.equal((await push(withPss, await signed(withPss, {}, key))).status, 201)
    t.match(
      await push(app, { client_id: app.client_id, ...(await signed(other)) }),
      invalidClient,
      'of another client',
    )
    const unaffected = await post(parUrl, {
      ...parameters(second, newVerifier()),
      ...credentials(second),
    })
    t.equal(unaffected.status, 201, 'other apps keep their secret')
  })

  t.test('FAP-04 each token request needs a proof, with an allowed algorithm', async (t) => {
    const grant = await codeOf(app)
    t.match(await exchange(app, grant, {}, {}), invalidProof, 'no proof')
    for (const alg of ['RS256', 'ES384']) {
      const weak = await createHolder(alg)
      t.match(await exchange(app, grant, {}, await weak.posts(tokenUrl)), invalidProof, alg)
      t.match(await push(app, {}, await weak.posts(parUrl)), invalidProof, `${alg} at PAR`)
    }
    const { status, body } = await exchange(app, grant)
    t.equal(status, 200, 'refused requests consumed nothing')
    t.equal(body.token_type, 'DPoP')
    const bearer = await fetch(`${issuer}/userinfo`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    t.equal(bearer.status, 401, 'its token is no bearer token')
    const renewal = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const without = await post(tokenUrl, { ...renewal, ...(await signed(app)) })
    t.match(without, invalidProof)
    const own = { grant_type: 'client_credentials', organization_id: acme }
    t.match(await post(tokenUrl, { ...own, ...(await signed(app)) }), invalidProof)
  })

  t.test('FAP-05 a code is bound to its verifier, key and client', async (t) => {
    const grant = await codeOf(app, {}, await holder.posts(parUrl))
    const missing = await exchange(app, grant, { code_verifier: undefined })
    t.match(missing, invalidGrant, 'FAPI 2.0: invalid_grant')
    t.match(await exchange(app, { ...grant, verifier: newVerifier() }), invalidGrant)
    const thief = await createHolder()
    t.match(await exchange(app, grant, {}, await thief.posts(tokenUrl)), invalidGrant)
    t.match(await exchange(other, grant, { redirect_uri: app.redirect_uri }), invalidGrant)
    t.equal((await exchange(app, grant)).status, 200)
    const noChallenge = await push(app, { code_challenge: '' })
    t.match(noChallenge, { status: 400, body: { error: 'invalid_request' } })
    const plain = await push(app, { code_challenge_method: 'plain' })
    t.match(plain, { status: 400, body: { error: 'invalid_request' } })
  })

  t.test('FAP-06 no other setting weakens the profile', async (t) => {
    const path = `/apps/${app.client_id}`
    const weaker: [object, string][] = [
      [{ client_type: 'public' }, '/security_profile'],
      [{ jwks: null }, '/jwks'],
      [{ redirect_uris: ['https://app.example/cb', 'http://127.0.0.1/cb'] }, '/redirect_uris/1'],
      [{ openid: true, pkce_required: false }, '/pkce_required'],
      [{ id_token_signed_response_alg: 'RS256' }, '/id_token_signed_response_alg'],
      [{ device_flow: true }, '/device_flow'],
      [{ retry_window_seconds: 0 }, '/retry_window_seconds'],
    ]
    for (const [part, pointer] of weaker) {
      const { status, body } = await operator('PATCH', path, part)
      t.equal(status, 400, pointer)
      t.ok(
        body.errors.some((one: { pointer: string }) => one.pointer === pointer),
        pointer,
      )
    }
    const off = { require_pushed_authorization_requests: false, dpop_bound_access_tokens: false }
    t.equal((await operator('PATCH', path, off)).status, 200)
    const { code } = await currentCode(running, app, ana).catch(() => ({ code: null }))
    t.equal(code, null, 'still only pushed requests')
    t.match(await exchange(app, await codeOf(app), {}, {}), invalidProof, 'still only with DPoP')

    const late = await createApp(running, { name: 'Later', jwks: { keys: [ecdsa.jwk] } })
    const changed = await operator('PATCH', `/apps/${late.client_id}`, {
      security_profile: 'fapi2',
    })
    t.match(changed, { status: 200, body: { retry_window_seconds: 60 } })
    const legacy = await operator('POST', '/apps', {
      name: 'Old',
      interface: 'legacy',
      client_type: 'confidential',
      redirect_uris: ['https://app.example/cb'],
      permissions: [],
      security_profile: 'fapi2',
      require_pushed_authorization_requests: true,
    })
    t.equal(legacy.status, 400)
  })
})
