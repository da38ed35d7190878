import type { Keyring } from '../crypto/keyring.ts'
import { isUserCode } from './device.ts'

type Sealer = Pick<Keyring, 'seal' | 'open'>

/** A device's request as the stores keep it, and as the services use it. */
interface WithUserCode {
  familyId: string
  userCode: string
}

const rowOf = (familyId: string) => `user code:${familyId}`

/** The stored form: a reader of the store must not learn a code that waits for its person. */
export const sealUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => ({
  ...device,
  userCode: keyring
    .seal(Buffer.from(device.userCode), rowOf(device.familyId))
    .toString('base64url'),
})

/** Reads the stored form; the version before stored user codes as they are. */
export const openUserCode = <Device extends WithUserCode>(
  keyring: Sealer,
  device: Device,
): Device => {
  if (isUserCode(device.userCode)) return device
  const sealed = Buffer.from(device.userCode, 'base64url')
  return { ...device, userCode: keyring.open(sealed, rowOf(device.familyId)).toString() }
}
