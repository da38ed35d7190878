import { constants, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import {
  isFresh,
  longestProof,
  normalUrl,
  type ProofAlgorithm,
  type ProofFault,
  type ProofKey,
  type ProofTimes,
  proofFreshness,
  readProofClaims,
  readProofHeader,
} from '#verify/rules/dpop-proof'
import { toDer } from '#verify/rules/ecdsa-signature'
import { type CompactJws, readCompactJws } from '../crypto/compact-jws.ts'
import { digestOf, singleUseKey } from '../crypto/digests.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { endpointUrls, type Place } from '../language/endpoints.ts'
import { invalidProof, staleProof } from '../language/errors.ts'
import type { RecordStore } from '../limits/records.ts'

/** A request with a valid proof of possession. */
export interface DpopProof {
  /** Thumbprint of the key. */
  jkt: string
  /** Signature algorithm of the proof. */
  algorithm: string
  /** The proof had a nonce of this server. */
  hadNonce: boolean
  /**
   * RFC 9449 §11.1: accepts each proof once, on all instances. The last check before anything is issued or consumed.
   * @throws OAuthError invalid_dpop_proof
   */
  use(): Promise<void>
}

/** The request that carries the proof. */
export interface ProofPlace {
  method: string
  /** Path of the endpoint, as the issuer publishes it. The proof may name an alias of the endpoint. */
  path: string
  /** null: the request has no access token */
  accessToken: string | null
}

/** `size`: bytes of r, and of s (RFC 7518 §3.4). */
const signing: Record<ProofAlgorithm, { hash: string | null; size?: number; padding?: number }> = {
  ES256: { hash: 'sha256', size: 32 },
  ES384: { hash: 'sha384', size: 48 },
  EdDSA: { hash: null },
  Ed25519: { hash: null },
  RS256: { hash: 'sha256' },
  PS256: { hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
}

const isSigned = ({ jwk, algorithm }: ProofKey, { signingInput, signature }: CompactJws) => {
  const { hash, size, padding } = signing[algorithm]
  if (size !== undefined && signature.length !== 2 * size) return false
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    const pss = padding !== undefined && { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    const made = size === undefined ? signature : toDer(signature)
    return verify(hash, Buffer.from(signingInput), { key, ...pss }, made)
  } catch {
    return false // the point is not on the curve
  }
}

/** @throws OAuthError for a fault */
const accepted = <Value extends object>(value: Value | ProofFault): Value => {
  if (typeof value === 'string') throw invalidProof(value)
  return value
}

/** Checks proofs of possession (DPoP, RFC 9449 §4.3). */
export const createDpop = (deps: {
  place: Place
  records: Pick<RecordStore, 'insert'>
  keyring: Pick<Keyring, 'digest' | 'digestMatches'>
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { place, records, keyring, now } = deps
  const at = () => now() / 1000

  const nonceText = (seconds: string) => `dpop nonce ${seconds}`
  /** A new nonce, for clients with a wrong clock. */
  const nonce = () => {
    const seconds = Math.floor(at()).toString(36)
    return `${seconds}.${keyring.digest(nonceText(seconds)).toString('base64url')}`
  }

  /** The time in seconds at which this server made the nonce; null: it is not ours. */
  const nonceTime = (text: string): number | null => {
    const [seconds = '', mac = ''] = text.split('.')
    const isOurs = keyring.digestMatches(nonceText(seconds), Buffer.from(mac, 'base64url'))
    return isOurs ? Number.parseInt(seconds, 36) : null
  }

  /**
   * The time of the proof: by our nonce if it has one, else by the client's clock (§4.3, 11). Only clients with a
   * wrong clock need a nonce.
   * @throws OAuthError use_dpop_nonce when that time is not fresh
   */
  const timeOf = ({ iat, nonce: given }: ProofTimes): number => {
    const time = given === null ? iat : nonceTime(given)
    if (time === null || !isFresh(time, at())) throw staleProof()
    return time
  }

  return {
    nonce,
    /**
     * Checks the proof of a request. It asks no store and consumes nothing.
     * @throws OAuthError invalid_dpop_proof, use_dpop_nonce
     */
    read: (header: string, { method, path, accessToken }: ProofPlace): DpopProof => {
      const jws = header.length > longestProof ? null : readCompactJws(header)
      if (!jws) throw invalidProof('proof_malformed')
      const key = accepted(readProofHeader(jws.header))
      const sent = normalUrl(String(jws.claims.htu))
      const [own, ...others] = endpointUrls(place, path).map(normalUrl) as [string, ...string[]]
      const times = accepted(
        readProofClaims(jws.claims, {
          method,
          url: others.find((one) => one === sent) ?? own,
          tokenHash: accessToken && digestOf(accessToken),
        }),
      )
      const time = timeOf(times)
      if (!isSigned(key, jws)) throw invalidProof('proof_signature')
      const jkt = digestOf(key.thumbprinted)
      return {
        jkt,
        algorithm: key.algorithm,
        hadNonce: times.nonce !== null,
        use: async () => {
          const id = singleUseKey(jkt, times.jti)
          // Kept as long as the proof could be replayed, and a little longer for the clocks of stores.
          const life = Math.max(0, time + proofFreshness - at()) + 10
          const isNew = await records.insert('dpop', id, { state: 'used', value: '' }, life)
          if (!isNew) throw invalidProof('proof_replayed')
        },
      }
    },
  }
}

export type Dpop = ReturnType<typeof createDpop>
