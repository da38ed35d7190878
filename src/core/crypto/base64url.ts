/** By what is over after groups of four: characters whose bits all belong to a byte. */
const lastOnes = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/**
 * Is base64url without padding in its one spelling (RFC 4648 §3.5)? Else a signature would have several.
 * @param text of the alphabet alone
 */
export const isCanonicalBase64url = (text: string): boolean => {
  const over = text.length % 4
  return over === 0 || (lastOnes[over] as string).includes(text.at(-1) as string)
}
