const slots = 16_384

/** CRC-16/XMODEM: polynomial 0x1021, not reflected. */
const crc16 = (bytes: Buffer): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return crc & 0xffff
}

/**
 * The hash slot of a key: by the text in its first braces, if any.
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
export const slotOf = (key: string): number => {
  const tag = /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key
  return crc16(Buffer.from(tag)) % slots
}
