// oauth4webapi 3, step by step.
import * as oauth from 'oauth4webapi'
import type { Test } from 'tap'
import type { Running } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { openidApp } from '../../support/openid.ts'
import {
  createApp,
  currentPermissions,
  install,
  type TestApp,
  type World,
} from '../../support/world.ts'
import { callbackOf, refusalOf } from './person.ts'

const overHttp = { [oauth.allowInsecureRequests]: true }

interface Party {
  as: oauth.AuthorizationServer
  client: oauth.Client
  authentication: oauth.ClientAuth
  app: TestApp
}

const party = async (
  { issuer }: Running,
  app: TestApp,
  authentication: oauth.ClientAuth,
): Promise<Party> => {
  const url = new URL(issuer)
  const found = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...overHttp })
  const as = await oauth.processDiscoveryResponse(url, found)
  return { as, client: { client_id: app.client_id }, authentication, app }
}

const begin = async ({ app }: Party) => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const parameters = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  return { verifier, state, parameters }
}

const endpoint = ({ as }: Party, parameters: URLSearchParams) =>
  `${as.authorization_endpoint}?${parameters}`

const exchange = async (
  { as, client, authentication, app }: Party,
  left: URL,
  { verifier, state }: { verifier: string; state: string },
) => {
  const answer = oauth.validateAuthResponse(as, client, left, state)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    answer,
    app.redirect_uri,
    verifier,
    overHttp,
  )
  return oauth.processAuthorizationCodeResponse(as, client, response)
}

const refresh = async ({ as, client, authentication }: Party, token: string) => {
  const response = await oauth.refreshTokenGrantRequest(as, client, authentication, token, overHttp)
  return oauth.processRefreshTokenResponse(as, client, response)
}

const ofTheAppItself = async ({ as, client, authentication }: Party, { acme }: World) => {
  const response = await oauth.clientCredentialsGrantRequest(
    as,
    client,
    authentication,
    { organization_id: acme },
    overHttp,
  )
  return oauth.processClientCredentialsResponse(as, client, response)
}

/** The data API receives a request with this token. */
const arrives = (token: string) =>
  new Request('https://api.example/records', { headers: { authorization: `Bearer ${token}` } })

const codeFlow = async (t: Test, one: Party, { ana, acme }: World) => {
  const begun = await begin(one)
  const left = await callbackOf(endpoint(one, begun.parameters), ana)
  const tokens = await exchange(one, left, begun)
  t.match(tokens, { token_type: 'bearer', expires_in: 3600, organization_id: acme })
  t.equal(tokens.scope, currentPermissions.join(' '))
  const next = await refresh(one, tokens.refresh_token ?? '')
  t.ok(next.refresh_token)
  return next
}

