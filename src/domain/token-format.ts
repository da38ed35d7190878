import { timingSafeEqual } from 'node:crypto'
import { decodeBase62, encodeBase62 } from './base62.ts'
import { crc32 } from './checksum.ts'
import type { Keyring } from './keyring.ts'

// prefix + base62(family id 16 | generation 4 | MAC 20) + key id + checksum. The random family id comes
// first, so that nothing but the prefix is alike in two families.
const prefixes = { code: 'lkac_', refresh_token: 'lkrt_', device_code: 'lkdc_' } as const
const payloadLength = 60
const checksumLength = 6
const macLength = 20

type TokenType = keyof typeof prefixes
export type GrantTokenType = Exclude<TokenType, 'device_code'>

/** A place in a grant family: generation 0 is the code or the device code, 1 and later are refresh tokens. */
export interface GrantToken {
  familyId: string
  generation: number
}

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const uuidText = (bytes: Buffer) => {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const bodyOf = (token: GrantToken) => {
  const body = Buffer.alloc(20)
  uuidBytes(token.familyId).copy(body)
  body.writeUInt32BE(token.generation, 16)
  return body
}

const macsOf = (keyring: Keyring, keyId: string, type: TokenType, body: Buffer) =>
  keyring
    .tokenMacs(keyId, Buffer.concat([Buffer.from(prefixes[type]), body]))
    .map((mac) => mac.subarray(0, macLength))

const encode = (keyring: Keyring, type: TokenType, token: GrantToken): string => {
  const body = bodyOf(token)
  const [mac] = macsOf(keyring, keyring.tokenKeyId, type, body) as [Buffer]
  const text = prefixes[type] + encodeBase62(Buffer.concat([body, mac])) + keyring.tokenKeyId
  return text + encodeBase62(crc32(text))
}

/** Writes the code or refresh token of one generation; the same input gives the same text. */
export const encodeGrantToken = (keyring: Keyring, token: GrantToken): string =>
  encode(keyring, token.generation === 0 ? 'code' : 'refresh_token', token)

/** Writes the device code of a family (RFC 8628 §3.2): its beginning, in other hands than a code would be. */
export const encodeDeviceCode = (keyring: Keyring, familyId: string): string =>
  encode(keyring, 'device_code', { familyId, generation: 0 })

/**
 * Reads a code or refresh token. Neither store is asked: a token that was not made here is known by its MAC.
 * @returns null when it is damaged, forged, of another type or under an unknown key
 */
export const decodeGrantToken = (
  keyring: Keyring,
  type: GrantTokenType,
  text: string,
): GrantToken | null => decode(keyring, type, text)

/** Reads a device code. @returns its family; null when it is damaged, forged or of another type */
export const decodeDeviceCode = (keyring: Keyring, text: string): string | null =>
  decode(keyring, 'device_code', text)?.familyId ?? null

const decode = (keyring: Keyring, type: TokenType, text: string): GrantToken | null => {
  const prefix = prefixes[type]
  const end = prefix.length + payloadLength
  if (text.length !== end + 1 + checksumLength || !text.startsWith(prefix)) return null
  if (encodeBase62(crc32(text.slice(0, end + 1))) !== text.slice(end + 1)) return null
  const payload = decodeBase62(text.slice(prefix.length, end))
  if (!payload) return null
  const body = payload.subarray(0, 20)
  const macs = macsOf(keyring, text[end] as string, type, body)
  if (!macs.some((mac) => timingSafeEqual(mac, payload.subarray(20)))) return null
  const generation = body.readUInt32BE(16)
  if ((type === 'refresh_token') === (generation === 0)) return null
  return { familyId: uuidText(body.subarray(0, 16)), generation }
}
