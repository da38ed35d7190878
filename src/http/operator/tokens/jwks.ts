import { Type } from 'typebox'
import { mostKeys } from '../../../core/clients/client-jwks.ts'
import { algorithmsByKeyType } from '../../../core/outbound/public-keys.ts'
import * as api from '../schemas.ts'

const base64url = Type.Optional(Type.String({ maxLength: 2000, pattern: '^[A-Za-z0-9_\\-]+$' }))
const printable = Type.Optional(Type.String({ maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }))
const certificate = Type.String({ maxLength: 8000, pattern: '^[A-Za-z0-9+/]+=*$' })

/** The public members of RFC 7517 §4 and RFC 7518 §6. Private members are refused. */
export const jwk = api.closed({
  kty: api.oneOf(Object.keys(algorithmsByKeyType)),
  alg: Type.Optional(api.oneOf<string>(Object.values(algorithmsByKeyType).flat())),
  kid: printable,
  use: Type.Optional(api.oneOf(['sig'])),
  key_ops: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z]{1,20}$' }), { maxItems: 8 })),
  ext: Type.Optional(Type.Boolean()),
  crv: printable,
  x: base64url,
  y: base64url,
  n: base64url,
  e: base64url,
  x5c: Type.Optional(Type.Array(certificate, { maxItems: 5 })),
  x5t: base64url,
  'x5t#S256': base64url,
})

/** Public keys with which a client signs its assertions (private_key_jwt). */
export const jwks = api.closed({ keys: Type.Array(jwk, { minItems: 1, maxItems: mostKeys }) })
