import { createHmac, createPublicKey } from 'node:crypto'
import { toDer } from '#verify/rules/ecdsa-signature'
import { curves, toBytes, toNumber } from './ecdsa.ts'
import { ecKey } from './keys.ts'
import { type Expected, invalid, type Theme } from './vector.ts'
import {
  accepted,
  alteredToken,
  claimsFor,
  currentUser,
  encode,
  headerOf,
  issuer,
  published,
  signed,
  signingKey,
  tokenOf,
  vector,
} from './world.ts'

const good = tokenOf(currentUser)
const [header, payload, signature] = good.split('.') as [string, string, string]
const attackerKey = ecKey('key of an attacker')
const claimsText = JSON.stringify(claimsFor(currentUser))

const refused = (name: string, credential: string, reason: string) =>
  vector(name, { credential, expect: invalid(reason) })

/** Signed by the server's key, so that only this is wrong. */
const withHeader = (name: string, changes: Record<string, unknown>, reason: string) =>
  refused(name, alteredToken({}, changes), reason)
const withClaims = (name: string, changes: Record<string, unknown>, reason: string) =>
  refused(name, alteredToken(changes), reason)
const withText = (name: string, texts: { header?: string; payload?: string }) => {
  const { header = JSON.stringify(headerOf(signingKey)), payload = claimsText } = texts
  return refused(name, signed(signingKey, header, payload), 'malformed')
}

