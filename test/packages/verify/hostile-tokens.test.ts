/**
 * Forged and altered tokens (RFC 8725, RFC 9068 §4). They must not even cause a request to the
 * server.
 */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { paddedSignature } from '../../support/padded-signature.ts'
import {
  encode,
  headerOf,
  newKey,
  type ScriptedServer,
  type SigningKey,
  signed,
} from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

type Case = [what: string, token: (server: ScriptedServer) => string, reason: string]

const keyOf = (server: ScriptedServer) => server.keys[0] as SigningKey
const now = () => Math.floor(Date.now() / 1000)
const parts = (token: string) => token.split('.') as [string, string, string]

/** Signed by the issuer's own key, so that only the header or the text is wrong. */
const withHeader = (part: Record<string, unknown>) => (server: ScriptedServer) =>
  server.token({}, part)
const withClaims = (part: Record<string, unknown>) => (server: ScriptedServer) => server.token(part)
const withText = (header: string | null, payload: string | null) => (server: ScriptedServer) =>
  signed(keyOf(server).privateKey, header ?? headerOf(keyOf(server)), payload ?? server.claims())
const changed = (change: (token: string) => string) => (server: ScriptedServer) =>
  change(server.token())
const hmac = (key: string | Buffer, header: unknown, payload: unknown) => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}
const hs256 = { alg: 'HS256', typ: 'JWT' }
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const cases: Case[] = [
  // JWT-01: RFC 8725 §3.1
  ...['none', 'None', 'nOnE', 'NONE', ''].flatMap((alg): Case[] => [
    [`alg "${alg}", signed`, withHeader({ alg }), 'algorithm'],
    [
      `alg "${alg}", not signed`,
      (server) => `${encode({ alg, typ: 'at+jwt' })}.${encode(server.claims())}.`,
      'algorithm',
    ],
  ]),
  ['no alg', withHeader({ alg: undefined }), 'algorithm'],
  ['alg is not a string', withHeader({ alg: ['ES256'] }), 'algorithm'],

  // JWT-02: the public key as a shared secret
  [
    'HS256 with the public JWK',
    (server) => hmac(JSON.stringify(keyOf(server).jwk), hs256, server.claims()),
    'claims',
  ],
  [
    'HS256 with x of the public key',
    (server) => hmac(Buffer.from(String(keyOf(server).jwk.x), 'base64url'), hs256, server.claims()),
    'claims',
  ],
  [
    'HS256 typed as an access token',
    (server) => hmac('s', { ...hs256, typ: 'at+jwt', kid: 'key-1' }, server.claims()),
    'claims',
  ],

  // JWT-03: keys that the token brings along
  ['kid is a path', withHeader({ kid: '../../dev/null' }), 'key_unknown'],
  ['kid is SQL', withHeader({ kid: "' OR 1=1--" }), 'key_unknown'],
  ['kid is a name of every object', withHeader({ kid: 'constructor' }), 'key_unknown'],
  ['kid is __proto__', withHeader({ kid: '__proto__' }), 'key_unknown'],
  ['no kid', withHeader({ kid: undefined }), 'header'],
  ['kid is a number', withHeader({ kid: 1 }), 'header'],
  ['jku', withHeader({ jku: 'https://evil.example/jwks.json' }), 'header'],
  ['x5u', withHeader({ x5u: 'https://evil.example/cert' }), 'header'],
  ['jwk', withHeader({ jwk: newKey('evil').jwk }), 'header'],
  ['x5c', withHeader({ x5c: ['AAAA'] }), 'header'],

  // JWT-09: the format
  ['crit', withHeader({ crit: ['exp'] }), 'header'],
  ['crit of an unknown extension', withHeader({ crit: ['x'], x: 1 }), 'header'],
  ['b64', withHeader({ b64: false }), 'header'],
  ['zip', withHeader({ zip: 'DEF' }), 'header'],
  ['five parts', changed((token) => `${token}.AAAA.AAAA`), 'malformed'],
  ['four parts', changed((token) => `${token}.AAAA`), 'malformed'],
  ['two parts', changed((token) => token.slice(0, token.lastIndexOf('.'))), 'malformed'],
  ['one part', changed((token) => parts(token)[0]), 'malformed'],
  ['a dot at the end', changed((token) => `${token}.`), 'malformed'],
  ['a dot at the beginning', changed((token) => `.${token}`), 'malformed'],
  ['a refresh token', () => 'lkrt_abcdefghijklmnopqrstuvwxyz', 'malformed'],
  ['no secret of a key set', () => 'secret', 'malformed'],
  ['not quite a secret of a key set', () => 'LKKS_secret', 'malformed'],
  ['detached payload', changed((token) => token.replace(/\.[^.]+\./, '..')), 'signature'],
  ['no signature', changed((token) => token.replace(/[^.]+$/, '')), 'signature'],
  ['padding', changed((token) => `${token}==`), 'malformed'],
  ['padding within', changed((token) => token.replace('.', '=.')), 'malformed'],
  ['plain base64', changed((token) => `${token.slice(0, -2)}+/`), 'malformed'],
  ['trailing white space', changed((token) => `${token} `), 'malformed'],
  ['inner white space', changed((token) => token.replace('.', '. ')), 'malformed'],
  ['a line break', changed((token) => `${token}\n`), 'malformed'],
  ['NUL', changed((token) => `${token}\0`), 'malformed'],
  ['not ASCII', changed((token) => `${token}é`), 'malformed'],
  [
    'JSON serialisation',
    changed((token) => {
      const [header, payload, signature] = parts(token)
      return JSON.stringify({ payload, protected: header, signature })
    }),
    'malformed',
  ],
  [
    'another spelling of the last character',
    changed((token) => {
      // 64 bytes leave four bits unused, so A stands for the same bytes as B to P.
      const next = String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
      return token.slice(0, -1) + next
    }),
    'malformed',
  ],
  ['a header that is not JSON', withText('eyJ?', null), 'malformed'],
  ['a header that is a list', withText('[{"alg":"ES256"}]', null), 'malformed'],
  ['a header that is not UTF-8', changed((token) => `eyJ_-w.${parts(token)[1]}.AA`), 'malformed'],
  [
    'alg twice in the header',
    withText('{"alg":"none","typ":"at+jwt","kid":"key-1","alg":"ES256"}', null),
    'malformed',
  ],
  [
    'alg twice, once in escapes',
    withText('{"\\u0061lg":"none","typ":"at+jwt","kid":"key-1","alg":"ES256"}', null),
    'malformed',
  ],
  ['a payload that is not JSON', withText(null, 'hello'), 'malformed'],
  ['a payload that is a list', withText(null, '[]'), 'malformed'],
  ['a payload that is null', withText(null, 'null'), 'malformed'],
  [
    'a claim twice',
    (server) =>
      withText(null, JSON.stringify(server.claims()).replace('{', '{"sub":"usr2",'))(server),
    'malformed',
  ],
  [
    'a claim twice, deeply',
    (server) =>
      withText(null, JSON.stringify(server.claims()).replace('{', '{"x":[{"a":1,"a":2}],'))(server),
    'malformed',
  ],
  ...['{"sub" :"usr2",', '{"sub"\t:"usr2","x":"\\":",', '{"sub":"usr2","x":" \\": ",'].map(
    (beginning): Case => [
      `a claim twice: ${beginning}`,
      (server) => withText(null, JSON.stringify(server.claims()).replace('{', beginning))(server),
      'malformed',
    ],
  ),
  ['nested 2,000 deep', withText(null, nested(2000)), 'malformed'],
  ['nested 10,000 deep', withText(null, nested(10_000)), 'too_long'],
  ['a nested header', withText(nested(1000), null), 'malformed'],
  ['1 MB', () => 'A'.repeat(1_000_000), 'too_long'],
  ['1 MB of a token', changed((token) => token + 'A'.repeat(1_000_000)), 'too_long'],
  ['nothing', () => '', 'missing'],
  ['undefined', () => undefined as unknown as string, 'missing'],
  ['an object', () => ({}) as string, 'missing'],

  // JWT-10: RFC 8725 §3.1
  ...['HS384', 'HS512', 'hs256', 'es256', 'ES384', 'PS256', 'ES256K', 'constructor'].map(
    (alg): Case => [`alg ${alg}`, withHeader({ alg }), 'algorithm'],
  ),
  ['RS256 for a P-256 key', withHeader({ alg: 'RS256' }), 'algorithm'],
  ['EdDSA for a P-256 key', withHeader({ alg: 'EdDSA' }), 'algorithm'],

  // RFC 9068 §2.1
  ['an ID token', withHeader({ typ: 'JWT' }), 'header'],
  ['no typ', withHeader({ typ: undefined }), 'header'],
  ['another typ', withHeader({ typ: 'logout+jwt' }), 'header'],

  // JWT-14: altered tokens
  ['r = s = 0', changed((token) => token.replace(/[^.]+$/, 'A'.repeat(86))), 'signature'],
  [
    'a DER signature',
    (server) => {
      const { privateKey, jwk } = keyOf(server)
      const input = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid })}.${encode(server.claims())}`
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
    },
    'signature',
  ],
  [
    'r and s with a leading zero byte',
    changed((token) => {
      const [header, payload, signature] = parts(token)
      return [header, payload, paddedSignature(signature)].join('.')
    }),
    'signature',
  ],
  [
    'another key under the known id',
    (server) => signed(newKey('key-1').privateKey, headerOf(keyOf(server)), server.claims()),
    'signature',
  ],
  [
    'claims of another token',
    (server) => {
      const [header, , signature] = parts(server.token())
      return [header, parts(server.token({ sub: 'usr2' }))[1], signature].join('.')
    },
    'signature',
  ],
  ['another issuer', withClaims({ iss: 'https://evil.example' }), 'issuer'],
  ['an issuer with a slash more', (server) => server.token({ iss: `${server.issuer}/` }), 'issuer'],
  ['no issuer', withClaims({ iss: undefined }), 'issuer'],
  ['a list of issuers', (server) => server.token({ iss: [server.issuer] }), 'issuer'],
  ['another audience', withClaims({ aud: 'https://other.example' }), 'audience'],
  ['other audiences', withClaims({ aud: ['https://other.example', 'x'] }), 'audience'],
  ['no audience', withClaims({ aud: undefined }), 'audience'],
  ['an audience that begins alike', withClaims({ aud: 'https://api.example.evil' }), 'audience'],
  ['an object as audience', withClaims({ aud: { 'https://api.example': 1 } }), 'audience'],

  // JWT-07: RFC 7519 §4.1.4 to §4.1.6
  ['expired', withClaims({ exp: now() - 61 }), 'expired'],
  ['exp 0', withClaims({ exp: 0 }), 'expired'],
  ...['9999999999', 9_999_999_999.5, -1, 1e300, null, undefined, [], true].map(
    (exp): Case => [`exp ${JSON.stringify(exp)}`, withClaims({ exp }), 'claims'],
  ),
  ['nbf in the future', withClaims({ nbf: now() + 61 }), 'not_yet_valid'],
  ['nbf is a string', withClaims({ nbf: '0' }), 'claims'],
  ['nbf is null', withClaims({ nbf: null }), 'claims'],
  ['iat in the future', withClaims({ iat: now() + 61 }), 'not_yet_valid'],
  ['no iat', withClaims({ iat: undefined }), 'claims'],
  ['iat is a string', withClaims({ iat: '0' }), 'claims'],

  // Claims of Latchkey's own tokens
  ['no jti', withClaims({ jti: undefined }), 'claims'],
  ['no client', withClaims({ client_id: undefined }), 'claims'],
  ['no organization', withClaims({ organization_id: undefined }), 'claims'],
  ['an empty organization', withClaims({ organization_id: '' }), 'claims'],
  ['no permissions', withClaims({ permissions: undefined }), 'claims'],
  ['permissions as text', withClaims({ permissions: 'records:create' }), 'claims'],
  ['permissions that are not strings', withClaims({ permissions: [1] }), 'claims'],
  ['another interface', withClaims({ interface: 'next' }), 'claims'],
  ['no kind', withClaims({ kind: undefined }), 'claims'],
  ['a kind that is never issued', withClaims({ kind: 'key_set' }), 'claims'],
  ['no user', withClaims({ sub: undefined }), 'claims'],
  ['no grant', withClaims({ grant_id: undefined }), 'claims'],
  ['an install token with a user', withClaims({ kind: 'install' }), 'claims'],
  ['no install', withClaims({ kind: 'install', sub: 'app1', install_id: undefined }), 'claims'],
  ['no workspaces on the current interface', withClaims({ workspace_ids: undefined }), 'claims'],
  ['null workspaces', withClaims({ workspace_ids: null }), 'claims'],
  ['workspaces on the legacy interface', withClaims({ interface: 'legacy' }), 'claims'],
  ['an epoch that is a string', withClaims({ app_epoch: '9' }), 'claims'],
  ['an epoch below zero', withClaims({ user_epoch: -1 }), 'claims'],

  // JWT-04, JWT-06: invalid self-signed tokens
  ...[
    undefined,
    null,
    1,
    ['kcl1'],
    { a: 1 },
    '',
    'a b',
    'kcl\0',
    '__proto__\n',
    'k'.repeat(129),
  ].map(
    (iss): Case => [
      `self-signed, iss ${JSON.stringify(iss)?.slice(0, 20)}`,
      () => hmac('secret', hs256, { iss, iat: now() }),
      'claims',
    ],
  ),
  ['self-signed, no iat', () => hmac('secret', hs256, { iss: 'kcl1' }), 'claims'],
  [
    'self-signed, expired',
    () => hmac('secret', hs256, { iss: 'kcl1', iat: 1, exp: now() - 61 }),
    'claims',
  ],
  [
    'self-signed, exp is a string',
    () => hmac('secret', hs256, { iss: 'kcl1', iat: 1, exp: '9999999999' }),
    'claims',
  ],
  [
    'self-signed, a short signature',
    () => `${encode(hs256)}.${encode({ iss: 'kcl1', iat: now() })}.AAAA`,
    'claims',
  ],
  ...['at+jwt', 'jwt', 'JOSE', 'dpop+jwt'].map(
    (typ): Case => [
      `self-signed, typ ${typ}`,
      () => hmac('secret', { ...hs256, typ }, { iss: 'kcl1', iat: now() }),
      'claims',
    ],
  ),
  ...[-1, 1e300, '1.5', null].map(
    (iat): Case => [
      `self-signed, iat ${iat}`,
      () => hmac('secret', hs256, { iss: 'kcl1', iat }),
      'claims',
    ],
  ),
  [
    'self-signed, expired by a fraction',
    () => hmac('secret', hs256, { iss: 'kcl1', iat: 1.5, exp: now() - 61.5 }),
    'claims',
  ],
  ['self-signed, crit', () => hmac('s', { ...hs256, crit: ['b64'] }, { iss: 'kcl1' }), 'header'],
  ['self-signed, jwk', () => hmac('s', { ...hs256, jwk: {} }, { iss: 'kcl1' }), 'header'],
]

t.test('hostile tokens are refused', async (t) => {
  const { server, verifier, problems } = await createScene(t)
  for (const [what, token, reason] of cases)
    t.equal(await outcomeOf(verifier.verify(token(server))), `token-invalid: ${reason}`, what)
  t.same(problems, [])
  t.equal(server.count('/api/oauth/introspect'), 0)
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user', 'valid tokens still pass')
})

t.test('every single bit of a token counts', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  for (let at = 0; at < token.length; at++) {
    const flipped = String.fromCharCode(token.charCodeAt(at) ^ 1)
    const outcome = await outcomeOf(
      verifier.verify(token.slice(0, at) + flipped + token.slice(at + 1)),
    )
    if (!outcome.startsWith('token-invalid')) t.fail(`${outcome} with character ${at} changed`)
  }
})

t.test('clocks may differ by the tolerance only', async (t) => {
  const time = 2_000_000_000
  for (const clockTolerance of [0, 30, 60]) {
    const { server, verifier } = await createScene(t, { clockTolerance, now: () => time * 1000 })
    const verify = (part: Record<string, unknown>) =>
      outcomeOf(verifier.verify(server.token({ iat: time, exp: time + 100, ...part })))
    t.equal(await verify({ exp: time - clockTolerance + 1 }), 'user')
    t.equal(await verify({ exp: time - clockTolerance }), 'token-invalid: expired')
    t.equal(await verify({ iat: time + clockTolerance }), 'user')
    t.equal(await verify({ iat: time + clockTolerance + 1 }), 'token-invalid: not_yet_valid')
    t.equal(await verify({ nbf: time + clockTolerance }), 'user')
    t.equal(await verify({ nbf: time + clockTolerance + 1 }), 'token-invalid: not_yet_valid')
  }
})

t.test('a valid token expires, even if it was cached', async (t) => {
  let time = 2_000_000_000_000
  const { server, verifier } = await createScene(t, { clockTolerance: 0, now: () => time })
  const token = server.token({ iat: time / 1000, exp: time / 1000 + 10 })
  for (const outcome of ['user', 'user']) t.equal(await outcomeOf(verifier.verify(token)), outcome)
  time += 9999
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  time += 1
  t.equal(await outcomeOf(verifier.verify(token)), 'token-invalid: expired')
})

t.test('accepts allowed variations', async (t) => {
  const { server, verifier } = await createScene(t)
  const key = keyOf(server)
  const pretty = JSON.stringify(server.claims({ note: '"a":"b", \\"c\\": ' }), null, 2)
  const tokens: [string, string][] = [
    ['several audiences', server.token({ aud: ['x', 'https://api.example'] })],
    ['the long type (RFC 9068 §4)', server.token({}, { typ: 'application/at+jwt' })],
    ['a type in capitals', server.token({}, { typ: 'AT+JWT' })],
    ['unknown header parameters (RFC 7515 §4)', server.token({}, { note: 1 })],
    ['unknown claims', server.token({ note: { a: [{ a: 1 }] } })],
    [
      'epochs missing, as in older tokens',
      server.token({ app_epoch: undefined, user_epoch: undefined }),
    ],
    ['install missing, as in older tokens', server.token({ install_id: undefined })],
    ['JSON with white space and quotes in it', signed(key.privateKey, headerOf(key), pretty)],
  ]
  for (const [what, token] of tokens) t.equal(await outcomeOf(verifier.verify(token)), 'user', what)
})

t.test('a key is used for its own algorithm only', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ed = generateKeyPairSync('ed25519')
  const { server, verifier } = await createScene(t, {}, ({ keys }) => {
    const published = (key: typeof rsa.publicKey, more: Record<string, unknown>) => ({
      ...key.export({ format: 'jwk' }),
      ...more,
    })
    keys.push(
      { ...rsa, kid: 'rsa', jwk: published(rsa.publicKey, { kid: 'rsa', alg: 'RS256' }) },
      { ...ed, kid: 'ed', jwk: published(ed.publicKey, { kid: 'ed', alg: 'EdDSA' }) },
      { ...rsa, kid: 'any', jwk: published(rsa.publicKey, { kid: 'any' }) },
      {
        ...rsa,
        kid: 'enc',
        jwk: published(rsa.publicKey, { kid: 'enc', alg: 'RS256', use: 'enc' }),
      },
    )
  })
  const signedBy = (key: typeof rsa.privateKey, hash: string | null, alg: string, kid: string) => {
    const input = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(server.claims())}`
    return `${input}.${sign(hash, Buffer.from(input), key).toString('base64url')}`
  }
  const tries: [string, string][] = [
    [signedBy(rsa.privateKey, 'sha256', 'RS256', 'rsa'), 'user'],
    [signedBy(ed.privateKey, null, 'EdDSA', 'ed'), 'user'],
    [signedBy(rsa.privateKey, 'sha256', 'RS256', 'any'), 'token-invalid: key_unknown'],
    [signedBy(rsa.privateKey, 'sha256', 'RS256', 'enc'), 'token-invalid: key_unknown'],
    [signedBy(rsa.privateKey, 'sha256', 'EdDSA', 'rsa'), 'token-invalid: algorithm'],
    [signedBy(rsa.privateKey, 'sha1', 'RS256', 'rsa'), 'token-invalid: signature'],
  ]
  for (const [token, outcome] of tries) t.equal(await outcomeOf(verifier.verify(token)), outcome)
})

