import type { OpenidScope } from '../clients/openid.ts'
import type { Device } from '../people/user-agent.ts'

/** Lifetime in seconds of a device request (RFC 8628 §3.2). */
export const deviceCodeLifetime = 600

/** Seconds between two token requests of a device; each slow_down adds as many (RFC 8628 §3.5). */
export const pollingInterval = 5

/** Where a device request came from, for its user to recognise. */
export type DeviceStarter = Device & { address: string }

/** A device request that no user has answered. */
export interface DeviceRequest {
  /** Id of the grant family that it becomes when approved. */
  familyId: string
  clientId: string
  userCode: string
  permissions: string[] | null
  /** The scope that an admitted app asks for and may not have; absent: none. */
  beyond?: string[]
  workspaceIds: string[] | null
  /** The requested resources (RFC 8707); absent: none, or only the default audience. */
  resources?: string[]
  openidScopes: OpenidScope[] | null
  organizationHint: string | null
  /** Absent: the previous version stored the request. */
  starter?: DeviceStarter
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Which approval counts. */
  approval: string | null
}