const hmac = (key: string | Buffer, head: Record<string, unknown>) => {
  const input = `${encode(head)}.${payload}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}
const withSignature = (bytes: Uint8Array) =>
  `${header}.${payload}.${Buffer.from(bytes).toString('base64url')}`

const pem = createPublicKey({ key: signingKey.jwk, format: 'jwk' }).export({
  type: 'spki',
  format: 'pem',
})
const hs256 = { alg: 'HS256', typ: 'at+jwt', kid: signingKey.thumbprint }

const algorithms = [
  ...['none', 'None', 'NONE', ''].flatMap((alg) => [
    refused(
      `alg "${alg}" without a signature`,
      `${encode({ ...headerOf(signingKey), alg })}.${payload}.`,
      'algorithm',
    ),
    withHeader(`alg "${alg}" with a signature`, { alg }, 'algorithm'),
  ]),
  withHeader('no alg', { alg: undefined }, 'algorithm'),
  withHeader('alg as a list', { alg: ['ES256'] }, 'algorithm'),
  ...['HS384', 'HS512', 'es256', 'ES384', 'ES512', 'PS256', 'ES256K', 'constructor', 'dir'].map(
    (alg) => withHeader(`alg ${alg}`, { alg }, 'algorithm'),
  ),
  withHeader('RS256 in the header of a token of a P-256 key', { alg: 'RS256' }, 'algorithm'),
  withHeader('EdDSA in the header of a token of a P-256 key', { alg: 'EdDSA' }, 'algorithm'),
  refused('HS256 with the public key in PEM as the secret', hmac(pem, hs256), 'claims'),
  refused(
    'HS256 with the public key as JSON as the secret',
    hmac(JSON.stringify(published(signingKey)), hs256),
    'claims',
  ),
  refused(
    'HS256 with the public key as the secret, under the type of a self-signed token',
    hmac(pem, { alg: 'HS256', typ: 'JWT' }),
    'claims',
  ),
  refused('HS256 with an empty secret', hmac('', { alg: 'HS256', typ: 'JWT' }), 'claims'),
]

const broughtAlong = [
  refused(
    'the key of an attacker in jwk',
    signed(attackerKey, { ...headerOf(signingKey), jwk: attackerKey.jwk }, claimsFor(currentUser)),
    'header',
  ),
  ...Object.entries({
    jwk: published(signingKey),
    jku: 'https://evil.example/jwks.json',
    x5u: 'https://evil.example/certificate',
    x5c: ['AAAA'],
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
    enc: 'A128GCM',
    cty: 'JWT',
  }).map(([name, value]) =>
    withHeader(`the header parameter ${name}`, { [name]: value }, 'header'),
  ),
  withHeader('an empty list as crit', { crit: [] }, 'header'),
  withHeader('a critical extension that is unknown', { crit: ['ext'], ext: 1 }, 'header'),
  withHeader('no kid', { kid: undefined }, 'header'),
  withHeader('a number as kid', { kid: 1 }, 'header'),
  withHeader('an empty kid', { kid: '' }, 'header'),
  withHeader('null as kid', { kid: null }, 'header'),
  withHeader('an unknown kid', { kid: attackerKey.thumbprint }, 'key_unknown'),
  withHeader('a path as kid', { kid: '../../../dev/null' }, 'key_unknown'),
  withHeader('a URL as kid', { kid: 'https://evil.example/key' }, 'key_unknown'),
  withHeader('SQL as kid', { kid: "' UNION SELECT 'secret' --" }, 'key_unknown'),
  withHeader('a shell command as kid', { kid: '|/bin/sleep 10' }, 'key_unknown'),
  withHeader('a line break and a header as kid', { kid: 'a\r\nx-admin: 1' }, 'key_unknown'),
  withHeader('NUL after the right kid', { kid: `${signingKey.thumbprint}\0` }, 'key_unknown'),
  withHeader('__proto__ as kid', { kid: '__proto__' }, 'key_unknown'),
  withHeader('constructor as kid', { kid: 'constructor' }, 'key_unknown'),
  refused(
    'the key of an attacker under the kid of the server',
    signed(attackerKey, headerOf(signingKey), claimsFor(currentUser)),
    'signature',
  ),
  withHeader('the type of an ID token', { typ: 'JWT' }, 'header'),
  withHeader('the type of a logout token', { typ: 'logout+jwt' }, 'header'),
  withHeader('the type of a proof', { typ: 'dpop+jwt' }, 'header'),
  withHeader('a type that begins with the right one', { typ: 'at+jwt2' }, 'header'),
  withHeader('a type with a space', { typ: 'at+jwt ' }, 'header'),
  withHeader('no type', { typ: undefined }, 'header'),
  withHeader('null as type', { typ: null }, 'header'),
  withHeader('a list as type', { typ: ['at+jwt'] }, 'header'),
]

/** A character that decodes to the same bytes: the last of 86 has four unused bits. */
const otherSpelling = (text: string) =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1)

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const forms = [
  refused('five parts, as an encrypted token has', `${good}.AAAA.AAAA`, 'malformed'),
  refused('four parts', `${good}.AAAA`, 'malformed'),
  refused('two parts', `${header}.${payload}`, 'malformed'),
  refused('one part', header, 'malformed'),
  refused('a dot at the end', `${good}.`, 'malformed'),
  refused('a dot at the beginning', `.${good}`, 'malformed'),
  refused('two dots in the middle', good.replace('.', '..'), 'malformed'),
  refused('two dots alone', '..', 'malformed'),
  refused('no signature', `${header}.${payload}.`, 'signature'),
  refused('a detached payload', `${header}..${signature}`, 'signature'),
  refused('padding at the end', `${good}==`, 'malformed'),
  refused('padding after the header', good.replace('.', '=.'), 'malformed'),
  refused('the alphabet of plain base64', `${good.slice(0, -2)}+/`, 'malformed'),
  refused('unused bits that are not zero', otherSpelling(good), 'malformed'),
  refused(
    'a length that no base64url has',
    `${header}.${payload}.${signature.slice(0, -1)}`,
    'malformed',
  ),
  refused('a space at the end', `${good} `, 'malformed'),
  refused('a space at the beginning', ` ${good}`, 'malformed'),
  refused('a space after a dot', good.replace('.', '. '), 'malformed'),
  refused('a line break at the end', `${good}\n`, 'malformed'),
  refused('a line break in the middle', good.replace('.', '.\n'), 'malformed'),
  refused('NUL at the end', `${good}\0`, 'malformed'),
  refused('a letter that is not ASCII', `${good}é`, 'malformed'),
  refused('full-width digits', good.replace(/[0-9]/, '０'), 'malformed'),
  refused('percent-encoding', good.replace('.', '%2E'), 'malformed'),
  refused('the scheme before the token', `Bearer ${good}`, 'malformed'),
  refused('the token twice', `${good},${good}`, 'malformed'),
  refused('the token in quotes', `"${good}"`, 'malformed'),
  refused(
    'JSON serialization',
    JSON.stringify({ payload, protected: header, signature }),
    'malformed',
  ),
  refused(
    'a token in a token',
    signed(signingKey, { ...headerOf(signingKey), cty: 'JWT' }, good),
    'header',
  ),
  refused('a token as payload', signed(signingKey, headerOf(signingKey), good), 'malformed'),
  refused('16,384 characters that are no token', 'A'.repeat(16_384), 'malformed'),
  refused('16,385 characters', 'A'.repeat(16_385), 'too_long'),
  refused(
    'a token of more than 16,384 characters',
    alteredToken({ note: 'x'.repeat(12_000) }),
    'too_long',
  ),
  refused('an empty text', '', 'missing'),
  refused('a refresh token', 'lkrt_9dcr4V8xZfG2mYQwq0TnBkJ3uLhS7aPe', 'malformed'),
  refused('a word', 'token', 'malformed'),
]

const twice = (text: string) => claimsText.replace('{', `{${text},`)

const texts = [
  withText('a header that is not JSON', { header: '{"alg":"ES256",' }),
  withText('a list as header', { header: '[{"alg":"ES256"}]' }),
  withText('a list nested a thousand deep as header', { header: nested(1000) }),
  withText('a payload that is not JSON', { payload: 'hello' }),
  withText('an empty payload', { payload: '' }),
  withText('a list as payload', { payload: '[]' }),
  withText('null as payload', { payload: 'null' }),
  withText('a text as payload', { payload: '"usr_ada"' }),
  withText('a list nested two thousand deep as payload', { payload: nested(2000) }),
  withText('more text after the payload', { payload: `${claimsText}{}` }),
  withText('a comma after the last claim', { payload: claimsText.replace(/\}$/, ',}') }),
  withText('a comment in the payload', { payload: claimsText.replace('{', '{/* */') }),
  withText('single quotes in the payload', { payload: claimsText.replaceAll('"', "'") }),
  withText('NaN in the payload', { payload: twice('"x":NaN') }),
  withText('Infinity as exp', { payload: claimsText.replace(/"exp":\d+/, '"exp":Infinity') }),
  withText('a number with a leading zero', { payload: twice('"x":01') }),
  withText('a byte order mark before the payload', { payload: `\uFEFF${claimsText}` }),
  withText('alg twice in the header', {
    header: `{"alg":"none",${JSON.stringify(headerOf(signingKey)).slice(1)}`,
  }),
  withText('alg twice in the header, once in escapes', {
    header: `{"\\u0061lg":"none",${JSON.stringify(headerOf(signingKey)).slice(1)}`,
  }),
  withText('sub twice', { payload: twice('"sub":"usr_eve"') }),
  withText('sub twice, with a space before the colon', { payload: twice('"sub" :"usr_eve"') }),
  withText('sub twice, once in escapes', { payload: twice('"\\u0073ub":"usr_eve"') }),
  withText('sub twice, beside a text with a quote and a colon', {
    payload: twice('"x":"\\": ","sub" : "usr_eve"'),
  }),
  withText('a member of an unknown claim twice', { payload: twice('"x":[{"a":1,"a":2}]') }),
  refused(
    'a header that is not UTF-8',
    `${Buffer.from('{"alg":"ES256","typ":"\xff"}', 'latin1').toString('base64url')}.${payload}.${signature}`,
    'malformed',
  ),
  vector('white space and quotes in the payload, which is no fault', {
    credential: signed(
      signingKey,
      headerOf(signingKey),
      JSON.stringify({ ...claimsFor(currentUser), note: '"a":"b", \\"c\\": ' }, null, 2),
    ),
    expect: accepted(currentUser),
  }),
]

const { order, size } = curves.ES256
const bytes = Buffer.from(signature, 'base64url')
const r = bytes.subarray(0, size)
const s = bytes.subarray(size)
const zero = Buffer.alloc(size)
const n = toBytes(order, size)
const withNumbers = (
  name: string,
  first: Buffer,
  second: Buffer,
  expect: Expected = invalid('signature'),
) => vector(name, { credential: withSignature(Buffer.concat([first, second])), expect })

const signatures = [
  withNumbers('r and s of zero', zero, zero),
  withNumbers('r of zero', zero, s),
  withNumbers('s of zero', r, zero),
  withNumbers('r of the order of the curve', n, s),
  withNumbers('s of the order of the curve', r, n),
  withNumbers('r and s exchanged', s, r),
  withNumbers(
    'the order minus s, which signs the same text (ECDSA is malleable)',
    r,
    toBytes(order - toNumber(s), size),
    accepted(currentUser),
  ),
  refused('a signature in DER', withSignature(toDer(bytes)), 'signature'),
  refused(
    'r and s with a zero byte before each',
    withSignature(Buffer.concat([Buffer.of(0), r, Buffer.of(0), s])),
    'signature',
  ),
  refused(
    'a byte after the signature',
    withSignature(Buffer.concat([bytes, Buffer.of(0)])),
    'signature',
  ),
  refused('a byte less in the signature', withSignature(bytes.subarray(0, -1)), 'signature'),
  refused('r alone', withSignature(r), 'signature'),
  refused(
    'the signature of another token',
    `${header}.${encode({ ...claimsFor(currentUser), sub: 'usr_eve' })}.${signature}`,
    'signature',
  ),
  refused(
    'a header with other white space under the same signature',
    `${encode(JSON.stringify(headerOf(signingKey), null, 1))}.${payload}.${signature}`,
    'signature',
  ),
]

const claims = [
  ...Object.entries({
    'an issuer with a slash at the end': `${issuer}/`,
    'an issuer in capital letters': issuer.toUpperCase(),
    'an issuer with its port': `${issuer}:443`,
    'an issuer with plain HTTP': issuer.replace('https', 'http'),
    'an issuer that begins with ours': `${issuer}.evil.example`,
    'an issuer with a Cyrillic letter': issuer.replace('a', 'а'),
    'an issuer with a space at the end': `${issuer} `,
    'an issuer in a list': [issuer],
    'no issuer': undefined,
    'null as issuer': null,
  }).map(([name, iss]) => withClaims(name, { iss }, 'issuer')),
  ...Object.entries({
    'an audience with two slashes at the end': 'https://api.example.com//',
    'an audience that begins with ours': 'https://api.example.com.evil.example',
    'an audience that ours begins with': 'https://api.example',
    'an audience with a Cyrillic letter': 'https://аpi.example.com',
    'the client as audience, as in an ID token': 'app_board',
    'a list of other audiences': ['https://files.example.com', 'x'],
    'an empty list of audiences': [],
    'a list of audiences that contains a number': ['https://api.example.com', 1],
    'a list of lists of audiences': [['https://api.example.com']],
    'an object as audience': { 'https://api.example.com': true },
    'no audience': undefined,
    'null as audience': null,
  }).map(([name, aud]) => withClaims(name, { aud }, 'audience')),
  withClaims('a number as organization_id', { organization_id: 1 }, 'claims'),
  withClaims('a list as organization_id', { organization_id: ['org_north'] }, 'claims'),
  withClaims('true as client_id', { client_id: true }, 'claims'),
  withClaims('a list as sub', { sub: ['usr_ada'] }, 'claims'),
  withClaims('a number as sub', { sub: 1 }, 'claims'),
  withClaims('an empty sub', { sub: '' }, 'claims'),
  withClaims('a number as jti', { jti: 1 }, 'claims'),
  withClaims('null as permissions', { permissions: null }, 'claims'),
  withClaims('an object as permissions', { permissions: { 'records:create': true } }, 'claims'),
  withClaims('a list as kind', { kind: ['user'] }, 'claims'),
  withClaims('the interface in capital letters', { interface: 'CURRENT' }, 'claims'),
  withClaims('a number in workspace_ids', { workspace_ids: ['wks_plan', 1] }, 'claims'),
  withClaims('* as workspace_ids', { workspace_ids: '*' }, 'claims'),
  withClaims('workspace_ids of a current token as an object', { workspace_ids: {} }, 'claims'),
  withClaims('an epoch with a fraction', { app_epoch: 0.5 }, 'claims'),
  withClaims('null as grant_id', { grant_id: null }, 'claims'),
  withClaims('an empty install_id', { install_id: '' }, 'claims'),
  withClaims('a key binding of an unknown kind', { cnf: { kid: 'x' } }, 'claims'),
  withClaims('a key binding of two kinds', { cnf: { jkt: 'x', 'x5t#S256': 'y' } }, 'claims'),
  withClaims('an empty key binding', { cnf: {} }, 'claims'),
  withClaims('null as key binding', { cnf: null }, 'claims'),
  withClaims('a text as key binding', { cnf: 'x' }, 'claims'),
]

/** Forged, altered and misused tokens (RFC 8725, RFC 9068 §4). */
export const hostileTokens = (): Theme => ({
  file: 'hostile-tokens',
  vectors: [...algorithms, ...broughtAlong, ...forms, ...texts, ...signatures, ...claims],
})
