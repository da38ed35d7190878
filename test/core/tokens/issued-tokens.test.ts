/** What is remembered of a token that was verified: its claims, while its key is published and its time lasts. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import tap from 'tap'
import { createIssuedTokens } from '../../../src/core/tokens/issued-tokens.ts'
import { createJwtSigner } from '../../../src/core/tokens/jwt.ts'

const issuer = 'https://auth.example'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

tap.test('a remembered token', async (t) => {
  const published = new Map<string, KeyObject>([['one', createPublicKey(privateKey)]])
  let looked = 0
  let seconds = 1_000_000
  const signingKeys = {
    active: () => ({ kid: 'one', alg: 'ES256' as const, privateKey }),
    publicKey: (kid: string) => {
      looked += 1
      return published.get(kid) ?? null
    },
  }
  const tokens = createIssuedTokens({ signingKeys, issuer, now: () => seconds * 1000 })
  const sign = createJwtSigner(signingKeys, 'at+jwt')
  const token = sign({ iss: issuer, exp: seconds + 60, jti: 'a' })

  t.equal(tokens.recall(token), null, 'nothing before it was verified')
  t.equal(tokens.read(token)?.refused, null)
  looked = 0
  t.equal(tokens.recall(token)?.claims?.jti, 'a')
  t.equal(looked, 1, 'its key is asked for each time')

  const [header, claims, signature] = token.split('.') as [string, string, string]
  const others = [
    `${header}.${Buffer.from('{"iss":"https://auth.example","exp":9999999}').toString('base64url')}.${signature}`,
    `${header}.${claims}.${signature.slice(0, -2)}AA`,
  ]
  for (const other of others) {
    t.equal(tokens.read(other)?.refused, 'signature_invalid')
    t.equal(tokens.recall(other), null, 'what is not ours is not remembered')
  }

  seconds += 61
  t.equal(tokens.recall(token)?.refused, 'expired')
  seconds -= 61
  published.set(
    'one',
    createPublicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  )
  t.equal(tokens.recall(token), null, 'another key of the same name')
  t.equal(tokens.read(token)?.refused, 'signature_invalid')
  published.delete('one')
  t.equal(tokens.recall(token), null, 'a withdrawn key')

  t.equal(tokens.read('a.b.c'), null)
  t.equal(tokens.read(''), null)
})
