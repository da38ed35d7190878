import {
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  errors as joseErrors,
  jwtVerify,
} from 'jose'

/**
 * Verifies a token with a set of keys. During a rotation the set has two keys of one type: without a `kid`, each is tried.
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
    for await (const key of several) {
      try {
        return await jwtVerify(token, key, options)
      } catch (cause) {
        failure = cause
      }
    }
    throw failure
  }
}
