import { generateKeyPairSync, sign } from 'node:crypto'
import { jwtVerify } from 'jose'
import t from 'tap'
import { readCompactJws } from '../../../src/core/crypto/compact-jws.ts'
import { createJwtSigner, hasOwnHeader, isSignedByUs } from '../../../src/core/tokens/jwt.ts'
import { paddedSignature } from '../../support/padded-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { kid: 'key-1', alg: 'ES256', privateKey }
const signingKeys = {
  active: () => key,
  publicKey: (kid: string) => (kid === key.kid ? publicKey : undefined),
} as unknown as Parameters<typeof createJwtSigner>[0] & Parameters<typeof isSignedByUs>[0]

const isOurs = (token: string) => {
  const jws = readCompactJws(token)
  return jws !== null && isSignedByUs(signingKeys, jws)
}

t.test('other libraries verify tokens that are signed here', async (t) => {
  const signed = createJwtSigner(signingKeys, 'at+jwt')
  for (let run = 0; run < 300; run++) {
    const token = signed({ sub: `usr${run}` })
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'] })
    if (payload.sub !== `usr${run}` || !isOurs(token)) t.fail(token)
  }
})

t.test('the key decides the algorithm (RFC 8725 §3.1)', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsaKey = { kid: 'key-2', alg: 'RS256' as const, privateKey: rsa.privateKey }
  const keys = {
    active: () => key,
    publicKey: (kid: string) => ({ 'key-1': publicKey, 'key-2': rsa.publicKey })[kid] ?? null,
  } as unknown as typeof signingKeys
  const isSigned = (token: string) => {
    const jws = readCompactJws(token)
    return jws !== null && hasOwnHeader(jws, 'JWT') && isSignedByUs(keys, jws)
  }
  const good = createJwtSigner(keys, 'JWT')({ sub: 'usr' }, rsaKey)
  await jwtVerify(good, rsa.publicKey, { algorithms: ['RS256'] })
  t.ok(isSigned(good))
  const forged: Parameters<ReturnType<typeof createJwtSigner>>[1][] = [
    { ...rsaKey, kid: 'key-1' },
    { ...rsaKey, kid: 'key-3' },
    { kid: 'key-2', alg: 'ES256', privateKey },
  ]
  for (const one of forged) t.notOk(isSigned(createJwtSigner(keys, 'JWT')({ sub: 'usr' }, one)))
  const [, payload, signature] = good.split('.') as [string, string, string]
  const renamed = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: 'key-2' })).toString(
    'base64url',
  )
  t.notOk(isSigned(`${renamed}.${payload}.${signature}`))
  const access = readCompactJws(createJwtSigner(keys, 'at+jwt')({ sub: 'usr' }, rsaKey))
  t.notOk(access && hasOwnHeader(access, 'at+jwt'), 'access tokens have ES256 only')
})

t.test('a signature has one accepted form', async (t) => {
  const token = createJwtSigner(signingKeys, 'at+jwt')({ sub: 'usr' })
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url')
  const r = bytes.subarray(0, 32)
  const others: Record<string, Buffer> = {
    'with a leading zero for each number': Buffer.from(paddedSignature(signature), 'base64url'),
    'with an extra byte': Buffer.concat([bytes, Buffer.alloc(1)]),
    'with a byte less': bytes.subarray(0, 63),
    'as DER': sign('sha256', Buffer.from(`${header}.${payload}`), privateKey),
    'without s': r,
    'r alone, twice': Buffer.concat([r, r]),
    zeros: Buffer.alloc(64),
    'all bits': Buffer.alloc(64, 255),
  }
  t.ok(isOurs(token))
  for (const [what, other] of Object.entries(others))
    t.notOk(isOurs(`${header}.${payload}.${other.toString('base64url')}`), what)
})
