import { createHash, randomBytes } from 'node:crypto'
import { encodeBase62 } from './base62.ts'
import { checksumOf } from './checksum.ts'

const idPrefixes = {
  user: 'usr',
  organization: 'org',
  workspace: 'wks',
  app: 'app',
  secret: 'sec',
  install: 'ins',
  installRequest: 'req',
  keySet: 'kst',
  keySetClient: 'kcl',
  resourceServer: 'rsv',
  operatorToken: 'opt',
  scimToken: 'sct',
  directoryGroup: 'grp',
  passkey: 'psk',
  session: 'ses',
  webhook: 'whk',
  webhookMessage: 'msg',
  mail: 'mal',
  appReview: 'arv',
  appChange: 'ach',
} as const

const secretPrefixes = {
  app: 'lkcs_',
  keySet: 'lkks_',
  resourceServer: 'lkrs_',
  operatorToken: 'lkop_',
  limitedOperatorToken: 'lkol_',
  scimToken: 'lksc_',
  session: 'lkss_',
} as const

export type RandomBytes = (size: number) => Buffer

/** Makes an opaque id: type prefix and 96 random bits, never reused and not guessable. */
export const newId = (kind: keyof typeof idPrefixes, random: RandomBytes = randomBytes) =>
  idPrefixes[kind] + encodeBase62(random(12))

/** Makes a machine secret: prefix for secret scanners, 256 random bits, checksum. */
export const newSecret = (kind: keyof typeof secretPrefixes, random: RandomBytes = randomBytes) => {
  const text = secretPrefixes[kind] + encodeBase62(random(32))
  return text + checksumOf(text)
}

/** The UUID that a name always gives (version 8, RFC 9562 §5.8). */
export const derivedUuid = (name: string): string => {
  const bytes = createHash('sha256').update(name).digest()
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The part of a secret that may be shown later, to tell two secrets apart. */
export const secretHint = (secret: string) => `…${secret.slice(-4)}`

const ownForm = /^lk[a-z]{2}_/

/** Does the text begin as our secrets, codes and refresh tokens do? */
export const hasOwnForm = (text: string) => ownForm.test(text)

const idShape = /^[A-Za-z0-9_-]{1,128}$/

const unreserved = '(?!\\.{1,2}$)[A-Za-z0-9._~\\-]{1,255}'

/**
 * Ids that the platform may choose, as JSON Schema patterns. The case of letters counts. They need not be random: an id is
 * no secret.
 */
export const ownIdPatterns = {
  organization: '^[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}$',
  user: '^[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}$',
  workspace: '^wks[A-Za-z0-9_\\-]{1,61}$',
  /** Also of key sets: unreserved characters (RFC 3986 §2.3), but no dot segment. */
  app: `^${unreserved}$`,
  auditStream: '^[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}$',
} as const

/** Characters of a client id that is a URL; it is in tokens, in paths and in indexes. */
export const longestClientUrl = 500
const clientUrlPattern = `https://[\\x21\\x23-\\x3b\\x3d\\x3f-\\x5b\\x5d\\x5f\\x61-\\x7a\\x7e]{1,${longestClientUrl - 8}}`
const clientUrlShape = new RegExp(`^${clientUrlPattern}$`)

/** A client id, as JSON Schema pattern: an id of ours or of the platform, or the URL of a metadata document. */
export const clientIdPattern = `^(?:${unreserved}|${clientUrlPattern})$`
const clientIdShape = new RegExp(clientIdPattern)

/** Could this text be the URL of a client's metadata document? */
export const isClientUrl = (text: unknown): text is string =>
  typeof text === 'string' && clientUrlShape.test(text)

/** Could this text be an id? The check keeps NUL and oversized text away from the stores. */
export const isIdShaped = (text: unknown): text is string =>
  typeof text === 'string' && idShape.test(text)

/** Could this text be a client id: an id, or the URL of a client's metadata document? */
export const isClientIdShaped = (text: unknown): text is string =>
  typeof text === 'string' && clientIdShape.test(text)
