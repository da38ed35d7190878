const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const foreign = 255
/** Digit values by character code. */
const values = new Uint8Array(128).fill(foreign)
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
const charactersPerWord = 6 // 62^6 > 2^32
/** Two base62 characters for each value; the first one is in the low byte. */
const pairs = Uint16Array.from({ length: 62 * 62 }, (_, at) => {
  const first = alphabet.charCodeAt(Math.floor(at / 62))
  return first | (alphabet.charCodeAt(at % 62) << 8)
})

const decodeWord = (text: string, at: number) => {
  let word = 0
  for (let i = at; i < at + charactersPerWord; i++) {
    const value = values[text.charCodeAt(i)] ?? foreign
    if (value === foreign) return null
    word = word * 62 + value
  }
  return word <= 0xffffffff ? word : null
}

/** Encodes whole 32-bit words as fixed-width base62: six characters for four bytes. */
export const encodeBase62 = (bytes: Buffer) => {
  const text = Buffer.allocUnsafe((bytes.length / 4) * charactersPerWord)
  for (let at = 0, end = charactersPerWord; at < bytes.length; at += 4, end += charactersPerWord) {
    let rest = bytes.readUInt32BE(at)
    for (let i = end - 2; i >= end - charactersPerWord; i -= 2) {
      const more = Math.floor(rest / pairs.length)
      const pair = pairs[rest - more * pairs.length] as number
      text[i] = pair
      text[i + 1] = pair >> 8
      rest = more
    }
  }
  return text.toString('latin1')
}

/** The inverse of `encodeBase62`. @returns null for a foreign character, a wrong length or a word above 32 bits */
export const decodeBase62 = (text: string): Buffer | null => {
  if (text.length % charactersPerWord !== 0) return null
  const bytes = Buffer.allocUnsafe((text.length / charactersPerWord) * 4)
  for (let at = 0, to = 0; at < text.length; at += charactersPerWord, to += 4) {
    const word = decodeWord(text, at)
    if (word === null) return null
    bytes.writeUInt32BE(word, to)
  }
  return bytes
}
