const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const values = new Map([...alphabet].map((character, value) => [character.charCodeAt(0), value]))
const charactersPerWord = 6 // 62^6 > 2^32

const encodeWord = (word: number) => {
  let text = ''
  let rest = word
  for (let i = 0; i < charactersPerWord; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const decodeWord = (text: string, at: number) => {
  let word = 0
  for (let i = at; i < at + charactersPerWord; i++) {
    const value = values.get(text.charCodeAt(i))
    if (value === undefined) return null
    word = word * 62 + value
  }
  return word <= 0xffffffff ? word : null
}

/** Fixed-width base62 of whole 32-bit words: six characters for four bytes. */
export const encodeBase62 = (bytes: Buffer) => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) text += encodeWord(bytes.readUInt32BE(at))
  return text
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
