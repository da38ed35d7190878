// The code that a user types or confirms, to approve a device.
import { randomInt } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import { sealText } from '../crypto/sealed-text.ts'

// RFC 8628 §6.1: no vowels, so that codes form no words, and no characters that look alike. 20^8 codes.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

const shape = new RegExp(`^[${letters}]{${length}}$`)

/** A new user code, without the dash. */
export const newUserCode = (pick: (below: number) => number = randomInt): string =>
  Array.from({ length }, () => letters[pick(letters.length)]).join('')

/** As displayed to users. */
export const shownUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalises a typed code: ignores case, dash and blanks. @returns null when it cannot be a user code */
export const readUserCode = (typed: string): string | null => {
  if (typed.length > 100) return null
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return shape.test(code) ? code : null
}

type Sealer = Pick<Keyring, 'seal' | 'open'>

/** A device request as stored and as the services use it. */
type WithUserCode = Record<'familyId' | 'userCode', string>

const rowOf = (familyId: string) => `user code:${familyId}`

/** The stored form. A reader of the store must not learn a code that waits for its user. */
export const sealUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => ({
  ...device,
  userCode: sealText(keyring, device.userCode, rowOf(device.familyId)),
})

/** Reads the stored form. The previous version stored user codes in plain text. */
export const openUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => {
  if (shape.test(device.userCode)) return device
  const sealed = Buffer.from(device.userCode, 'base64url')
  return { ...device, userCode: keyring.open(sealed, rowOf(device.familyId)).toString() }
}
