import {
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  errors as joseErrors,
  jwtVerify,
} from 'jose'

/** A rotation needs two. The owner of the keys may publish a hundred, and each try is work for this server. */
const mostTries = 4

/**
 * Verifies a token with a set of keys. During a rotation the set has two keys of one type: without a `kid`, or with one
 * that several keys have, the first four that fit are tried.
 * @throws JOSEError; what `keys` throws
 */
export const verifyWithKeys = async (
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> => {
  try {
    return await jwtVerify(token, keys, options)
  } catch (several) {
    if (!(several instanceof joseErrors.JWKSMultipleMatchingKeys)) throw several
    let failure: unknown = several
    let tries = 0
    for await (const key of several) {
      if (++tries > mostTries) break
      try {
        return await jwtVerify(token, key, options)
      } catch (cause) {
        failure = cause
      }
    }
    throw failure
  }
}
