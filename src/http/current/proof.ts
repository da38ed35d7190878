import type { FastifyReply } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'
import type { Dpop, DpopProof } from '../../core/tokens/dpop.ts'

const sendNonce = (dpop: Dpop, reply: FastifyReply) =>
  reply
    .header('dpop-nonce', dpop.nonce())
    .header('access-control-expose-headers', 'dpop-nonce, www-authenticate, retry-after')

/**
 * The proof that came with a request; of several headers Node makes one, which is none.
 * @param path of the endpoint
 * @param accessToken that it must be for
 * @returns null when there is none
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
    // RFC 9449 §8.2: the next one, so that it need not be refused first.
    if (proof.hadNonce) sendNonce(dpop, reply)
    return proof
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'use_dpop_nonce') sendNonce(dpop, reply)
    throw error
  }
}
