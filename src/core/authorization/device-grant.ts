import type { Grants } from '../grants/redeem.ts'
import type { GrantStore, WithGrant } from '../grants/store.ts'
import type { GrantType } from '../grants/token-request.ts'
import { invalidGrant, OAuthError, unauthorizedClient } from '../language/errors.ts'
import type { DeviceFlow } from './device-flow.ts'

const isKeptOut = (error: unknown) =>
  error instanceof OAuthError && (error.reason === 'denied' || error.reason === 'not_in_audience')

/** RFC 8628 §3.4. Until a user has answered there is no grant to redeem. */
export const createDeviceGrant = (deps: {
  store: Pick<GrantStore, 'loadGrant'>
  grants: Pick<Grants, 'redeem'>
  devices: Pick<DeviceFlow, 'read' | 'refuseUnanswered' | 'refuseUnredeemed' | 'refuseDenied'>
}) => {
  const { store, grants, devices } = deps
  return (deviceCode: string): GrantType<WithGrant> => {
    const familyId = devices.read(deviceCode)
    return {
      load: (clientId) => store.loadGrant(clientId, familyId),
      redeem: async ({ app, loaded, requested, proof }) => {
        if (!app.deviceFlow) throw unauthorizedClient('device_flow_off')
        if (familyId === null) throw invalidGrant('token_unreadable')
        const { grant } = loaded
        if (!grant) return devices.refuseUnanswered(app, familyId)
        const token = { familyId, generation: 0 }
        try {
          return await grants.redeem({ app, loaded: grant, token, check: null, requested, proof })
        } catch (error) {
          if (isKeptOut(error)) return devices.refuseDenied()
          return devices.refuseUnredeemed(familyId, error)
        }
      },
    }
  }
}

export type DeviceGrant = ReturnType<typeof createDeviceGrant>
