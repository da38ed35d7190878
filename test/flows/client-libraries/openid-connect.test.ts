// Nightly, and when src/http/current changes: two libraries walk these flows by day.
// OpenID Connect with openid-client 6 and oauth4webapi 3, as their documentation shows: discovery,
// code flow with PKCE, ID token, userinfo, refresh, sign-out. The libraries know only the issuer
// and the client.
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import type { Test } from 'tap'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { openidApp } from '../../support/openid.ts'
import { createVisitor, walk } from '../../support/visitor.ts'
import { currentPermissions, type TestApp, type World } from '../../support/world.ts'
import { callbackOf, postedCallbackOf, refusalOf } from './person.ts'

const signedOut = { post_logout_redirect_uris: ['https://app.example/signed-out'] }
const scope = 'openid profile email'

const discover = (issuer: string, app: TestApp, authentication?: client.ClientAuth) =>
  client.discovery(new URL(issuer), app.client_id, app.client_secret, authentication, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  })

/** The URL for the user, and the checks for the response. */
const begin = async (app: TestApp, more: Record<string, string> = {}) => {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  }
  const parameters = {
    redirect_uri: app.redirect_uri,
    scope,
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  }
  return { parameters, checks }
}

/** An app signs a user in and reads the claims. */
const signIn = async (
  t: Test,
  config: client.Configuration,
  app: TestApp,
  { ana, acme }: World,
) => {
  const { parameters, checks } = await begin(app)
  const left = await callbackOf(client.buildAuthorizationUrl(config, parameters), ana)
  const tokens = await client.authorizationCodeGrant(config, left, checks)
  const claims = tokens.claims()
  t.match(claims, { sub: ana.id, organization_id: acme, amr: ['pwd'] })
  t.equal(tokens.scope, scope)
  const person = await client.fetchUserInfo(config, tokens.access_token, ana.id)
  t.match(person, { sub: ana.id, email: ana.email, email_verified: false, name: String })
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  t.equal(next.claims()?.sub, ana.id, 'again after a refresh')
  t.ok(await client.fetchUserInfo(config, next.access_token, ana.id))
  return next
}

