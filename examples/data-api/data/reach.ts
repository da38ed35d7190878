export type Interface = 'legacy' | 'current'

/** What a caller may see. Everything else does not exist for it. */
export interface Reach {
  interface: Interface
  organizationId: string
  /** Without a workspace: databases, or tables of the organization. */
  reaches(workspaceId: string | null): boolean
  /** Sees private views; null if the caller is no user. */
  userId: string | null
}
