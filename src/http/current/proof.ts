import type { FastifyReply } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'
import type { Dpop, DpopProof } from '../../core/tokens/dpop.ts'

const sendNonce = (dpop: Dpop, reply: FastifyReply) => reply.header('dpop-nonce', dpop.nonce())

/**
 * Reads the DPoP proof of a request. Node joins several headers to one value, which is not a valid proof.
 * @param path path of the endpoint
 * @param accessToken the access token that the proof must cover
 * @returns null when the request has no proof
 * @throws OAuthError invalid_dpop_proof, use_dpop_nonce
 */
export const readProof = (
  dpop: Dpop,
  reply: FastifyReply,
  path: string,
  accessToken: string | null = null,
): DpopProof | null => {
  const { headers, method } = reply.request
  const header = headers.dpop
  if (header === undefined) return null
  try {
    const proof = dpop.read(String(header), { method, path, accessToken })
    // RFC 9449 §8.2: sends the next nonce in advance, so that the next proof is not refused first.
    if (proof.hadNonce) sendNonce(dpop, reply)
    return proof
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'use_dpop_nonce') sendNonce(dpop, reply)
    throw error
  }
}
