import type { WithGrant } from '../grants/grant-types.ts'
import type { Grants } from '../grants/redeem.ts'
import type { GrantStore } from '../grants/store.ts'
import type { GrantType } from '../grants/token-request.ts'
import { invalidGrant, unauthorizedClient } from '../language/errors.ts'
import type { DeviceFlow } from './device-flow.ts'

/** RFC 8628 §3.4: until a user has answered, there is no grant to redeem. */
export const createDeviceGrant =
  (deps: {
    store: Pick<GrantStore, 'loadGrant'>
    grants: Pick<Grants, 'redeem'>
    devices: Pick<DeviceFlow, 'read' | 'refuse' | 'refusalOf'>
  }) =>
  (deviceCode: string): GrantType<WithGrant> => {
    const { store, grants, devices } = deps
    const familyId = devices.read(deviceCode)
    return {
      load: (clientId) => store.loadGrant(clientId, familyId),
      redeem: async ({ app, loaded, asked, proof }) => {
        if (!app.deviceFlow) throw unauthorizedClient('device_flow_off')
        if (familyId === null) throw invalidGrant('token_unreadable')
        const grant = loaded.grant ?? (await devices.refuse(app, familyId))
        const presented = { type: 'code', token: { familyId, generation: 0 } } as const
        try {
          return await grants.redeem(app, grant, presented, asked, null, proof)
        } catch (refusal) {
          throw await devices.refusalOf(familyId, refusal)
        }
      },
    }
  }

export type DeviceGrant = ReturnType<typeof createDeviceGrant>
