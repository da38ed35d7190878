// openid-client 6, used as its documentation shows.
import * as client from 'openid-client'
import type { Test } from 'tap'
import { claimsOf } from '../../support/flows.ts'
import type { Running } from '../../support/latchkey.ts'
import { aliasEnvironment, createMovedApps, oldTokenPath } from '../../support/moved-apps.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  type TestApp,
  type World,
} from '../../support/world.ts'
import { callbackOf, postedCallbackOf, refusalOf } from './person.ts'

const overHttp: client.DiscoveryRequestOptions = {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
}

const discover = ({ issuer }: Running, app: TestApp, authentication: client.ClientAuth) =>
  client.discovery(new URL(issuer), app.client_id, undefined, authentication, overHttp)

type BuildUrl = (
  config: client.Configuration,
  parameters: Record<string, string>,
) => URL | Promise<URL>

/** Starts an authorization: the URL for the user, and the checks for the response. */
const begin = async (
  config: client.Configuration,
  app: TestApp,
  more: Record<string, string> = {},
  build: BuildUrl = client.buildAuthorizationUrl,
) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = await build(config, {
    redirect_uri: app.redirect_uri,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...more,
  })
  return { url, checks: { pkceCodeVerifier, expectedState } }
}

/** Code, tokens, refresh: the flow of every app on the current interface. */
const codeFlow = async (t: Test, config: client.Configuration, app: TestApp, world: World) => {
  const { url, checks } = await begin(config, app)
  const left = await callbackOf(url, world.ana)
  const tokens = await client.authorizationCodeGrant(config, left, checks)
  t.equal(tokens.token_type, 'bearer')
  t.equal(tokens.expires_in, 3600)
  t.equal(tokens.scope, currentPermissions.join(' '))
  t.equal(tokens.organization_id, world.acme)
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  t.ok(next.refresh_token)
  t.not(next.refresh_token, tokens.refresh_token)
  const narrow = await client.refreshTokenGrant(config, next.refresh_token ?? '', {
    scope: 'records:create',
    workspace_ids: world.sales,
  })
  t.equal(narrow.scope, 'records:create')
  t.same(narrow.workspace_ids, [world.sales])
}

const ofTheAppItself = async (t: Test, config: client.Configuration, { acme }: World) => {
  const tokens = await client.clientCredentialsGrant(config, { organization_id: acme })
  t.equal(tokens.organization_id, acme)
  t.notOk(tokens.refresh_token)
  t.match(claimsOf(tokens.access_token), { kind: 'install' })
}

/** An app with a key of its own; `key` signs its assertions. */
const appWithKey = async (running: Running, world: World, alg: string) => {
  const pair = await client.randomDPoPKeyPair(alg, { extractable: true })
  const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const app = await createApp(running, {
    name: `Signs with ${alg}`,
    jwks: { keys: [{ ...jwk, key_ops: ['verify'], alg, kid: 'one' }] },
  })
  await install(running, world.acme, app)
  return { app, authentication: client.PrivateKeyJwt({ key: pair.privateKey, kid: 'one' }) }
}

