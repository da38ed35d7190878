import { createHash } from 'node:crypto'

/** A strong entity tag of these bytes. */
export const etagOf = (body: string | Buffer) =>
  `"${createHash('sha256').update(body).digest('base64url')}"`

/** @param header If-None-Match, which compares weakly (RFC 9110 §13.1.2) */
export const isKnown = (header: string | undefined, etag: string) =>
  header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