await onEachBackend('oauth4webapi', async (t, { running, issuer, world }) => {
  const { confidential, publicApp, ana, acme } = world
  const { client_secret: secret } = confidential

  const methods = {
    client_secret_post: oauth.ClientSecretPost,
    client_secret_basic: oauth.ClientSecretBasic,
  }
  for (const [name, method] of Object.entries(methods)) {
    t.test(name, async (t) => {
      const one = await party(running, confidential, method(secret))
      t.ok(one.as.token_endpoint_auth_methods_supported?.includes(name))
      await codeFlow(t, one, world)
      const tokens = await ofTheAppItself(one, world)
      t.equal(tokens.organization_id, acme)
      t.notOk('refresh_token' in tokens)
    })
  }

  t.test('private_key_jwt', async (t) => {
    const pair = await oauth.generateKeyPair('ES256', { extractable: true })
    const key = await crypto.subtle.exportKey('jwk', pair.publicKey)
    const app = await createApp(running, { name: 'Signer', jwks: { keys: [key] } })
    await install(running, acme, app)
    const one = await party(running, app, oauth.PrivateKeyJwt(pair.privateKey))
    await codeFlow(t, one, world)
    t.equal((await ofTheAppItself(one, world)).organization_id, acme)
  })

  t.test('none: a public client', async (t) => {
    await codeFlow(t, await party(running, publicApp, oauth.None()), world)
  })

  t.test('DPoP', async (t) => {
    const app = await openidApp(running, world, { client_type: 'public' })
    const one = await party(running, app, oauth.None())
    const { as, authentication } = one
    const client = { ...one.client, id_token_signed_response_alg: 'ES256' }
    const algs = as.dpop_signing_alg_values_supported ?? []
    t.ok(algs.includes('ES256'))
    const key = await oauth.generateKeyPair('ES256')
    const options = { ...overHttp, DPoP: oauth.DPoP(client, key) }
    const begun = await begin(one)
    begun.parameters.set('scope', 'openid email records:create')
    const pushed = await oauth.processPushedAuthorizationResponse(
      as,
      client,
      await oauth.pushedAuthorizationRequest(as, client, authentication, begun.parameters, options),
    )
    const query = new URLSearchParams({
      client_id: client.client_id,
      request_uri: pushed.request_uri,
    })
    const left = await callbackOf(endpoint(one, query), ana)
    const answer = oauth.validateAuthResponse(as, client, left, begun.state)
    const codeRequest = oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      answer,
      app.redirect_uri,
      begun.verifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, await codeRequest)
    t.equal(tokens.token_type, 'dpop')
    const token = tokens.refresh_token ?? ''
    const response = oauth.refreshTokenGrantRequest(as, client, authentication, token, options)
    const next = await oauth.processRefreshTokenResponse(as, client, await response)
    t.equal(next.token_type, 'dpop')

    const url = new URL(`${issuer}/userinfo`)
    const ask = (more: object) =>
      oauth.protectedResourceRequest(
        next.access_token,
        'GET',
        url,
        undefined,
        undefined,
        more as typeof options,
      )
    t.match(await (await ask(options)).json(), { sub: ana.id, email: ana.email })
    await t.rejects(ask(overHttp), 'refused as a bearer token')
  })

  t.test('sends a pushed authorization request', async (t) => {
    const one = await party(running, confidential, oauth.ClientSecretBasic(secret))
    const begun = await begin(one)
    const { as, client, authentication } = one
    const pushed = await oauth.processPushedAuthorizationResponse(
      as,
      client,
      await oauth.pushedAuthorizationRequest(
        as,
        client,
        authentication,
        begun.parameters,
        overHttp,
      ),
    )
    t.ok(pushed.expires_in > 0)
    const { request_uri } = pushed
    const short = new URLSearchParams({ client_id: client.client_id, request_uri })
    const left = await callbackOf(endpoint(one, short), ana)
    t.ok((await exchange(one, left, begun)).access_token)
  })

  t.test('a data API validates a JWT access token with the metadata alone', async (t) => {
    const one = await party(running, confidential, oauth.ClientSecretPost(secret))
    const { access_token: user } = await codeFlow(t, one, world)
    const claims = await oauth.validateJwtAccessToken(one.as, arrives(user), issuer, overHttp)
    t.match(claims, {
      iss: issuer,
      sub: ana.id,
      client_id: confidential.client_id,
      kind: 'user',
      organization_id: acme,
      permissions: currentPermissions,
    })
    const { access_token: own } = await ofTheAppItself(one, world)
    const forApp = await oauth.validateJwtAccessToken(one.as, arrives(own), issuer, overHttp)
    t.match(forApp, { kind: 'install', sub: confidential.client_id })

    const [head, , signature] = user.split('.')
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'usr1' })).toString('base64url')
    await t.rejects(
      oauth.validateJwtAccessToken(
        one.as,
        arrives(`${head}.${forged}.${signature}`),
        issuer,
        overHttp,
      ),
    )
    await t.rejects(
      oauth.validateJwtAccessToken(one.as, arrives(user), 'https://other.example', overHttp),
      'another audience',
    )
  })

  t.test('the library recognizes the error codes', async (t) => {
    const one = await party(running, confidential, oauth.ClientSecretPost(secret))
    t.match(await refusalOf(refresh(one, 'lkrt_nothing')), { error: 'invalid_grant' })
    const wrong = await party(running, confidential, oauth.ClientSecretPost('wrong'))
    t.match(await refusalOf(ofTheAppItself(wrong, world)), {
      error: 'invalid_client',
      status: 401,
    })
    const basic = await party(running, confidential, oauth.ClientSecretBasic('wrong'))
    t.match(await refusalOf(ofTheAppItself(basic, world)), {
      code: oauth.WWW_AUTHENTICATE_CHALLENGE,
      status: 401,
    })
  })
})
