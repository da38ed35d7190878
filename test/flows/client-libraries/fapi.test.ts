// Nightly, and when src/http/current changes: two libraries walk these flows by day.
// FAPI 2.0 Security Profile with oauth4webapi: pushed requests, private_key_jwt and DPoP.
import * as oauth from 'oauth4webapi'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { createApp, install } from '../../support/world.ts'
import { callbackOf } from './person.ts'

const overHttp = { [oauth.allowInsecureRequests]: true }

await onEachBackend('FAPI 2.0 with oauth4webapi', async (t, { running, issuer, world }) => {
  const { ana, acme } = world
  const url = new URL(issuer)
  const found = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...overHttp })
  const as = await oauth.processDiscoveryResponse(url, found)

  for (const alg of ['ES256', 'PS256', 'Ed25519']) {
    t.test(`${alg}: OpenID, plain OAuth and client credentials`, async (t) => {
      const pair = await oauth.generateKeyPair(alg, { extractable: true })
      const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
      const app = await createApp(running, {
        name: `Bank with ${alg}`,
        security_profile: 'fapi2',
        openid: true,
        jwks: { keys: [jwk] },
      })
      await install(running, acme, app)
      const { body: stored } = await running.operator('GET', `/apps/${app.client_id}`)
      t.equal(stored.retry_window_seconds, 60, 'a retry window by default')

      const client: oauth.Client = { client_id: app.client_id }
      const authentication = oauth.PrivateKeyJwt(pair.privateKey)
      const key = await oauth.generateKeyPair(alg === 'PS256' ? 'ES256' : alg)
      const options = { ...overHttp, DPoP: oauth.DPoP(client, key) }

      const signIn = async (scope: string, nonce: string | null) => {
        const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
        const parameters = new URLSearchParams({
          client_id: app.client_id,
          redirect_uri: app.redirect_uri,
          response_type: 'code',
          scope,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          ...(nonce !== null && { nonce }),
        })
        const pushed = await oauth.processPushedAuthorizationResponse(
          as,
          client,
          await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, options),
        )
        t.ok(pushed.expires_in < 600, 'FAPI 2.0 §5.3.2.2')
        const { request_uri } = pushed
        const query = new URLSearchParams({ client_id: app.client_id, request_uri })
        const left = await callbackOf(`${as.authorization_endpoint}?${query}`, ana)
        t.equal(left.searchParams.get('iss'), issuer, 'RFC 9207')
        const response = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          authentication,
          oauth.validateAuthResponse(as, client, left, state),
          app.redirect_uri,
          verifier,
          options,
        )
        return oauth.processAuthorizationCodeResponse(as, client, response, {
          ...(nonce !== null && { expectedNonce: nonce }),
          requireIdToken: nonce !== null,
        })
      }

      const nonce = oauth.generateRandomNonce()
      const tokens = await signIn('openid email records:create', nonce)
      t.equal(tokens.token_type, 'dpop')
      t.equal(oauth.getValidatedIdTokenClaims(tokens)?.sub, ana.id)
      const told = await oauth.userInfoRequest(as, client, tokens.access_token, options)
      t.match(await oauth.processUserInfoResponse(as, client, ana.id, told), { email: ana.email })

      const renew = async () =>
        oauth.processRefreshTokenResponse(
          as,
          client,
          await oauth.refreshTokenGrantRequest(
            as,
            client,
            authentication,
            tokens.refresh_token ?? '',
            options,
          ),
        )
      const [first, again] = [await renew(), await renew()]
      t.equal(first.refresh_token, again.refresh_token, 'a lost response loses no refresh token')

      const plain = await signIn('records:create', null)
      t.equal(plain.token_type, 'dpop')
      t.notOk('id_token' in plain)

      const own = await oauth.processClientCredentialsResponse(
        as,
        client,
        await oauth.clientCredentialsGrantRequest(
          as,
          client,
          authentication,
          { organization_id: acme },
          options,
        ),
      )
      t.equal(own.token_type, 'dpop')
    })
  }
})
