import type { Interface } from './permissions.ts'

/** An organization's own credentials (specification §5.1 and §5.2 A). */
export interface KeySet {
  id: string
  clientId: string
  organizationId: string
  interface: Interface
  name: string
  description: string | null
  permissions: string[]
}
