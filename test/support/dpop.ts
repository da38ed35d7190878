import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Json } from './latchkey.ts'

/** A key holder who sends a proof with each request (RFC 9449 §4). */
export interface Holder {
  jkt: string
  jwk: JWK
  /** A proof for one request; undefined members of `claims` or `header` are left out. */
  prove(
    url: string,
    claims?: Record<string, unknown>,
    header?: Record<string, unknown>,
  ): Promise<string>
  /** The headers of a POST with a new proof. */
  posts(url: string, claims?: Record<string, unknown>): Promise<{ dpop: string }>
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

export const seconds = () => Math.floor(Date.now() / 1000)

export const createHolder = async (alg = 'ES256', bits = 2048): Promise<Holder> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, {
    extractable: true,
    modulusLength: bits,
  })
  const jwk = await exportJWK(publicKey)
  const prove: Holder['prove'] = (url, claims = {}, header = {}) =>
    new SignJWT({ jti: randomUUID(), htm: 'POST', htu: url, iat: seconds(), ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
      .sign(privateKey)
  return {
    jkt: await calculateJwkThumbprint(jwk),
    jwk,
    prove,
    posts: async (url, claims) => ({ dpop: await prove(url, claims) }),
  }
}

/** A GET with a token and its proof. */
export const getWithProof = async (
  holder: Holder,
  at: string,
  token: string,
  claims: Record<string, unknown> = {},
): Promise<{ status: number; headers: Headers; body: Json }> => {
  const dpop = await holder.prove(at, { htm: 'GET', ath: hashOf(token), ...claims })
  const response = await fetch(at, { headers: { authorization: `DPoP ${token}`, dpop } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
