// Nightly, and when src/http/legacy changes: test/flows/legacy.test.ts walks these flows by day.
// simple-oauth2 5 has neither PKCE nor discovery, so it fits the legacy interface.
import { AuthorizationCode, ClientCredentials, type ModuleOptions } from 'simple-oauth2'
import { challengeOf, newVerifier } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { currentPermissions, legacyPermissions } from '../../support/world.ts'
import { callbackOf, refusalOf } from './person.ts'

type Options = NonNullable<ModuleOptions['options']>

// The library's default is the Basic header; many apps use the body.
const ways: [name: string, options: Options][] = [
  ['header', { authorizationMethod: 'header' }],
  ['header, not encoded', { authorizationMethod: 'header', credentialsEncodingMode: 'loose' }],
  ['body', { authorizationMethod: 'body' }],
]

await onEachBackend('simple-oauth2', async (t, { issuer, world }) => {
  const { legacy, confidential, ana, acme } = world

  const legacyOptions = {
    client: { id: legacy.client_id, secret: legacy.client_secret },
    auth: { tokenHost: issuer, tokenPath: '/api/oauth/access_token' },
  }
  const currentOptions = {
    client: { id: confidential.client_id, secret: confidential.client_secret },
    auth: { tokenHost: issuer, tokenPath: '/api/oauth/token' },
  }

  for (const [name, options] of ways) {
    t.test(`legacy: redeems a code and refreshes, with credentials in the ${name}`, async (t) => {
      const client = new AuthorizationCode({ ...legacyOptions, options })
      const redirect_uri = legacy.redirect_uri
      const left = await callbackOf(client.authorizeURL({ redirect_uri, state: 's p&ce' }), ana)
      t.equal(left.searchParams.get('state'), 's p&ce')
      const code = left.searchParams.get('code') ?? ''
      const first = await client.getToken({ code, redirect_uri })
      t.match(first.token, { token_type: 'Bearer', expires_in: 7200, organization_id: acme })
      t.equal(first.token.scope, legacyPermissions.join(' '))
      t.notOk(first.expired())
      t.ok(first.expired(7200))
      const narrow = await first.refresh({ scope: ['readData', 'insertData'] })
      t.equal(narrow.token.scope, 'readData insertData')
      const full = await narrow.refresh()
      t.equal(full.token.scope, legacyPermissions.join(' '))
      t.match(await refusalOf(first.refresh()), {
        data: { payload: { error: 'invalid_grant' } },
        output: { statusCode: 400 },
      })
    })

    t.test(
      `current: gets a client_credentials token, with credentials in the ${name}`,
      async (t) => {
        const client = new ClientCredentials({ ...currentOptions, options })
        const answer = await client.getToken({ organization_id: acme, scope: 'records:create' })
        t.match(answer.token, { scope: 'records:create', organization_id: acme })
        t.notOk('refresh_token' in answer.token)
      },
    )
  }

  t.test('current: redeems a code with a handmade PKCE verifier, and refreshes', async (t) => {
    const auth = { ...currentOptions.auth, authorizePath: '/authorize' }
    const client = new AuthorizationCode({ ...currentOptions, auth })
    const verifier = newVerifier()
    const { redirect_uri } = confidential
    const requested = { redirect_uri, state: 'x', code_challenge: challengeOf(verifier) }
    const left = await callbackOf(client.authorizeURL(requested), ana)
    t.equal(left.searchParams.get('iss'), issuer)
    const code = left.searchParams.get('code') ?? ''
    const proof = { code, redirect_uri, code_verifier: verifier }
    const first = await client.getToken(proof)
    t.equal(first.token.scope, currentPermissions.join(' '))
    const next = await first.refresh()
    t.ok(next.token.refresh_token)
  })
})