const test: Parameters<typeof onEachBackend>[1] = async (t, { running, issuer, world }) => {
  const { confidential, publicApp, legacy, ana } = world

  const methods = {
    client_secret_post: client.ClientSecretPost,
    client_secret_basic: client.ClientSecretBasic,
  }
  for (const [name, method] of Object.entries(methods)) {
    t.test(name, async (t) => {
      const config = await discover(running, confidential, method(confidential.client_secret))
      t.equal(config.serverMetadata().issuer, issuer)
      await codeFlow(t, config, confidential, world)
      await ofTheAppItself(t, config, world)
    })
  }

  for (const alg of ['RS256', 'PS256', 'ES256', 'Ed25519']) {
    t.test(`private_key_jwt, ${alg}`, async (t) => {
      const { app, authentication } = await appWithKey(running, world, alg)
      const config = await discover(running, app, authentication)
      await codeFlow(t, config, app, world)
      await ofTheAppItself(t, config, world)
      const pushed = await begin(config, app, {}, client.buildAuthorizationUrlWithPAR)
      const left = await callbackOf(pushed.url, ana)
      t.ok(await client.authorizationCodeGrant(config, left, pushed.checks))
    })
  }

  t.test('none: a public client', async (t) => {
    const config = await discover(running, publicApp, client.None())
    await codeFlow(t, config, publicApp, world)
    const pushed = await begin(config, publicApp, {}, client.buildAuthorizationUrlWithPAR)
    const left = await callbackOf(pushed.url, ana)
    t.ok(await client.authorizationCodeGrant(config, left, pushed.checks))
    t.match(await refusalOf(ofTheAppItself(t, config, world)), { error: 'unauthorized_client' })
  })

  t.test('DPoP: a public client whose tokens need its key', async (t) => {
    const config = await discover(running, publicApp, client.None())
    const pair = await client.randomDPoPKeyPair('ES256')
    const DPoP = client.getDPoPHandle(config, pair)
    const jkt = await DPoP.calculateThumbprint()
    const pushing: BuildUrl = (with_, parameters) =>
      client.buildAuthorizationUrlWithPAR(with_, parameters, { DPoP })
    const builds = [
      [{}, client.buildAuthorizationUrl],
      [{ dpop_jkt: jkt }, client.buildAuthorizationUrl],
      [{}, pushing],
    ] as const
    for (const [more, build] of builds) {
      const { url, checks } = await begin(config, publicApp, more, build)
      const left = await callbackOf(url, ana)
      const tokens = await client.authorizationCodeGrant(config, left, checks, undefined, { DPoP })
      t.equal(tokens.token_type, 'dpop')
      t.match(claimsOf(tokens.access_token), { cnf: { jkt } })
      const token = tokens.refresh_token ?? ''
      const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('EdDSA'))
      const stolen = client.refreshTokenGrant(config, token, undefined, { DPoP: other })
      t.match(await refusalOf(stolen), { error: 'invalid_grant' })
      const bare = await refusalOf(client.refreshTokenGrant(config, token))
      t.match(bare, { error: 'invalid_dpop_proof' })
      const next = await client.refreshTokenGrant(config, token, undefined, { DPoP })
      t.match(next, { token_type: 'dpop' })
      t.not(next.refresh_token, token)
    }
  })

  t.test('DPoP: a confidential client with a wrong clock', async (t) => {
    const { client_secret } = confidential
    const config = await discover(running, confidential, client.ClientSecretBasic(client_secret))
    const pair = await client.randomDPoPKeyPair('PS256')
    const DPoP = client.getDPoPHandle(config, pair)
    const own = () =>
      client.clientCredentialsGrant(config, { organization_id: world.acme }, { DPoP })
    t.equal((await own()).token_type, 'dpop')
    const answered: (string | null)[] = []
    const late = new client.Configuration(config.serverMetadata(), confidential.client_id, {
      client_secret,
      [client.clockSkew]: -3600,
    })
    client.allowInsecureRequests(late)
    late[client.customFetch] = async (...request) => {
      const response = await fetch(...(request as Parameters<typeof fetch>))
      answered.push(response.headers.get('dpop-nonce'))
      return response
    }
    const lateDPoP = client.getDPoPHandle(late, pair)
    const ask = () =>
      client.clientCredentialsGrant(late, { organization_id: world.acme }, { DPoP: lateDPoP })
    t.equal((await ask()).token_type, 'dpop', 'an hour behind')
    t.equal(answered.length, 2, 'repeated with a nonce')
    t.equal((await ask()).token_type, 'dpop')
    t.equal(answered.length, 3, 'the next request needs no repetition')
  })

  t.test('a pushed request puts no parameters in the URL', async (t) => {
    const config = await discover(
      running,
      confidential,
      client.ClientSecretBasic(confidential.client_secret),
    )
    const requested = { scope: 'records:create', workspace_ids: world.sales }
    const { url, checks } = await begin(
      config,
      confidential,
      requested,
      client.buildAuthorizationUrlWithPAR,
    )
    t.same([...url.searchParams.keys()].sort(), ['client_id', 'request_uri'])
    const left = await callbackOf(url, ana)
    const tokens = await client.authorizationCodeGrant(config, left, checks)
    t.match(tokens, { scope: 'records:create', workspace_ids: [world.sales] })
  })

  t.test('form_post returns the response in a body', async (t) => {
    const config = await discover(
      running,
      confidential,
      client.ClientSecretPost(confidential.client_secret),
    )
    const { url, checks } = await begin(config, confidential, { response_mode: 'form_post' })
    const posted = await postedCallbackOf(url, ana)
    t.equal(posted.url, confidential.redirect_uri)
    t.ok(await client.authorizationCodeGrant(config, posted, checks))
  })

  t.test('the library rejects a wrong or missing issuer and a wrong state', async (t) => {
    const config = await discover(
      running,
      confidential,
      client.ClientSecretPost(confidential.client_secret),
    )
    const { url, checks } = await begin(config, confidential)
    const left = await callbackOf(url, ana)
    const changed = (change: (query: URLSearchParams) => void) => {
      const other = new URL(left)
      change(other.searchParams)
      return client.authorizationCodeGrant(config, other, checks)
    }
    await t.rejects(
      changed((query) => query.set('iss', 'https://evil.example')),
      'RFC 9207',
    )
    await t.rejects(
      changed((query) => query.delete('iss')),
      'the metadata promises iss',
    )
    await t.rejects(changed((query) => query.set('state', 'x')))
    t.ok(await client.authorizationCodeGrant(config, left, checks), 'nothing was consumed')
  })

  t.test('the library reports the error code of a refusal', async (t) => {
    const config = await discover(
      running,
      confidential,
      client.ClientSecretPost(confidential.client_secret),
    )
    const { url, checks } = await begin(config, confidential, { prompt: 'consent' })
    const left = await callbackOf(url, { ...ana, decision: 'deny' })
    t.match(await refusalOf(client.authorizationCodeGrant(config, left, checks)), {
      error: 'access_denied',
    })
    t.match(await refusalOf(client.refreshTokenGrant(config, 'lkrt_nothing')), {
      error: 'invalid_grant',
      status: 400,
    })
    const wrong = await discover(running, confidential, client.ClientSecretBasic('wrong'))
    t.match(
      await refusalOf(client.clientCredentialsGrant(wrong, { organization_id: world.acme })),
      {
        code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
        status: 401,
      },
    )
  })

  t.test('the legacy interface works with handwritten metadata', async (t) => {
    const config = new client.Configuration(
      {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/api/oauth/access_token`,
      },
      legacy.client_id,
      legacy.client_secret,
    )
    client.allowInsecureRequests(config)
    const expectedState = client.randomState()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: legacy.redirect_uri,
      state: expectedState,
    })
    const left = await callbackOf(url, ana)
    const tokens = await client.authorizationCodeGrant(config, left, { expectedState })
    t.equal(tokens.expires_in, 7200)
    t.equal(tokens.scope, legacyPermissions.join(' '))
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    t.ok(next.refresh_token)

    const proven = await begin(config, legacy)
    const again = await callbackOf(proven.url, ana)
    t.ok(
      await client.authorizationCodeGrant(config, again, proven.checks),
      'PKCE, although not required',
    )
  })

  t.test('an app of an earlier server keeps its token, secret and path', async (t) => {
    for (const { app, refresh_token, permissions, seconds } of await createMovedApps(
      issuer,
      world,
    )) {
      const metadata = { issuer, token_endpoint: `${issuer}${oldTokenPath}` }
      const config = new client.Configuration(metadata, app.client_id, app.client_secret)
      client.allowInsecureRequests(config)
      const tokens = await client.refreshTokenGrant(config, refresh_token)
      t.match(tokens, { scope: permissions.join(' '), expires_in: seconds })
      t.ok(await client.refreshTokenGrant(config, tokens.refresh_token ?? ''))
      const again = await refusalOf(client.refreshTokenGrant(config, refresh_token))
      t.match(again, { error: 'invalid_grant' })
    }
  })
}

await onEachBackend('openid-client', test, { environment: aliasEnvironment })
