/** Bounds of RSA keys of others (RFC 7518 §6.3.1): the work of a verification grows with both numbers. */

/** Characters of a modulus of 2048 bits (RFC 7518 §3.3), and of one of 4096. */
const [shortestModulus, longestModulus] = [342, 683]
/** The first bit is set, so the modulus has its full size. */
const fullModulus = /^[g-z0-9_-]/
/** Characters of 32 bits. */
const longestExponent = 6

/** Does the modulus have 2048 to 4096 bits? @param n base64url */
export const isModulus = (n: string): boolean =>
  n.length >= shortestModulus && n.length <= longestModulus && fullModulus.test(n)

/** Does the exponent have at most 32 bits? @param e base64url */
export const isExponent = (e: string): boolean => e.length <= longestExponent