await onEachBackend('OpenID Connect libraries', async (t, { running, issuer, world }) => {
  const { ana, kim } = world
  const confidential = await openidApp(running, world, { name: 'Wiki', ...signedOut })
  const publicApp = await openidApp(running, world, {
    name: 'Pocket wiki',
    client_type: 'public',
    redirect_uris: ['https://wiki.example/cb'],
  })

  t.test('openid-client: a confidential client signs a user in', async (t) => {
    const config = await discover(issuer, confidential)
    t.equal(config.serverMetadata().issuer, issuer)
    await signIn(t, config, confidential, world)
    for (const method of [client.ClientSecretPost, client.ClientSecretBasic]) {
      const by = await discover(issuer, confidential, method(confidential.client_secret))
      await signIn(t, by, confidential, world)
    }
  })

  t.test('openid-client: a public client signs a user in with PKCE', async (t) => {
    const config = await discover(issuer, publicApp, client.None())
    await signIn(t, config, publicApp, world)
  })

  t.test('openid-client: asks for permissions together with identity', async (t) => {
    const config = await discover(issuer, confidential)
    const requested = { scope: [scope, ...currentPermissions].join(' ') }
    const { parameters, checks } = await begin(confidential, requested)
    const left = await callbackOf(client.buildAuthorizationUrl(config, parameters), ana)
    const tokens = await client.authorizationCodeGrant(config, left, checks)
    t.equal(tokens.scope, requested.scope)
  })

  t.test('openid-client: sends a pushed request and reads a form_post response', async (t) => {
    const config = await discover(issuer, confidential)
    const pushed = await begin(confidential)
    const url = await client.buildAuthorizationUrlWithPAR(config, pushed.parameters)
    const left = await callbackOf(url, ana)
    t.ok((await client.authorizationCodeGrant(config, left, pushed.checks)).claims())
    const posted = await begin(confidential, { response_mode: 'form_post' })
    const request = await postedCallbackOf(
      client.buildAuthorizationUrl(config, posted.parameters),
      ana,
    )
    t.ok((await client.authorizationCodeGrant(config, request, posted.checks)).claims())
  })

  t.test('openid-client: asks with max_age and with prompt=none', async (t) => {
    const config = await discover(issuer, confidential)
    const visitor = createVisitor(issuer)
    const first = await begin(confidential, { max_age: '100' })
    const url = client.buildAuthorizationUrl(config, first.parameters)
    const { left } = await walk(visitor, url, ana)
    const checks = { ...first.checks, maxAge: 100 }
    const tokens = await client.authorizationCodeGrant(config, left as URL, checks)
    t.type(tokens.claims()?.auth_time, 'number')

    const hint = { id_token_hint: tokens.id_token ?? '', prompt: 'none' }
    const silent = await begin(confidential, hint)
    const again = await visitor.get(client.buildAuthorizationUrl(config, silent.parameters))
    t.ok(await client.authorizationCodeGrant(config, again.left as URL, silent.checks))

    const stranger = createVisitor(issuer)
    const refused = await begin(confidential, { prompt: 'none' })
    const back = await stranger.get(client.buildAuthorizationUrl(config, refused.parameters))
    t.match(
      await refusalOf(client.authorizationCodeGrant(config, back.left as URL, refused.checks)),
      { error: 'login_required' },
    )
  })

  t.test('openid-client: rejects a foreign nonce and foreign userinfo', async (t) => {
    const config = await discover(issuer, confidential)
    const { parameters, checks } = await begin(confidential)
    const left = await callbackOf(client.buildAuthorizationUrl(config, parameters), ana)
    const wrong = { ...checks, expectedNonce: 'another' }
    await t.rejects(
      client.authorizationCodeGrant(config, left, wrong),
      'a nonce of another request',
    )
    const tokens = await signIn(t, config, confidential, world)
    await t.rejects(
      client.fetchUserInfo(config, tokens.access_token, kim.id),
      'another user’s userinfo',
    )
    t.match(await refusalOf(client.fetchUserInfo(config, 'x', ana.id)), {
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
    })
  })

  t.test('openid-client: signs the user out', async (t) => {
    const config = await discover(issuer, confidential)
    const visitor = createVisitor(issuer)
    const { parameters, checks } = await begin(confidential)
    const { left } = await walk(visitor, client.buildAuthorizationUrl(config, parameters), ana)
    const tokens = await client.authorizationCodeGrant(config, left as URL, checks)
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://app.example/signed-out',
      state: 'done',
    })
    const out = await visitor.get(url)
    t.equal(out.left?.href, 'https://app.example/signed-out?state=done')
    t.equal((await visitor.get('/account/apps')).url.pathname, '/login')
  })

  t.test('oauth4webapi: signs a user in step by step', async (t) => {
    const overHttp = { [oauth.allowInsecureRequests]: true }
    const url = new URL(issuer)
    const found = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...overHttp })
    const as = await oauth.processDiscoveryResponse(url, found)
    for (const [app, authentication] of [
      [confidential, oauth.ClientSecretBasic(confidential.client_secret)],
      [publicApp, oauth.None()],
    ] as const) {
      const own: oauth.Client = { client_id: app.client_id, require_auth_time: true }
      const [verifier, state, nonce] = [
        oauth.generateRandomCodeVerifier(),
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
      ]
      const parameters = new URLSearchParams({
        client_id: app.client_id,
        redirect_uri: app.redirect_uri,
        response_type: 'code',
        scope,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        max_age: '300',
      })
      const left = await callbackOf(`${as.authorization_endpoint}?${parameters}`, ana)
      const answer = oauth.validateAuthResponse(as, own, left, state)
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        own,
        authentication,
        answer,
        app.redirect_uri,
        verifier,
        overHttp,
      )
      const signed = response.clone()
      const tokens = await oauth.processAuthorizationCodeResponse(as, own, response, {
        expectedNonce: nonce,
        maxAge: 300,
        requireIdToken: true,
      })
      await oauth.processAuthorizationCodeResponse(as, own, signed, { expectedNonce: nonce })
      await oauth.validateApplicationLevelSignature(as, signed, overHttp)
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      t.equal(claims?.sub, ana.id)
      const told = await oauth.userInfoRequest(as, own, tokens.access_token, overHttp)
      const person = await oauth.processUserInfoResponse(as, own, ana.id, told)
      t.match(person, { sub: ana.id, email: ana.email })
      const next = await oauth.processRefreshTokenResponse(
        as,
        own,
        await oauth.refreshTokenGrantRequest(
          as,
          own,
          authentication,
          tokens.refresh_token ?? '',
          overHttp,
        ),
      )
      t.equal(oauth.getValidatedIdTokenClaims(next)?.sub, ana.id)
    }
  })
})
