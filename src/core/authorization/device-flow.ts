import { randomUUID } from 'node:crypto'
import type { App } from '../clients/app.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { GrantIssuance } from '../grants/issue.ts'
import { decodeDeviceCode, encodeDeviceCode } from '../grants/token-format.ts'
import { invalidGrant, OAuthError } from '../language/errors.ts'
import type { CounterStore, RecordStore } from '../limits/records.ts'
import { type DeviceRequest, deviceCodeLifetime, pollingInterval } from './device-request.ts'
import type { AuthorizationAnswer, AuthorizationParameters } from './requests.ts'
import { newUserCode, readUserCode, sealUserCode, shownUserCode } from './user-code.ts'

type RequestedAccess = Omit<
  DeviceRequest,
  'familyId' | 'clientId' | 'userCode' | 'expiresAt' | 'approval'
>

const devices = 'device'
const userCodes = 'user_code'

const refusal = (
  code: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token',
  description: string,
) => new OAuthError(code, description, { status: 400 })

const denied = () => refusal('access_denied', 'the request was refused')

const pending = () => refusal('authorization_pending', 'the user has not answered yet')

/** The parameters for the authorization page; the user always sees the page. */
export const parametersOf = (
  device: DeviceRequest,
  redirectUri: string,
): AuthorizationParameters => ({
  interface: 'current',
  clientId: device.clientId,
  redirectUri,
  responseType: 'code',
  state: null,
  permissions: device.permissions,
  ...(device.beyond && { beyond: device.beyond }),
  workspaceIds: device.workspaceIds,
  ...(device.resources && { resources: device.resources }),
  organizationHint: device.organizationHint,
  loginHint: null,
  prompts: ['consent'],
  codeChallenge: null,
  openid: device.openidScopes && {
    scopes: device.openidScopes,
    nonce: null,
    maxAge: null,
    expectedUser: null,
  },
  webMessage: null,
  device,
})

/**
 * Device authorization (RFC 8628). A request is stored as a record that changes once, from waiting to approved or
 * denied. An approved request becomes a grant family at generation 0, which the device redeems once, like a code.
 */
