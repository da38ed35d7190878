/** The rules for metadata documents (draft-ietf-oauth-client-id-metadata-document §4). */
import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { checkedDocument } from '../../../src/core/client-documents/document.ts'
import { Invalid } from '../../../src/core/language/service-errors.ts'

const url = 'https://client.example/m'
const lifetimes = { current: 3600, legacy: 7200 }
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })

const plain = {
  client_id: url,
  client_name: 'Agent',
  redirect_uris: ['https://client.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb'],
}

const check = (document: unknown) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return checkedDocument(url, Buffer.from(text), { lifetimes, addresses: { allowPrivate: false } })
}

/** The pointers of the faults; none when the document was accepted. */
const faultsOf = async (document: unknown) => {
  try {
    await check(document)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.faults.map(({ pointer }) => pointer)
  }
}

t.test('reads what an app says about itself', async (t) => {
  t.same(
    await check({
      ...plain,
      client_uri: 'https://client.example/',
      logo_uri: 'https://client.example/logo.png',
      policy_uri: 'https://client.example/policy',
      tos_uri: 'https://client.example/tos',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'records:create  offline_access records:create',
      token_endpoint_auth_method: 'none',
      software_id: 'ignored',
    }),
    {
      name: 'Agent',
      clientType: 'public',
      redirectUris: plain.redirect_uris,
      scopes: ['records:create', 'offline_access'],
      homepageUri: 'https://client.example/',
      logoUri: 'https://client.example/logo.png',
      policyUri: 'https://client.example/policy',
      tosUri: 'https://client.example/tos',
      jwks: null,
      jwksUri: null,
    },
  )
  const confidential = {
    ...plain,
    redirect_uris: ['https://client.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
  }
  t.match(await check(confidential), { clientType: 'confidential', jwks: { keys: [jwk] } })
  const remote = { ...confidential, jwks: undefined, jwks_uri: 'https://client.example/jwks' }
  t.match(await check(remote), { jwks: null, jwksUri: 'https://client.example/jwks' })
  const { client_name: _, ...nameless } = plain
  t.match(await check(nameless), { name: 'client.example', scopes: null })
  // RFC 7592 §2.2: a member without a value is as one that is left out.
  const names = [
    ...['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'scope', 'jwks_uri'],
    ...['client_secret', 'client_secret_expires_at', 'grant_types', 'response_types'],
    ...['token_endpoint_auth_method', 'jwks', 'contacts'],
  ]
  for (const none of [null, ''])
    for (const name of names)
      t.same(
        await check({ ...plain, [name]: none }),
        await check({ ...plain, [name]: undefined }),
        name,
      )
})

const hostile: [what: string, document: unknown, pointer: string][] = [
  ['no JSON', '<html>', ''],
  ['an array', [plain], ''],
  ['null', 'null', ''],
  ['text that is not UTF-8', '\ufffd{', ''],
  ...(
    [
      ['a member twice', '"redirect_uris":["https://other.example/cb"]'],
      ['a member twice, once escaped', '"redirect\\u005furis" : ["https://other.example/cb"]'],
      ['a member twice in a part', '"extension":{"list":[{"a":1,"b":{"a":1},"a":2}]}'],
    ] as const
  ).map(([what, member]): [string, unknown, string] => [
    what,
    JSON.stringify(plain).replace(/}$/, `,${member}}`),
    '',
  ]),
  ['another client_id', { ...plain, client_id: 'https://client.example/n' }, '/client_id'],
  ['a client_id that is alike', { ...plain, client_id: `${url}/` }, '/client_id'],
  ['no client_id', { ...plain, client_id: undefined }, '/client_id'],
  ['a secret', { ...plain, client_secret: 'x' }, '/client_secret'],
  ['an expiry of a secret', { ...plain, client_secret_expires_at: 0 }, '/client_secret_expires_at'],
  [
    'a shared secret',
    { ...plain, token_endpoint_auth_method: 'client_secret_basic' },
    '/token_endpoint_auth_method',
  ],
  ['no keys', { ...plain, token_endpoint_auth_method: 'private_key_jwt' }, '/jwks'],
  [
    'a private key',
    {
      ...plain,
      redirect_uris: ['https://client.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    },
    '/jwks/keys/0/d',
  ],
  ...[
    ['both kinds of keys', { jwks: { keys: [jwk] }, jwks_uri: 'https://client.example/jwks' }],
    ['keys in a private network', { jwks_uri: 'https://10.0.0.1/jwks' }],
    ['keys without TLS', { jwks_uri: 'http://client.example/jwks' }],
    ['an address of keys that is no text', { jwks_uri: 1 }],
  ].map(([what, part]): [string, unknown, string] => [
    String(what),
    {
      ...plain,
      redirect_uris: ['https://client.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      ...(part as object),
    },
    '/jwks_uri',
  ]),
  ['a name without letters', { ...plain, client_name: '\u200b' }, '/client_name'],
  ['a name that reorders text', { ...plain, client_name: 'A\u202egent' }, '/client_name'],
  ['a long name', { ...plain, client_name: 'n'.repeat(101) }, '/client_name'],
  ['a name that is no text', { ...plain, client_name: { en: 'Agent' } }, '/client_name'],
  ['a script as logo', { ...plain, logo_uri: 'javascript:alert(1)' }, '/logo_uri'],
  ['a script as homepage', { ...plain, client_uri: 'data:text/html,x' }, '/client_uri'],
  ['a script as policy', { ...plain, policy_uri: 'javascript:alert(1)' }, '/policy_uri'],
  ['terms without TLS', { ...plain, tos_uri: 'http://127.0.0.1/tos' }, '/tos_uri'],
  ['terms that are no text', { ...plain, tos_uri: ['https://a.example'] }, '/tos_uri'],
  ['no redirect URI', { ...plain, redirect_uris: [] }, '/redirect_uris'],
  ['redirect URIs as text', { ...plain, redirect_uris: 'https://a.example' }, '/redirect_uris'],
  ['plain http', { ...plain, redirect_uris: ['http://a.example/cb'] }, '/redirect_uris/0'],
  ['a wildcard', { ...plain, redirect_uris: ['https://*.example/cb'] }, '/redirect_uris/0'],
  ['a fragment', { ...plain, redirect_uris: ['https://a.example/#'] }, '/redirect_uris/0'],
  ['a program', { ...plain, redirect_uris: ['javascript:alert(1)'] }, '/redirect_uris/0'],
  ['only implicit', { ...plain, grant_types: ['implicit'] }, '/grant_types'],
  ['only tokens', { ...plain, response_types: ['token'] }, '/response_types'],
  ['scopes as a list', { ...plain, scope: ['records:create'] }, '/scope'],
  ['a scope with a quote', { ...plain, scope: 'a"b' }, '/scope'],
]

t.test('a logo that is an SVG is left out', async (t) => {
  const logo = { logo_uri: 'https://client.example/logo.svg' }
  const { logoUri } = await check(
    JSON.stringify({ ...plain, redirect_uris: ['https://client.example/cb'], ...logo }),
  )
  t.equal(logoUri, null)
})

const withKey = (members: string) =>
  `${JSON.stringify({
    ...plain,
    redirect_uris: ['https://client.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
  }).replace(/}$/, '')},"jwks":{"keys":[${JSON.stringify(jwk).replace(/}$/, '')},${members}}]}}`

t.test('of a key, only what a signature needs is kept', async (t) => {
  const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`
  for (const members of ['"x5t":"\\u0000"', '"o":"\\ud800"', `"o":${deep}`])
    t.same((await check(withKey(`"kid":"one",${members}`))).jwks, {
      keys: [{ ...jwk, kid: 'one' }],
    })
  const malformed: [member: string, value: string][] = [
    ['kid', '"a\\u0000b"'],
    ['kid', '"\\ud800"'],
    ['kid', deep],
    ['kid', `"${'k'.repeat(2001)}"`],
    ['key_ops', 'null'],
    ['key_ops', '"verify"'],
    ['key_ops', `[${deep}]`],
    ['n', '5'],
    ['alg', 'null'],
  ]
  for (const [member, value] of malformed)
    t.same(await faultsOf(withKey(`"${member}":${value}`)), [`/jwks/keys/0/${member}`], member)
})

t.test('names that are equal in different objects are no twins', async (t) => {
  const members = '"a":{"a":{"b":1},"b":[{"a":"{\\"a\\":1,\\"a\\":"},{"a":"a"}]},"b":["a","a"]'
  t.match(await check(JSON.stringify(plain).replace(/}$/, `,${members}}`)), { name: 'Agent' })
})

t.test('refuses hostile documents', async (t) => {
  for (const [what, document, pointer] of hostile)
    t.ok((await faultsOf(document)).includes(pointer), what)
})
