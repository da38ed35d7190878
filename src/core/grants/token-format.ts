import { timingSafeEqual } from 'node:crypto'
import { decodeBase62, encodeBase62 } from '../crypto/base62.ts'
import { checksumLength, checksumOf } from '../crypto/checksum.ts'
import type { Keyring } from '../crypto/keyring.ts'

// prefix + base62(family id 16 | generation 4 | MAC 20) + key id + checksum. The random family id comes first, so
// that two families have only the prefix in common.
const prefixes = {
  code: 'lkac_',
  refresh_token: 'lkrt_',
  device_code: 'lkdc_',
  install_code: 'lkic_',
} as const
const prefixLength = 5
const idLength = 16
const bodyLength = idLength + 4
const macLength = 20
/** Bytes of prefix and body, the input of the MAC. */
const markedLength = prefixLength + bodyLength
const payloadLength = 60 // characters of body and MAC
const keyIdAt = prefixLength + payloadLength
const textLength = keyIdAt + 1 + checksumLength

type TokenType = keyof typeof prefixes
export type GrantTokenType = Exclude<TokenType, 'device_code' | 'install_code'>

/** A place in a grant family: generation 0 is the code or the device code, 1 and later are refresh tokens. */
export interface GrantToken {
  familyId: string
  generation: number
}

const uuidText = (bytes: Buffer) => {
  const hex = bytes.toString('hex', 0, idLength)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const encode = (keyring: Keyring, type: TokenType, { familyId, generation }: GrantToken) => {
  const bytes = Buffer.allocUnsafe(markedLength + macLength)
  bytes.write(prefixes[type], 'latin1')
  const written = bytes.write(familyId.replaceAll('-', ''), prefixLength, 'hex')
  if (written !== idLength) throw new TypeError('a family id is a UUID')
  bytes.writeUInt32BE(generation, prefixLength + idLength)
  const [mac] = keyring.tokenMacs(keyring.tokenKeyId, bytes.subarray(0, markedLength)) as [Buffer]
  mac.copy(bytes, markedLength, 0, macLength)
  const text = prefixes[type] + encodeBase62(bytes.subarray(prefixLength)) + keyring.tokenKeyId
  return text + checksumOf(text)
}

/** Encodes the code or refresh token of one generation; the same input gives the same text. */
export const encodeGrantToken = (keyring: Keyring, token: GrantToken): string =>
  encode(keyring, token.generation === 0 ? 'code' : 'refresh_token', token)

/**
 * Encodes the device code of a family (RFC 8628 §3.2): generation 0, as a code, but with another prefix because a
 * device holds it.
 */
export const encodeDeviceCode = (keyring: Keyring, familyId: string): string =>
  encode(keyring, 'device_code', { familyId, generation: 0 })

/** Encodes an install code by its id, a UUID. It belongs to no family. */
export const encodeInstallCode = (keyring: Keyring, id: string): string =>
  encode(keyring, 'install_code', { familyId: id, generation: 0 })

/**
 * Decodes a code or refresh token without a store: the MAC shows whether this server made it.
 * @returns null when it is damaged, forged, of another type or under an unknown key
 */
export const decodeGrantToken = (
  keyring: Keyring,
  type: GrantTokenType,
  text: string,
): GrantToken | null => decode(keyring, type, text)

/** Decodes a device code. @returns its family; null when it is damaged, forged or of another type */
export const decodeDeviceCode = (keyring: Keyring, text: string): string | null =>
  decode(keyring, 'device_code', text)?.familyId ?? null

/** Decodes an install code. @returns its id; null when it is damaged, forged or of another type */
export const decodeInstallCode = (keyring: Keyring, text: string): string | null =>
  decode(keyring, 'install_code', text)?.familyId ?? null

const decode = (keyring: Keyring, type: TokenType, text: string): GrantToken | null => {
  const prefix = prefixes[type]
  if (text.length !== textLength || !text.startsWith(prefix)) return null
  if (checksumOf(text.slice(0, keyIdAt + 1)) !== text.slice(keyIdAt + 1)) return null
  const payload = decodeBase62(text.slice(prefixLength, keyIdAt))
  if (!payload) return null
  const marked = Buffer.allocUnsafe(markedLength)
  marked.write(prefix, 'latin1')
  payload.copy(marked, prefixLength, 0, bodyLength)
  const shown = payload.subarray(bodyLength)
  const macs = keyring.tokenMacs(text[keyIdAt] as string, marked)
  if (!macs.some((mac) => timingSafeEqual(mac.subarray(0, macLength), shown))) return null
  const generation = payload.readUInt32BE(idLength)
  if ((type === 'refresh_token') === (generation === 0)) return null
  return { familyId: uuidText(payload), generation }
}