export const createDeviceFlow = (deps: {
  records: RecordStore
  counters: CounterStore
  keyring: Keyring
  issuance: Pick<GrantIssuance, 'issueCode'>
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { records, counters, keyring, issuance, now } = deps

  const digested = (userCode: string) => `user code ${userCode}`
  const keyOf = (userCode: string) => keyring.digest(digested(userCode)).toString('base64url')
  /** Instances with another order of master keys have used another key. */
  const keysOf = (userCode: string) =>
    keyring.digests(digested(userCode)).map((digest) => digest.toString('base64url'))
  const recordOf = (
    device: DeviceRequest,
    state: 'waiting' | 'approved' | 'connected' | 'denied',
  ) => ({
    state,
    value: JSON.stringify(sealUserCode(keyring, device)),
  })

  /** A user code that no other request is waiting with. */
  const claim = async (familyId: string): Promise<string> => {
    const userCode = newUserCode()
    const record = { state: 'waiting', value: familyId }
    const isFree = await records.insert(userCodes, keyOf(userCode), record, deviceCodeLifetime)
    return isFree ? userCode : claim(familyId)
  }

  const byFamily = async (familyId: string) => {
    const record = await records.find(devices, familyId)
    if (!record) return null
    const { userCode: _sealed, ...device } = JSON.parse(record.value) as DeviceRequest
    return { state: record.state, device }
  }

  const familyOf = async (userCode: string) => {
    for (const key of keysOf(userCode)) {
      const named = await records.find(userCodes, key)
      if (named) return named.value
    }
    return null
  }

  const forget = async (userCode: string) => {
    await Promise.all(keysOf(userCode).map((key) => records.delete(userCodes, key)))
  }

  /** RFC 8628 §3.5: each slow_down adds five seconds to the interval. One second is allowed for network delay. */
  const isTooFast = async (familyId: string) => {
    const slowed = await counters.hit(`device slowed ${familyId}`, 0, deviceCodeLifetime)
    const pause = pollingInterval * (1 + slowed.count) - 1
    const polled = await counters.hit(`device asked ${familyId}`, 1, pause)
    if (polled.count === 1) return false
    await counters.hit(`device slowed ${familyId}`, 1, deviceCodeLifetime)
    return true
  }

  const secondsLeft = (device: DeviceRequest) => Math.floor((device.expiresAt - now()) / 1000)

  /** The state, if the same answer was stored before: reloading the page sends it again. */
  const standing = async (familyId: string, approval: string | null) => {
    const found = await byFamily(familyId)
    if (!found || found.state === 'waiting' || found.device.approval !== approval) return null
    return found.state
  }

  return {
    /** @returns the code for the device, and the one that its user sees */
    begin: async (app: App, requested: RequestedAccess) => {
      const familyId = randomUUID()
      const userCode = await claim(familyId)
      const expiresAt = now() + deviceCodeLifetime * 1000
      const { clientId } = app
      const device = { ...requested, familyId, clientId, userCode, expiresAt, approval: null }
      await records.put(devices, familyId, recordOf(device, 'waiting'), deviceCodeLifetime)
      const deviceCode = encodeDeviceCode(keyring, familyId)
      return { deviceCode, userCode: shownUserCode(userCode) }
    },

    /** The waiting request for this code, as the user typed it; null: there is none. */
    find: async (typed: string): Promise<DeviceRequest | null> => {
      const userCode = readUserCode(typed)
      const familyId = userCode === null ? null : await familyOf(userCode)
      if (userCode === null || familyId === null) return null
      const found = await byFamily(familyId)
      return found?.state === 'waiting' ? { ...found.device, userCode } : null
    },

    /** The first answer counts, by whichever user. @returns `late`: another answer came first */
    settle: async (
      device: DeviceRequest,
      answer: AuthorizationAnswer,
    ): Promise<'approved' | 'denied' | 'late'> => {
      const { familyId } = device
      const approval = answer.kind === 'approved' ? answer.grantId : null
      const record = recordOf({ ...device, approval }, approval === null ? 'denied' : 'approved')
      const isFirst =
        secondsLeft(device) > 0 && (await records.change(devices, familyId, 'waiting', record))
      if (isFirst) await forget(device.userCode).catch(() => undefined)
      const state = isFirst ? record.state : await standing(familyId, approval)
      if (state === null) return 'late'
      if (answer.kind !== 'approved') return 'denied'
      if (state === 'connected') return 'approved'
      const { kind: _, grantId: _id, ...approved } = answer
      const grant = {
        ...approved,
        id: familyId,
        clientId: device.clientId,
        redirectUri: '', // there is no redirect
        byDevice: true,
        lifetime: null,
        codeChallenge: null,
        dpopJkt: null,
      }
      try {
        await issuance.issueCode(grant, secondsLeft(device))
      } catch (error) {
        // The same answer was stored before: the page was reloaded.
        if (error instanceof OAuthError && error.reason === 'authorization_answered_twice')
          return 'approved'
        throw error
      }
      const connected = recordOf({ ...device, approval }, 'connected')
      await records.change(devices, familyId, 'approved', connected).catch(() => undefined)
      return 'approved'
    },

    /** @returns the family of a device code; null when it is damaged, forged or another kind of token */
    read: (deviceCode: string) => decodeDeviceCode(keyring, deviceCode),

    /**
     * Refuses a device code whose redemption has failed. A device that polls between the answer and its family finds a
     * grant that cannot be redeemed yet: authorization_pending.
     * @throws always: authorization_pending, or the given error
     */
    refuseUnredeemed: async (familyId: string, error: unknown): Promise<never> => {
      const isAbsent = error instanceof OAuthError && error.reason === 'code_expired_or_ended'
      if (isAbsent && (await byFamily(familyId))?.state === 'approved') throw pending()
      throw error
    },

    /** Refuses a device code whose user may no longer use the app. @throws OAuthError always: access_denied */
    refuseDenied: (): never => {
      throw denied()
    },

    /**
     * Refuses a device code without a grant (RFC 8628 §3.5).
     * @throws OAuthError always: authorization_pending, slow_down, access_denied, expired_token, invalid_grant
     */
    refuseUnanswered: async (app: App, familyId: string): Promise<never> => {
      const found = await byFamily(familyId)
      if (!found) throw refusal('expired_token', 'the device code has expired')
      if (found.device.clientId !== app.clientId) throw invalidGrant('token_unknown_or_foreign')
      if (found.state === 'denied') throw denied()
      if (await isTooFast(familyId))
        throw refusal('slow_down', 'add five seconds to the polling interval')
      throw pending()
    },
  }
}

export type DeviceFlow = ReturnType<typeof createDeviceFlow>
