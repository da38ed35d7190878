import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import t from 'tap'
import { vocabulary } from '../../src/core/language/permissions.ts'
import { clientCredentials, post } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { storesNamed } from '../support/open-stores.ts'
import { createApp, createWorld, install } from '../support/world.ts'

const stores = (await storesNamed('embedded')) ?? (await storesNamed('servers'))
if (!stores) throw new Error('no store to test with')
const links = {
  SUPPORT_URI: 'mailto:help@auth.example',
  PRIVACY_URI: 'https://auth.example/privacy',
  TERMS_URI: 'https://auth.example/terms',
}
const running = await startLatchkey(stores, { environment: links })
t.teardown(async () => {
  await running.stop()
  await stores.drop()
})
const { issuer } = running
const metadataUrl = `${issuer}/.well-known/oauth-authorization-server`
const read = async (url: string) => {
  const response = await fetch(url)
  return { response, body: (await response.json()) as Record<string, unknown> }
}
const { response, body } = await read(metadataUrl)

t.test('the metadata lists the supported features (RFC 8414 §2)', async (t) => {
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), 'application/json')
  t.match(body, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/api/oauth/token`,
    pushed_authorization_request_endpoint: `${issuer}/api/oauth/par`,
    device_authorization_endpoint: `${issuer}/api/oauth/device_authorization`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    authorization_response_iss_parameter_supported: true,
    require_pushed_authorization_requests: false,
    op_policy_uri: links.PRIVACY_URI,
    op_tos_uri: links.TERMS_URI,
  })
  const lists = {
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post', 'web_message'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:latchkey:params:oauth:grant-type:install-code',
    ],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    code_challenge_methods_supported: ['S256'],
    refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ],
    dpop_signing_alg_values_supported: ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'],
    scopes_supported: vocabulary.current,
    ui_locales_supported: ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'],
  }
  for (const [name, list] of Object.entries(lists)) t.same(body[name], list, name)
})

t.test('the footer of every page links to the operator, and has no request id', async (t) => {
  for (const path of ['/', '/login', '/docs']) {
    const page = await (await fetch(`${issuer}${path}`)).text()
    for (const uri of Object.values(links)) t.match(page, `<a href="${uri}">`, `${path}: ${uri}`)
    t.notMatch(page, /req_/, path)
  }
  const missing = await fetch(`${issuer}/login/nowhere`, { headers: { accept: 'text/html' } })
  t.match(await missing.text(), String(missing.headers.get('x-request-id')))
})

t.test('the metadata lists nothing unsupported', async (t) => {
  const known =
    /^(issuer|jwks_uri|\w+_endpoint|(response_types|response_modes|grant_types|authorization_grant_profiles|scopes|ui_locales|code_challenge_methods|refresh_token_expiration_types|dpop_signing_alg_values|\w+_endpoint_auth_methods|\w+_endpoint_auth_signing_alg_values)_supported|authorization_response_iss_parameter_supported|require_pushed_authorization_requests|client_id_metadata_document_supported|service_documentation|op_policy_uri|op_tos_uri)$/
  for (const name of Object.keys(body)) t.match(name, known)
  const endpoints =
    /^(authorization|device_authorization|token|pushed_authorization_request|introspection|revocation)_endpoint$/
  for (const [name, url] of Object.entries(body)) {
    if (!name.endsWith('_endpoint')) continue
    t.match(name, endpoints)
    const answers = await Promise.all(
      ['GET', 'POST'].map((method) => fetch(String(url), { method, redirect: 'manual' })),
    )
    t.ok(
      answers.some(({ status }) => status !== 404),
      `${name} exists`,
    )
  }
})

const openidUrl = `${issuer}/.well-known/openid-configuration`

t.test('OpenID discovery repeats the metadata (OpenID Connect Discovery 1.0 §3)', async (t) => {
  const { response, body: openid } = await read(openidUrl)
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), 'application/json')
  const { scopes_supported: _, ...shared } = body
  t.match(openid, shared, 'every field of the OAuth metadata')
  const lists = {
    scopes_supported: ['openid', 'profile', 'email', ...vocabulary.current],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    acr_values_supported: ['phr', 'urn:latchkey:acr:password', 'urn:latchkey:acr:provider'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  }
  for (const [name, list] of Object.entries(lists)) t.same(openid[name], list, name)
  t.match(openid, {
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end-session`,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  })
  for (const name of ['userinfo_endpoint', 'end_session_endpoint'])
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(String(openid[name]), { method, redirect: 'manual' })
      t.not(answer.status, 404, `${method} ${name}`)
    }
  const beyond = Object.keys(openid).filter((name) => !(name in body))
  const known =
    /^((userinfo|end_session)_endpoint|(subject_types|id_token_signing_alg_values|acr_values|claim_types|claims|prompt_values)_supported|(claims|request|request_uri)_parameter_supported)$/
  for (const name of beyond) t.match(name, known, 'no other fields')
})

