import { decodePart, partsOf } from './compact.ts'
import type { ProvenToken } from './credentials.ts'
import { ProofInvalid, TokenInvalid, VerificationUnavailable } from './errors.ts'
import { createNonces } from './nonces.ts'
import { digestOf } from './platform.ts'
import { createReplays } from './replays.ts'
import {
  isFresh,
  longestProof,
  normalUrl,
  type ProofFault,
  type ProofTimes,
  proofFreshness,
  readProofClaims,
  readProofHeader,
} from './rules/dpop-proof.ts'
import { createRecent } from './rules/recent.ts'
import type { Settings } from './settings.ts'
import { signatureCheck, type VerifyingKey } from './signature.ts'

/** A verified proof that the sender of a request holds a key. */
export interface Proof {
  /** The key's thumbprint (RFC 7638). */
  jkt: string
  /**
   * Consumes the proof: each is valid for one request (RFC 9449 §11.1).
   * @throws ProofInvalid, VerificationUnavailable
   */
  use(): Promise<void>
}

export interface Proofs {
  /**
   * Checks the proof of a request (RFC 9449 §4.3), except for replay.
   * @throws ProofInvalid
   */
  read(credential: ProvenToken): Promise<Proof>
}

interface Key {
  jkt: string
  verify: VerifyingKey['verify']
}

const base64url = (base64: string) =>
  base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const hashOf = async (text: string) => base64url(await digestOf(text))

const accepted = <Value extends object>(value: Value | ProofFault): Value => {
  if (typeof value === 'string') throw new ProofInvalid(value)
  return value
}

const readKey = async (header: string): Promise<Key> => {
  const members = decodePart(header)
  if (!members) throw new ProofInvalid('proof_malformed')
  const { algorithm, jwk, thumbprinted } = accepted(readProofHeader(members))
  const verify = await signatureCheck(algorithm, jwk).catch(() => {
    throw new ProofInvalid('proof_key')
  })
  return { verify, jkt: await hashOf(thumbprinted) }
}

/**
 * The URL of the request in the form in which proofs are compared.
 * @throws TypeError for a relative URL, ProofInvalid for one that no proof can cover
 */
const placeOf = (url: string): string => {
  // The query is not compared. It can be long.
  const place = normalUrl(url.split(/[?#]/, 1)[0] as string)
  if (place !== null) return place
  if (URL.canParse(url)) throw new ProofInvalid('proof_url')
  throw new TypeError('the URL of the request must be absolute')
}

export const createProofs = (
  settings: Pick<
    Settings,
    'resourceServer' | 'now' | 'rememberProof' | 'mostProofs' | 'maxTokenLength'
  >,
): Proofs => {
  const { now, rememberProof, mostProofs, maxTokenLength } = settings
  const nonces = createNonces(settings.resourceServer.clientSecret)
  const replays = createReplays(mostProofs)
  /** Proofs of one key have identical headers, so parsed keys are cached. */
  const keys = createRecent<Key>(1000)
  const at = () => now() / 1000

  const keyOf = async (header: string) => {
    const known = keys.get(header)
    if (known) return known
    const key = await readKey(header)
    keys.set(header, key)
    return key
  }

  /** The creation time of the proof: by the sender's clock or, when that is wrong, by our nonce (§4.3, 11). */
  const timeOf = async ({ iat, nonce }: ProofTimes): Promise<number> => {
    const time = nonce === null ? iat : await nonces.timeOf(nonce)
    if (time !== null && isFresh(time, at())) return time
    throw new ProofInvalid('proof_stale', await nonces.at(at()))
  }

  const remember = async (id: string, until: number) => {
    if (!rememberProof) return replays.isNew(id, until, at())
    try {
      return await rememberProof(id, Math.ceil(until - at()))
    } catch (cause) {
      throw new VerificationUnavailable('unreachable', cause)
    }
  }

  const check = async ({ token, proof, method, url }: ProvenToken): Promise<Proof> => {
    if (typeof token !== 'string' || token === '') throw new TokenInvalid('missing')
    if (token.length > maxTokenLength) throw new TokenInvalid('too_long')
    const isReadable = typeof proof === 'string' && proof.length <= longestProof
    const parts = isReadable ? partsOf(proof) : null
    const claims = parts && decodePart(parts[1])
    if (!parts || !claims) throw new ProofInvalid('proof_malformed')
    const here = placeOf(url)
    const [header, payload, signature] = parts
    const key = await keyOf(header)
    const target = { method, url: here, tokenHash: await hashOf(token) }
    const times = accepted(readProofClaims(claims, target))
    const time = await timeOf(times)
    if (!(await key.verify(`${header}.${payload}`, signature)))
      throw new ProofInvalid('proof_signature')

    const first = async () => {
      const id = await hashOf(`${key.jkt} ${times.jti}`)
      if (!(await remember(id, Math.ceil(time + proofFreshness))))
        throw new ProofInvalid('proof_replayed')
    }
    let using: Promise<void> | null = null
    const use = () => {
      using ??= first()
      return using
    }
    return { jkt: key.jkt, use }
  }

  const requests = new WeakMap<ProvenToken, Promise<Proof>>()
  return {
    read: (credential) => {
      const reading = requests.get(credential) ?? check(credential)
      requests.set(credential, reading)
      return reading
    },
  }
}
