import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { clientCredentials, currentCode, exchangeCode, post } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const now = () => Math.floor(Date.now() / 1000)

const newKey = async (alg: string) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid: string = randomUUID()
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg } }
}
type Key = Awaited<ReturnType<typeof newKey>>

await onEachBackend(
  'private_key_jwt',
  async (t, { running, issuer, world }) => {
    const { acme, ana, confidential, publicApp } = world
    const [key, foreignKey] = [await newKey('ES256'), await newKey('ES256')]
    const register = async (keys: JWK[], part = {}) => {
      const app = await createApp(running, { name: 'With a key', jwks: { keys }, ...part })
      await install(running, acme, app)
      return app
    }
    const app = await register([key.publicJwk])
    const other = await register([foreignKey.publicJwk])

    const claimsFor = (id: string) => ({
      iss: id,
      sub: id,
      aud: issuer,
      iat: now(),
      exp: now() + 60,
      jti: randomUUID(),
    })
    type Claims = Record<string, unknown>
    const sign = (claims: Claims, by: Key = key, header: Record<string, unknown> = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
        .sign(by.privateKey)
    const ask = (
      client_assertion: string,
      more: Record<string, string | undefined> = {},
      url = issuer,
      path = '/api/oauth/token',
    ) =>
      post(`${url}${path}`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_assertion,
        client_assertion_type,
        ...more,
      })
    const claims = (changes: Claims = {}, of: TestApp = app) => {
      const all: Claims = { ...claimsFor(of.client_id), ...changes }
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    }

    t.test('accepts every algorithm in the metadata', async (t) => {
      const metadata = (await (
        await fetch(`${issuer}/.well-known/oauth-authorization-server`)
      ).json()) as Record<string, string[]>
      for (const alg of metadata.token_endpoint_auth_signing_alg_values_supported ?? []) {
        const own = await newKey(alg)
        const registered = await register([own.publicJwk])
        t.equal((await ask(await sign(claims({}, registered), own))).status, 200, alg)
      }
    })

    t.test('accepts the audiences that name this server', async (t) => {
      for (const aud of [
        issuer,
        `${issuer}/api/oauth/token`,
        [issuer],
        ['https://else.example', `${issuer}/api/oauth/token`],
      ])
        t.equal((await ask(await sign(claims({ aud })))).status, 200, String(aud))
      const device = '/api/oauth/device_authorization'
      await running.operator('PATCH', `/apps/${app.client_id}`, { device_flow: true })
      const begun = await ask(await sign(claims({ aud: issuer + device })), {}, issuer, device)
      t.equal(begun.status, 200, 'at the device authorization endpoint')
      const named = await ask(await sign(claims()), { client_id: app.client_id })
      t.equal(named.status, 200, 'with client_id in the form')
    })

    t.test('accepts a lifetime of one hour, which Authlib uses', async (t) => {
      const answer = await ask(await sign(claims({ exp: now() + 3600 })))
      t.equal(answer.status, 200)
      const [iat, exp] = [now() + 20, now() + 3620]
      const fast = await ask(await sign(claims({ iat, exp })))
      t.equal(fast.status, 200, 'from a client whose clock is fast')
    })

    t.test('CLI-10 rejects invalid claims', async (t) => {
      const wrong: [string, Claims][] = [
        ['aud elsewhere', { aud: 'https://evil.example' }],
        ['aud with a slash', { aud: `${issuer}/` }],
        ['aud, another endpoint', { aud: `${issuer}/api/oauth/access_token` }],
        ['no aud', { aud: undefined }],
        ['aud empty', { aud: [] }],
        ['iss another', { iss: other.client_id }],
        ['iss missing', { iss: undefined }],
        ['iss the server', { iss: issuer }],
        ['sub another', { sub: other.client_id }],
        ['sub missing', { sub: undefined }],
        ['sub and iss another', { iss: other.client_id, sub: other.client_id }],
        ['no jti', { jti: undefined }],
        ['jti empty', { jti: '' }],
        ['jti a number', { jti: 7 }],
        ['jti an object', { jti: {} }],
        ['jti null', { jti: null }],
        ['no exp', { exp: undefined }],
        ['exp past', { exp: now() - 120 }],
        ['exp in two hours', { exp: now() + 7200 }],
        ['exp far', { exp: now() + 86_400 }],
        ['exp in a year', { exp: now() + 31_536_000 }],
        ['exp in milliseconds', { exp: Date.now() }],
        ['exp text', { exp: String(now() + 60) }],
        ['exp huge', { exp: Number.MAX_SAFE_INTEGER }],
        ['nbf later', { nbf: now() + 3600 }],
        ['iat later', { iat: now() + 3600 }],
      ]
      for (const [label, changes] of wrong) {
        const assertion = await sign(claims(changes)).catch(() => null)
        if (assertion === null) continue
        for (const more of [{}, { client_id: app.client_id }]) {
          const answer = await ask(assertion, more)
          t.match(answer, { status: 401, body: { error: 'invalid_client' } }, label)
        }
      }
    })

    t.test(
      'CLI-10 an unsigned assertion with a sub that is not a string does not disturb other requests',
      async (t) => {
        const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
        const signed = (sub: unknown) =>
          `${encode({ alg: 'ES256' })}.${encode({ ...claims(), iss: sub, sub })}.${'A'.repeat(86)}`
        const fields = { token: 'x', organization_id: acme, client_assertion_type }
        for (const sub of [[app.client_id], ['x'], 7, true, null, {}])
          for (const path of ['token', 'introspect', 'revoke', 'par']) {
            const url = `${issuer}/api/oauth/${path}`
            const grant_type = 'client_credentials'
            // Lookups at the same moment share one Postgres query, so a bad value could fail all of
            // them.
            const [answer, ...others] = await Promise.all([
              post(url, { ...fields, grant_type, client_assertion: signed(sub) }),
              ...Array.from({ length: 5 }, () => clientCredentials(issuer, confidential, acme)),
            ])
            const label = `${JSON.stringify(sub)} at ${path}`
            t.match(answer, { status: 401, body: { error: 'invalid_client' } }, label)
            t.ok(
              others.every(({ status }) => status === 200),
              'the other requests succeed',
            )
          }
      },
    )

    t.test('CLI-10 rejects invalid signatures', async (t) => {
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const good = await sign(claims())
      const [header, payload, signature] = good.split('.') as [string, string, string]
      const hmac = (secret: string, headers = {}) =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: key.kid, ...headers })
          .sign(new TextEncoder().encode(secret))
      const forged: Record<string, string> = {
        none: new UnsecuredJWT(claims()).encode(),
        'none, in another case': `${encode({ alg: 'nOnE' })}.${payload}.`,
        'none, with the signature': `${encode({ alg: 'none', kid: key.kid })}.${payload}.${signature}`,
        'no signature': `${header}.${payload}.`,
        'two parts': `${header}.${payload}`,
        'four parts': `${good}.x`,
        'changed claims': `${header}.${encode(claims({ exp: now() + 500 }))}.${signature}`,
        'another key': await sign(claims(), foreignKey),
        'another key under our kid': await sign(claims(), { ...foreignKey, kid: key.kid }),
        'HS256 with the secret': await hmac(app.client_secret),
        'HS256 with the public key': await hmac(JSON.stringify(key.publicJwk)),
        'a key in the header': await sign(claims(), foreignKey, { jwk: foreignKey.publicJwk }),
        'an address in the header': await sign(claims(), foreignKey, {
          jku: 'http://127.0.0.1:9/jwks',
        }),
        'an unknown kid': await sign(claims(), { ...key, kid: 'x' }),
        'an unknown crit': `${encode({ alg: 'ES256', kid: key.kid, crit: ['x'], x: 1 })}.${payload}.${signature}`,
        'zeros for a signature': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
        JSON: JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
        garbage: 'x',
        dots: '..',
        'an array': `${header}.${encode([])}.${signature}`,
        'a big one': `${header}.${'A'.repeat(50_000)}.${signature}`,
        'a NUL': `${header}.${payload}\0.${signature}`,
      }
      for (const [label, assertion] of Object.entries(forged)) {
        for (const more of [{}, { client_id: app.client_id }]) {
          const answer = await ask(assertion, more)
          t.match(answer, { status: 401, body: { error: 'invalid_client' } }, label)
        }
      }
      t.equal((await ask(good)).status, 200, 'a rejected assertion does not consume its jti')
    })

    t.test('CLI-10 rejects assertions of clients without keys and of other clients', async (t) => {
      const foreign = await sign(claims({}, other), foreignKey)
      const crossed = await ask(foreign, { client_id: app.client_id })
      t.match(crossed, { status: 401, body: { error: 'invalid_client' } })
      const keyless = await sign(claims({}, confidential))
      t.equal((await ask(keyless)).status, 401, 'an app without keys')
      const open = await sign(claims({}, publicApp))
      t.equal((await ask(open)).status, 401, 'a public app')
      const grant = await currentCode(running, other, ana, {}, await signedIn(issuer, ana))
      const assertion = await sign(claims())
      const fields = {
        client_id: undefined,
        client_secret: undefined,
        client_assertion: assertion,
        client_assertion_type,
      }
      const stolen = await exchangeCode(issuer, other, grant, fields)
      t.match(stolen, { status: 400, body: { error: 'invalid_grant' } }, 'another client’s code')
      t.equal((await exchangeCode(issuer, other, grant)).status, 200)
    })

    t.test('CLI-10 rejects other assertion types', async (t) => {
      const types = [
        undefined,
        '',
        'jwt-bearer',
        'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
        client_assertion_type.toUpperCase(),
        `${client_assertion_type} `,
      ]
      for (const type of types) {
        const answer = await ask(await sign(claims()), { client_assertion_type: type })
        t.match(answer, { status: 400, body: { error: 'invalid_request' } }, String(type))
      }
    })

    t.test('CLI-10 an assertion is accepted once across all instances', async (t) => {
      const assertion = await sign(claims())
      t.equal((await ask(assertion)).status, 200)
      for (const url of running.urls) t.equal((await ask(assertion, {}, url)).status, 401, 'again')
      const again = await sign(claims({ jti: 'mine' }))
      t.equal((await ask(again)).status, 200)
      const sameId = await sign(claims({ jti: 'mine', exp: now() + 90 }))
      t.equal((await ask(sameId)).status, 401, 'the jti counts, not the text of the assertion')
      const theirs = await sign(claims({ jti: 'mine' }, other), foreignKey)
      t.equal((await ask(theirs)).status, 200, 'a jti of another client')

      for (let round = 0; round < 5; round++) {
        const contested = await sign(claims())
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            ask(contested, {}, running.urls[at % running.urls.length] as string),
          ),
        )
        t.equal(answers.filter((one) => one.status === 200).length, 1, 'of twenty at once')
      }
      const pushed = await sign(claims({ aud: `${issuer}/api/oauth/par` }))
      const more = {
        redirect_uri: app.redirect_uri,
        code_challenge: 'A'.repeat(43),
        grant_type: undefined,
      }
      t.equal((await ask(pushed, more, issuer, '/api/oauth/par')).status, 201)
      t.equal((await ask(pushed, more, issuer, '/api/oauth/par')).status, 401)
      t.equal((await ask(pushed)).status, 401, 'not at another endpoint either')
    })

    t.test('a client may have two keys, with or without a kid', async (t) => {
      const next = await newKey('ES256')
      const rolling = await register([key.publicJwk, next.publicJwk])
      for (const one of [key, next]) {
        t.equal((await ask(await sign(claims({}, rolling), one))).status, 200)
        const { alg, privateKey } = one
        const anonymous = await new SignJWT(claims({}, rolling))
          .setProtectedHeader({ alg })
          .sign(privateKey)
        t.equal((await ask(anonymous)).status, 200, 'without a kid')
      }
    })

    t.test('XIF-01 the legacy interface refuses assertions', async (t) => {
      const answer = await post(`${issuer}/api/oauth/access_token`, {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_assertion: await sign(claims()),
        client_assertion_type,
      })
      t.match(answer, { status: 401, body: { error: 'invalid_client' } })
    })
  },
  { instances: 2, environment: { LIMIT_CLIENT_FAILURES: '100000' } },
)
