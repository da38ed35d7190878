import { createECDH, createHash, createPrivateKey, hkdfSync, sign } from 'node:crypto'
import { fromDer } from '#verify/rules/ecdsa-signature'
import type { Access, Actor } from '#verify/verify'

/** Seconds for which an assertion is valid. */
const assertionSeconds = 60
/** `iss` of assertions. It is no address, so that no verifier takes one for a token of the server. */
const assertionIssuer = 'urn:latchkey:door'

/** The claims about an access that have passed through `listed`. */
export interface Claims {
  permissions: readonly string[]
  workspace_ids: readonly string[] | null
  unlisted?: readonly string[]
}

/** `act` of RFC 8693 §4.1. */
const actOf = ({ clientId, actor }: Actor): object => ({
  client_id: clientId,
  ...(actor && { act: actOf(actor) }),
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Derives the key (HKDF, RFC 5869). Doors with the same secret have the same key, also after a restart, so that they
 * need no store and a service may ask any of them for the key set.
 */
const deriveKey = (secret: string) => {
  const ecdh = createECDH('prime256v1')
  for (let tries = 0; ; tries++) {
    const info = `latchkey door assertion ES256 ${tries}`
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', info, 32))
    try {
      ecdh.setPrivateKey(scalar)
    } catch {
      continue // One of 2^32 is too large for the curve.
    }
    const point = ecdh.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) =>
      one.toString('base64url'),
    )
    const jwk = { crv: 'P-256', kty: 'EC', x: x as string, y: y as string }
    return {
      jwk,
      key: createPrivateKey({ key: { ...jwk, d: scalar.toString('base64url') }, format: 'jwk' }),
    }
  }
}

/** @param secret of the resource server: 256 random bits, made by the server */
export const createAssertions = (secret: string, audience: string) => {
  const { jwk, key } = deriveKey(secret)
  // RFC 7638
  const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
  // RFC 8725 §3.11: a type of its own.
  const header = encode({ alg: 'ES256', typ: 'latchkey-door+jwt', kid })
  return {
    /** A JWT about this access. @param at seconds since 1970 */
    sign: (access: Access, claims: Claims, at: number) => {
      const payload = encode({
        iss: assertionIssuer,
        aud: audience,
        sub: access.kind === 'user' ? access.userId : access.clientId,
        iat: at,
        exp: at + assertionSeconds,
        interface: access.interface,
        kind: access.kind,
        client_id: access.clientId,
        organization_id: access.organizationId,
        ...('actor' in access && access.actor && { act: actOf(access.actor) }),
        ...claims,
      })
      const input = `${header}.${payload}`
      const signature = fromDer(sign('sha256', Buffer.from(input, 'latin1'), key), 32)
      return `${input}.${Buffer.from(signature).toString('base64url')}`
    },
    /** The key set document (RFC 7517). */
    jwks: JSON.stringify({ keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] }),
  }
}

export type Assertions = ReturnType<typeof createAssertions>
