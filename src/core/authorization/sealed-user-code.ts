import type { Keyring } from '../crypto/keyring.ts'
import { isUserCode } from './user-code.ts'

type Sealer = Pick<Keyring, 'seal' | 'open'>

/** A device request as stored and as the services use it. */
interface WithUserCode {
  familyId: string
  userCode: string
}

const rowOf = (familyId: string) => `user code:${familyId}`

/** The stored form. A reader of the store must not learn a code that waits for its user. */
export const sealUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => ({
  ...device,
  userCode: keyring
    .seal(Buffer.from(device.userCode), rowOf(device.familyId))
    .toString('base64url'),
})

/** Reads the stored form. The previous version stored user codes in plain text. */
export const openUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => {
  if (isUserCode(device.userCode)) return device
  const sealed = Buffer.from(device.userCode, 'base64url')
  return { ...device, userCode: keyring.open(sealed, rowOf(device.familyId)).toString() }
}
