/** Unmodified libraries with an issuer that has a path: openid-client 6, and ours for data APIs. */
import * as client from 'openid-client'
import { createVerifier } from '../../../packages/verify/src/verify.ts'
import { readDoorConfig } from '../../../src/config/door.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { openidApp } from '../../support/openid.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { callbackOf } from './person.ts'

for (const path of ['/auth/', '/auth'])
  await onEachBackend(
    `an issuer that ends with ${path}`,
    async (t, { running, issuer, world }) => {
      t.ok(issuer.endsWith(path))
      const app = await openidApp(running, world)
      const { clientId, clientSecret } = await registerResourceServer(running)

      for (const algorithm of ['oidc', 'oauth2'] as const)
        t.test(`discovery of ${algorithm}, and every step of the code flow`, async (t) => {
          const config = await client.discovery(
            new URL(issuer),
            app.client_id,
            undefined,
            client.ClientSecretBasic(app.client_secret),
            { algorithm, execute: [client.allowInsecureRequests] },
          )
          t.equal(config.serverMetadata().issuer, issuer)
          const pkceCodeVerifier = client.randomPKCECodeVerifier()
          const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
          const url = await client.buildAuthorizationUrlWithPAR(config, {
            redirect_uri: app.redirect_uri,
            response_type: 'code',
            code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: 'S256',
            state: expectedState,
            ...(algorithm === 'oidc' && { scope: 'openid email', nonce: expectedNonce }),
          })
          const left = await callbackOf(url, world.ana)
          const tokens = await client.authorizationCodeGrant(config, left, {
            pkceCodeVerifier,
            expectedState,
            ...(algorithm === 'oidc' && { expectedNonce }),
          })
          const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
          if (algorithm === 'oidc') {
            t.match(tokens.claims(), { iss: issuer, sub: world.ana.id })
            const about = await client.fetchUserInfo(config, next.access_token, world.ana.id)
            t.equal(about.sub, world.ana.id)
          }

          const verifier = createVerifier({
            issuer,
            audience: issuer,
            resourceServer: { clientId, clientSecret },
          })
          t.teardown(() => verifier.close())
          t.match(await verifier.verify(next.access_token), { userId: world.ana.id })
          await client.tokenRevocation(config, next.access_token)
        })

      t.test('the door asks below the path', async (t) => {
        const { server, ...config } = readDoorConfig({
          ISSUER: issuer,
          RESOURCE_SERVER_ID: clientId,
          RESOURCE_SERVER_SECRET: clientSecret,
        })
        t.equal(config.issuer, issuer)
        t.equal(server, issuer.replace(/\/$/, ''))
      })
    },
    { path },
  )