t.test('the issuer does not depend on the Host header', async (t) => {
  for (const url of [metadataUrl, openidUrl]) {
    const answer = await running.instances[0]?.server.inject({
      url: new URL(url).pathname,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    t.same(answer?.json(), (await read(url)).body)
  }
})

t.test('pages of any origin may read metadata and keys', async (t) => {
  for (const url of [metadataUrl, openidUrl, `${issuer}/.well-known/jwks.json`]) {
    const { headers } = await fetch(url, { headers: { origin: 'https://anywhere.example' } })
    t.equal(headers.get('access-control-allow-origin'), '*', url)
    t.match(headers.get('cache-control'), 'max-age')
  }
})

t.test('the key set has public signing keys only', async (t) => {
  const { body } = await read(`${issuer}/.well-known/jwks.json`)
  const keys = body.keys as Record<string, unknown>[]
  t.ok(keys.length >= 2, 'the next key before its use')
  for (const key of keys) {
    t.match(key, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: String })
    t.notOk('d' in key)
  }
})

t.test('OpenID features that Latchkey lacks are absent', async (t) => {
  const paths = ['/reg', '/token', '/me', '/session/end', '/session/check']
  const more = ['/auth', '/jwks', '/request', '/token/introspection', '/token/revocation']
  for (const path of [...paths, ...more]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      t.equal((await fetch(issuer + path, { method })).status, 404, `${method} ${path}`)
  }
})

t.test('accepts every advertised algorithm of client assertions (RFC 7523)', async (t) => {
  const { acme } = await createWorld(running)
  const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
  const keys = [
    { algorithms: /^[RP]S/, pair: generateKeyPairSync('rsa', { modulusLength: 2048 }) },
    { algorithms: /^ES256$/, pair: curve('P-256') },
    { algorithms: /^ES384$/, pair: curve('P-384') },
    { algorithms: /^ES512$/, pair: curve('P-521') },
    { algorithms: /^Ed/, pair: generateKeyPairSync('ed25519') },
  ].map((one, at) => ({ ...one, kid: `key ${at}` }))
  const jwks = keys.map(({ pair, kid }) => ({ ...pair.publicKey.export({ format: 'jwk' }), kid }))
  const app = await createApp(running, { name: 'Signer', jwks: { keys: jwks } })
  await install(running, acme, app)
  const offered = body.token_endpoint_auth_signing_alg_values_supported as string[]
  t.ok(offered.length > 0)
  for (const alg of offered) {
    const key = keys.find((one) => one.algorithms.test(alg)) as (typeof keys)[number]
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg, kid: key.kid })
      .setIssuer(app.client_id)
      .setSubject(app.client_id)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime('1m')
      .setJti(alg)
      .sign(key.pair.privateKey)
    const answer = await post(`${issuer}/api/oauth/token`, {
      grant_type: 'client_credentials',
      organization_id: acme,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    t.equal(answer.status, 200, `${alg}: ${JSON.stringify(answer.body.error)}`)
  }
  t.equal((await clientCredentials(issuer, app, acme)).status, 200, 'next to its secret')
})
