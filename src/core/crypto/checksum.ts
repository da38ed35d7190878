import { crc32 } from 'node:zlib'
import { encodeBase62 } from './base62.ts'

export const checksumLength = 6

/** CRC-32 (ISO 3309) in base62. It lets a secret scanner tell a real credential from a look-alike. */
export const checksumOf = (text: string): string => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(crc32(text))
  return encodeBase62(bytes)
}

/** Does the text end with the checksum of the characters before it? Only then can it be one of our secrets. */
export const hasChecksum = (text: string): boolean =>
  text.length > checksumLength &&
  checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
