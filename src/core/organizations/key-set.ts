import type { Workload } from '../clients/workloads.ts'
import type { Secret } from '../credentials/secrets.ts'
import type { Interface } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'

/** An organization's own credentials (specification §5.1 and §5.2 A). */
export interface KeySet {
  id: string
  clientId: string
  organizationId: string
  interface: Interface
  name: string
  description: string | null
  /** Maximum permissions of its tokens. */
  permissions: string[]
  /** Maximum workspaces of its tokens; null on the legacy interface, which has none. */
  workspaceIds: WorkspaceLimit
  /** Workloads that get tokens of the key set without its secret. Empty on the legacy interface. */
  workloads: Workload[]
}

/** One key set of an organization. */
export type KeySetKey = Pick<KeySet, 'organizationId' | 'id'>

/** The data of a key set's secret that can be read after its creation. */
export interface KeySetSecret extends Secret {
  /** The last day on which the secret signed a token without an expiry. */
  endlessTokenSeenAt: Date | null
}

/** A key set as stored, with the data of its active secrets. */
export interface StoredKeySet extends KeySet {
  secrets: KeySetSecret[]
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
}
