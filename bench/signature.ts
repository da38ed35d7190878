import { type KeyObject, sign, verify } from 'node:crypto'
import { fromDer, toDer } from '#verify/rules/ecdsa-signature'

// ES256 at Node's lowest cost, for all servers but ours, so that only the additional costs differ.

/** @returns the JWS in compact form */
export const signed = (input: string, key: KeyObject): string => {
  const signature = fromDer(sign('sha256', Buffer.from(input), key), 32)
  return `${input}.${Buffer.from(signature.buffer).toString('base64url')}`
}

/** @param signature base64url */
export const isSigned = (input: string, signature: string, key: KeyObject): boolean =>
  verify('sha256', Buffer.from(input), key, toDer(Buffer.from(signature, 'base64url')))

/** @throws Error if a token is not a JWT with ES256: the compared servers do the same work */
export const checkSignature = (token: string) => {
  const header = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()
  if (!/"alg": ?"ES256"/.test(header)) throw new Error(`a token without ES256: ${header}`)
}
