import { createHash, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningAlgorithm } from '../clients/signing-algorithm.ts'
import type { Keyring } from '../crypto/keyring.ts'

export interface NewSigningKey {
  kid: string
  alg: SigningAlgorithm
  publicJwk: Record<string, unknown>
  sealedPrivateKey: Buffer
}

const newKeyPair = promisify(generateKeyPair)

/** The place of a sealed private key, which its encryption is bound to. */
export const sealedRowOf = ({ alg, kid }: Pick<NewSigningKey, 'alg' | 'kid'>) =>
  `${alg === 'RS256' ? 'rsa_signing_keys' : 'signing_keys'}:${kid}`

/** RFC 7638: the required members in this order, whose hash is the thumbprint. */
const membersOf = (publicKey: KeyObject): Record<string, unknown> => {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' })
  return kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y }
}

/** Off the main thread: an RSA key takes some 100 ms. */
const pairFor = (alg: SigningAlgorithm) =>
  alg === 'RS256'
    ? newKeyPair('rsa', { modulusLength: 2048 })
    : newKeyPair('ec', { namedCurve: 'P-256' })

export const generateSigningKey = async (
  alg: SigningAlgorithm,
  keyring: Pick<Keyring, 'seal'>,
): Promise<NewSigningKey> => {
  const { publicKey, privateKey } = await pairFor(alg)
  const members = membersOf(publicKey)
  const kid = createHash('sha256').update(JSON.stringify(members)).digest('base64url')
  const der = privateKey.export({ type: 'pkcs8', format: 'der' })
  return {
    kid,
    alg,
    publicJwk: { ...members, kid, alg, use: 'sig' },
    sealedPrivateKey: keyring.seal(der, sealedRowOf({ alg, kid })),
  }
}
