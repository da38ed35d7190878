import { randomInt } from 'node:crypto'
import type { OpenidScope } from '../clients/openid.ts'

/** Seconds from the request of a device to its end (RFC 8628 §3.2). */
export const deviceCodeLifetime = 600

/** Seconds between two requests of a device for its token; each slow_down adds as many (RFC 8628 §3.5). */
export const pollingInterval = 5

// RFC 8628 §6.1: no vowels, so that no words come out, and nothing that looks like something else. 20^8 codes.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

const shape = new RegExp(`^[${letters}]{${length}}$`)

/** Is this a user code as it is kept? */
export const isUserCode = (text: string) => shape.test(text)

/** A new user code, as it is kept. */
export const newUserCode = (pick: (below: number) => number = randomInt): string =>
  Array.from({ length }, () => letters[pick(letters.length)]).join('')

/** As people read it. */
export const shownUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/**
 * What somebody typed, as it is kept: capitals or not, with or without the dash and blanks.
 * @returns null when it cannot be a code
 */
export const readUserCode = (typed: string): string | null => {
  if (typed.length > 100) return null
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return isUserCode(code) ? code : null
}
/** What a device asks for, before anybody has answered it. */
export interface DeviceRequest {
  /** Of the grant that it may become. */
  familyId: string
  clientId: string
  userCode: string
  permissions: string[] | null
  workspaceIds: string[] | null
  openidScopes: OpenidScope[] | null
  organizationHint: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Which yes stands. */
  approval: string | null
}
