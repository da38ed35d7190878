import type { JWK } from 'jose'
import { type Fault, faultAt } from '../language/faults.ts'
import { publicKeyFaults, publicPart } from '../outbound/public-keys.ts'

export interface ClientJwks {
  keys: object[]
}

export const mostKeys = 10

/** Checks the public keys that verify a client's assertions (RFC 7517 §5, RFC 7523). */
export const jwksFaults = async (jwks: ClientJwks | null | undefined): Promise<Fault[]> => {
  if (!jwks) return []
  if (jwks.keys.length === 0 || jwks.keys.length > mostKeys)
    return [faultAt('/jwks/keys', 'jwks', `needs 1 to ${mostKeys} keys`)]
  const faults = await Promise.all(
    jwks.keys.map((key, index) => publicKeyFaults(key as JWK, `/jwks/keys/${index}`)),
  )
  return faults.flat()
}

/** Without what no signature needs. @param jwks without faults */
export const publicJwks = ({ keys }: ClientJwks): ClientJwks => ({ keys: keys.map(publicPart) })
