const table = new Uint32Array(256).map((_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})

/** CRC-32 (ISO 3309), so that a secret scanner can tell a real credential from a look-alike. */
export const crc32 = (text: string): Buffer => {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc = (table[(crc ^ text.charCodeAt(i)) & 0xff] as number) ^ (crc >>> 8)
  }
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return bytes
}
