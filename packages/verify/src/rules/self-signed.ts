/**
 * The rules of a self-signed token (specification §5.2 A) that need neither a clock nor a secret. The server and the
 * library for data APIs share them.
 */

/** A NumericDate (RFC 7519 §2): seconds since 1970, perhaps with a fraction. */
export const isNumericDate = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER

/** Libraries often omit `typ`, which is optional (RFC 7519 §5.1). Any other type is another kind of token. */
export const isSelfSignedType = (typ: unknown) => typ === undefined || typ === 'JWT'
