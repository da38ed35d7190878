const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const characters = Buffer.from(alphabet)
const foreign = 255
/** By character code. */
const values = new Uint8Array(128).fill(foreign)
characters.forEach((code, value) => {
  values[code] = value
})
const charactersPerWord = 6 // 62^6 > 2^32

const decodeWord = (text: string, at: number) => {
  let word = 0
  for (let i = at; i < at + charactersPerWord; i++) {
    const value = values[text.charCodeAt(i)] ?? foreign
    if (value === foreign) return null
    word = word * 62 + value
  }
  return word <= 0xffffffff ? word : null
}

/** Fixed-width base62 of whole 32-bit words: six characters for four bytes. */
export const encodeBase62 = (bytes: Buffer) => {
  const text = Buffer.allocUnsafe((bytes.length / 4) * charactersPerWord)
  for (let at = 0, end = charactersPerWord; at < bytes.length; at += 4, end += charactersPerWord) {
    let rest = bytes.readUInt32BE(at)
    for (let i = end - 1; i >= end - charactersPerWord; i--) {
      text[i] = characters[rest % 62] as number
      rest = Math.floor(rest / 62)
    }
  }
  return text.toString('latin1')
}

/** The inverse; null for a foreign character, a broken length or a word that no encoding yields. */
export const decodeBase62 = (text: string): Buffer | null => {
  if (text.length % charactersPerWord !== 0) return null
  const bytes = Buffer.alloc((text.length / charactersPerWord) * 4)
  for (let at = 0; at < text.length; at += charactersPerWord) {
    const word = decodeWord(text, at)
    if (word === null) return null
    bytes.writeUInt32BE(word, (at / charactersPerWord) * 4)
  }
  return bytes
}
