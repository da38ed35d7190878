/** Introspection of hostile tokens: they are inactive on every instance, and leave no trace. */
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { startCanary } from '../support/canary.ts'
import { clientCredentials, currentCode, exchangeCode, post } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'

type Cases = Record<string, [what: string, token: string][]>

const seconds = () => Math.floor(Date.now() / 1000)
const hs256 = { alg: 'HS256', typ: 'JWT' }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string | undefined): Json =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
const partsOf = (token: string) => token.split('.') as [string, string, string]
const each = <Item>(items: Item[], token: (item: Item) => string): [string, string][] =>
  items.map((item) => [JSON.stringify(item)?.slice(0, 40) ?? 'undefined', token(item)])

/** The text with the bit at this place flipped. */
const flipped = (part: string, bit: number) => {
  const bytes = Buffer.from(part, 'base64url')
  const at = (bit >> 3) % bytes.length
  bytes[at] = (bytes[at] as number) ^ (1 << (bit & 7))
  return bytes.toString('base64url')
}

await onEachBackend(
  'introspection of hostile tokens',
  async (t, { running, issuer, world, stores }) => {
    const server = await registerResourceServer(running)
    const canary = await startCanary()
    t.teardown(() => canary.stop())
    const { client_id: iss, secret } = await createKeySet(running, world.acme)
    const other = await createKeySet(running, world.acme)
    const gone = await createKeySet(running, world.acme)
    await running.operator('DELETE', `/organizations/${world.acme}/key-sets/${gone.id}`)
    const visitor = await signedIn(issuer, world.ana)
    const grant = await currentCode(running, world.confidential, world.ana, {}, visitor)
    const issued = (await exchangeCode(issuer, world.confidential, grant)).body
      .access_token as string
    const machine = (await clientCredentials(issuer, world.confidential, world.acme)).body
      .access_token as string
    const jwks = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as Json

    const now = seconds()
    const claims = { iss, iat: now }
    const withHeader = (part: Record<string, unknown>) =>
      selfSign(secret, claims, { ...hs256, ...part })
    const withClaims = (part: Record<string, unknown>) => selfSign(secret, { ...claims, ...part })
    const own = selfSign(secret, claims)
    const [head, body, signature] = partsOf(own)
    const [issuedHead, issuedBody, issuedSignature] = partsOf(issued)
    const issuedClaims = decode(issuedBody)
    const publicKey = createPublicKey({ key: jwks.keys[0], format: 'jwk' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const es256 = (header: Record<string, unknown>, payload: unknown = issuedClaims) => {
      const input = `${encode({ alg: 'ES256', typ: 'at+jwt', ...header })}.${encode(payload)}`
      const key = { key: stranger.privateKey, dsaEncoding: 'ieee-p1363' as const }
      return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
    }
    const { kid } = decode(issuedHead)
    const strangerJwk = stranger.publicKey.export({ format: 'jwk' })

    const cases: Cases = {
      'JWT-01 rejects alg none': ['none', 'None', 'nOnE', 'NONE', ''].flatMap(
        (alg): [string, string][] => [
          [`${alg}, signed`, withHeader({ alg })],
          [`${alg}, not signed`, `${encode({ ...hs256, alg })}.${body}.`],
          [`${alg}, no signature part`, `${encode({ ...hs256, alg })}.${body}`],
          [`${alg}, an issued token`, `${encode({ alg, typ: 'at+jwt', kid })}.${issuedBody}.`],
        ],
      ),
      'JWT-02 rejects the public key as an HMAC secret': [
        ...[
          pem,
          pem.trim(),
          JSON.stringify(jwks.keys[0]),
          JSON.stringify(jwks),
          jwks.keys[0].x,
        ].map((key): [string, string] => [`${key.slice(0, 20)}…`, selfSign(key, issuedClaims)]),
        [
          'as it stands in the header',
          selfSign(pem, issuedClaims, { ...hs256, typ: 'at+jwt', kid }),
        ],
        [
          'from x and y',
          selfSign(Buffer.from(jwks.keys[0].x, 'base64url'), { ...claims, iss: issuer }),
        ],
        [
          'ES256 in the header, HMAC signature',
          selfSign(pem, issuedClaims, { alg: 'ES256', typ: 'at+jwt', kid }),
        ],
      ],
      'JWT-03 rejects a key from the header': [
        ...each(['../../dev/null', "' OR 1=1--", '\0', kid, '__proto__', iss], (kid) =>
          selfSign('', claims, { ...hs256, kid }),
        ),
        ...each(['', 5, null, ['x'], { $ne: 1 }], (kid) => withHeader({ kid })),
        ...each(['../../dev/null', "' OR 1=1--", '__proto__', '', 'constructor'], (kid) =>
          es256({ kid }),
        ),
        ...['jku', 'x5u'].flatMap((name): [string, string][] => [
          [name, withHeader({ [name]: `${canary.url}/keys` })],
          [`${name}, issued`, es256({ kid: 'theirs', [name]: `${canary.url}/keys` })],
        ]),
        ['jwk', es256({ jwk: strangerJwk })],
        ['jwk, our kid', es256({ kid, jwk: strangerJwk })],
        ['x5c', es256({ x5c: ['MIIB'] })],
        ['an HS256 jwk', withHeader({ jwk: { kty: 'oct', k: 'AA' } })],
      ],
      'JWT-04 rejects a foreign key': [
        ['another key set of the organization', selfSign(other.secret, claims)],
        ['a deleted key set', selfSign(gone.secret, { iss: gone.client_id, iat: now })],
        [
          'an app’s secret',
          selfSign(world.confidential.client_secret, {
            iss: world.confidential.client_id,
            iat: now,
          }),
        ],
        [
          'the resource server’s',
          selfSign(server.clientSecret, { iss: server.clientId, iat: now }),
        ],
        ['nothing', selfSign('', claims)],
        ['a stranger’s key under our kid', es256({ kid })],
        ['a stranger’s key', es256({ kid: 'theirs' })],
      ],
      'JWT-06 rejects a hostile iss': [
        ...each(
          [
            null,
            5,
            ['x'],
            [iss],
            { $ne: 1 },
            '',
            '\0',
            `${iss}\0`,
            '__proto__',
            "' or 1=1--",
            iss.toUpperCase(),
          ],
          (iss) => withClaims({ iss }),
        ),
        ['missing', selfSign(secret, { iat: now })],
        ['long', withClaims({ iss: 'x'.repeat(7000) })],
        ['a megabyte', withClaims({ iss: 'x'.repeat(700_000) }).slice(0, 60_000)],
      ],
      'JWT-07 rejects invalid times': [
        ...each([undefined, null, now + 61, 'now', '1.5', -1, 1e300, String(now), [now]], (iat) =>
          withClaims({ iat }),
        ),
        ...each([now - 61, 0, 'x', 1.5, -1, 1e300, null, String(now + 60)], (exp) =>
          withClaims({ exp }),
        ),
        ...each([now + 61, 'x', null, -1], (nbf) => withClaims({ nbf })),
      ],
      'JWT-09 rejects malformed tokens': [
        ['crit', withHeader({ crit: ['exp'] })],
        ['b64', withHeader({ b64: false, crit: ['b64'] })],
        ['zip', withHeader({ zip: 'DEF' })],
        ['five parts', `${own}.x.y`],
        ['two parts', `${head}.${body}`],
        ['JSON', JSON.stringify({ protected: head, payload: body, signature })],
        ['detached', `${head}..${signature}`],
        ['trailing dot', `${own}.`],
        ['padding', `${own}=`],
        ['white space', ` ${own}`],
        ['a line end', `${own}\n`],
        ['plus and slash', `${head}.${body}.${signature.slice(0, -2)}+/`],
        [
          'not canonical',
          `${head}.${body}.${signature.slice(0, -1)}${signature.endsWith('B') ? 'C' : 'B'}`,
        ],
        ['a repeated member', selfSign(secret, `{"iss":"x","iss":"${iss}","iat":${now}}`)],
        [
          'a repeated member, escaped',
          selfSign(secret, `{"iss":"${iss}","\\u0069ss":"${iss}","iat":${now}}`),
        ],
        [
          'deep',
          selfSign(
            secret,
            `{"iss":"${iss}","iat":${now},"x":${'['.repeat(2500)}${']'.repeat(2500)}}`,
          ),
        ],
        ['no object', selfSign(secret, '[]')],
        ['no JSON', selfSign(secret, `{"iss":"${iss}","iat":${now}`)],
        ['long', withClaims({ x: 'x'.repeat(20_000) })],
        ['a bearer', `Bearer ${own}`],
      ],
      'JWT-10 rejects other algorithms': [
        ...each(
          ['HS384', 'HS512', 'hs256', 'HS256 ', 'RS256', 'ES256', 'EdDSA', ['HS256'], null],
          (alg) => withHeader({ alg }),
        ),
        [
          'HS512, correctly signed',
          (() => {
            const input = `${encode({ alg: 'HS512', typ: 'JWT' })}.${body}`
            return `${input}.${createHmac('sha512', secret).update(input).digest('base64url')}`
          })(),
        ],
        ...each(['at+jwt', 'jwt', 'JOSE', '', null, 'application/jwt'], (typ) =>
          withHeader({ typ }),
        ),
      ],
      'JWT-14 rejects an issued token that was changed': [
        ...Array.from({ length: 40 }, (_, at): [string, string] => [
          `bit ${at * 7} of the signature`,
          `${issuedHead}.${issuedBody}.${flipped(issuedSignature, at * 13)}`,
        ]),
        ...Array.from({ length: 20 }, (_, at): [string, string] => [
          `bit ${at * 31} of the claims`,
          `${issuedHead}.${flipped(issuedBody, at * 31)}.${issuedSignature}`,
        ]),
        ['the claims of another', `${issuedHead}.${partsOf(machine)[1]}.${issuedSignature}`],
        ['another issuer', es256({ kid }, { ...issuedClaims, iss: 'https://evil.example' })],
        ['another audience', es256({ kid }, { ...issuedClaims, aud: 'https://evil.example' })],
        ['typed as an ID token', es256({ kid, typ: 'JWT' })],
        ['as self-signed', selfSign(secret, issuedClaims)],
      ],
    }

    const isInactive = async (at: number, token: string) => {
      const answer = await introspectAt(running.urls[at % 2] as string, server, token)
      return answer.status === 200 && JSON.stringify(answer.body) === '{"active":false}'
    }
    const isActive = async (at: number, token: string): Promise<Json> =>
      (await introspectAt(running.urls[at % 2] as string, server, token)).body

    for (const [id, tokens] of Object.entries(cases)) {
      t.test(id, async (t) => {
        const before = await amounts(stores)
        for (const [at, [what, token]] of tokens.entries()) t.ok(await isInactive(at, token), what)
        t.same(await amounts(stores), before, 'nothing is stored')
        t.same(canary.requested, [], 'nothing is fetched')
        for (const [at, token] of [own, issued, machine].entries())
          t.equal((await isActive(at, token)).active, true, 'valid tokens are unchanged')
      })
    }

    t.test(
      'JWT-06 JWT-14 unknown issuers and keys do not exhaust the connection pool',
      async (t) => {
        const unknown = Array.from({ length: 500 }, (_, at) => [
          withClaims({ iss: `kst${at}` }),
          es256({ kid: `kid${at}` }),
        ]).flat()
        const answers = await Promise.all(unknown.map((token, at) => isInactive(at, token)))
        t.ok(answers.every(Boolean))
        t.equal((await isActive(0, own)).active, true, 'the pool is not exhausted')
      },
    )

    t.test('JWT-13 a self-signed token has at most the key set’s permissions', async (t) => {
      const expected: [unknown, string[] | null][] = [
        [undefined, []],
        [[], []],
        [['records:create'], ['records:create']],
        [['records:create', 'table:create'], ['records:create']],
        [['nonsense', '__proto__', 'RECORDS:CREATE', 'readData', ''], []],
        ['records:create', null],
        [{ 0: 'records:create', length: 1 }, null],
        [[['records:create']], null],
        [null, null],
        [true, null],
      ]
      for (const [at, [permissions, may]] of expected.entries()) {
        const token = withClaims({ permissions })
        const what = JSON.stringify(permissions) ?? 'absent'
        if (may === null) t.ok(await isInactive(at, token), what)
        else t.same((await isActive(at, token)).permissions, may, what)
      }
    })

    t.test('JWT-15 the key is the secret’s bytes as written', async (t) => {
      for (const encoding of ['base64', 'base64url', 'hex', 'utf16le', 'latin1'] as const) {
        const key = Buffer.from(secret, encoding)
        const same = key.equals(Buffer.from(secret))
        t.equal((await isActive(0, selfSign(key, claims))).active, same, encoding)
      }
      const bare = secret.replace('lkks_', '')
      t.ok(await isInactive(0, selfSign(bare, claims)), 'without its prefix')
      t.ok(await isInactive(0, selfSign(`${secret}\n`, claims)), 'with a line end')
      for (const one of [secret, other.secret, gone.secret])
        t.ok(Buffer.byteLength(one) >= 32, 'long enough for HS256 (RFC 7518 §3.2)')
    })

    t.test('JWT-16 only a resource server may introspect', async (t) => {
      const ask = (token: string, headers: Record<string, string>, fields = {}) =>
        post(`${issuer}/api/oauth/introspect`, { token, ...fields }, headers)
      const basic = (id: string, secret: string) => ({
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      })
      const { confidential, second, publicApp } = world
      const askers: [string, Record<string, string>, object][] = [
        ['nobody', {}, {}],
        ['a wrong secret', basic(server.clientId, 'wrong'), {}],
        ['no secret', basic(server.clientId, ''), {}],
        ['the app itself', basic(confidential.client_id, confidential.client_secret), {}],
        ['another app', basic(second.client_id, second.client_secret), {}],
        ['a public app', {}, { client_id: publicApp.client_id }],
        ['a key set', basic(iss, secret), {}],
        ['a bearer', { authorization: `Bearer ${issued}` }, {}],
        ['the token itself as a secret', basic(server.clientId, issued), {}],
      ]
      for (const [who, headers, fields] of askers) {
        const bodies = []
        for (const token of [issued, own, machine, 'nothing']) {
          const answer = await ask(token, headers, fields)
          t.equal(answer.status, 401, who)
          bodies.push(JSON.stringify(answer.body))
        }
        t.equal(new Set(bodies).size, 1, `${who} gets the same answer for every token`)
        t.match(bodies[0], '"invalid_client"')
      }
      const revoked = await post(`${issuer}/api/oauth/revoke`, {
        token: issued,
        client_id: second.client_id,
        client_secret: second.client_secret,
      })
      t.same([revoked.status, revoked.body], [200, {}], 'another client learns and revokes nothing')
      t.equal((await isActive(1, issued)).active, true)
    })

    t.test('JWT-08 a self-signed token without exp is valid as long as its secret', async (t) => {
      const old = selfSign(secret, { iss, iat: 1 })
      for (const at of [0, 1]) t.equal((await isActive(at, old)).active, true)
      const keySets = (await running.operator('GET', `/organizations/${world.acme}/key-sets`)).body
      const { id } = keySets.items.find((one: Json) => one.client_id === iss)
      const path = `/organizations/${world.acme}/key-sets/${id}/rotate`
      const { body } = await running.operator('POST', path)
      for (const at of [0, 1]) {
        t.ok(await isInactive(at, old), 'at once, on both instances')
        t.equal((await isActive(at, selfSign(body.secret, { iss, iat: 1 }))).active, true)
      }
    })

    t.test('hostile tokens cause no server error', async (t) => {
      t.notOk(running.log.some((line) => JSON.parse(line).level >= 50))
      t.notOk(
        running.log.some((line) =>
          [own, issued, machine, secret].some((one) => line.includes(one)),
        ),
        'the log contains none of them',
      )
    })
  },
  { instances: 2 },
)
