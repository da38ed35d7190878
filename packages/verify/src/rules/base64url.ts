/** Valid last characters by length modulo 4: those whose unused bits are zero. */
const lastOnes = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/**
 * Is this the canonical spelling in base64url without padding (RFC 4648 §3.5)? With other spellings one signature
 * would have several texts.
 * @param text has only characters of the base64url alphabet
 */
export const isCanonicalBase64url = (text: string): boolean => {
  const over = text.length % 4
  return over === 0 || (lastOnes[over] as string).includes(text.at(-1) as string)
}