t.test('a thousand unknown keys cause one read of the key set', async (t) => {
  const { server, verifier } = await createScene(t)
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
  const before = server.count('/.well-known/jwks.json')
  const outcomes = await Promise.all(
    Array.from({ length: 1000 }, (_, at) =>
      outcomeOf(verifier.verify(server.token({}, { kid: `unknown-${at}` }))),
    ),
  )
  t.same([...new Set(outcomes)], ['token-invalid: key_unknown'])
  t.ok(server.count('/.well-known/jwks.json') - before <= 1)
})

t.test('finds a key that was published meanwhile, and drops a withdrawn one', async (t) => {
  const { server, verifier } = await createScene(t, { keysInterval: 0.01 })
  const [first] = server.keys as [SigningKey]
  const old = server.token()
  t.equal(await outcomeOf(verifier.verify(old)), 'user')
  server.keys = [newKey('key-2'), first]
  await eventually(async () => (await outcomeOf(verifier.verify(server.token()))) === 'user')
  t.equal(await outcomeOf(verifier.verify(old)), 'user')
  server.keys = [server.keys[0] as SigningKey]
  await eventually(async () => {
    await outcomeOf(verifier.verify(server.token({}, { kid: 'unknown' })))
    return (await outcomeOf(verifier.verify(old))) === 'token-invalid: key_unknown'
  })
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
})
