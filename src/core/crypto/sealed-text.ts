// Texts that only this server can read: cursors, and the tokens of links.
import type { Keyring } from './keyring.ts'

/** @param place that the text is bound to */
export const sealText = (keyring: Pick<Keyring, 'seal'>, text: string, place: string): string =>
  keyring.seal(Buffer.from(text), place).toString('base64url')

/** @returns null for a text that was changed, or sealed for another place or under an unknown master key */
export const openText = (keyring: Pick<Keyring, 'open'>, sealed: string, place: string) => {
  try {
    return keyring.open(Buffer.from(sealed, 'base64url'), place).toString()
  } catch {
    return null
  }
}
