import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { FamilyStore } from './families.ts'

/** An app that may act for a person in one organization. */
export interface Connection {
  app: App
  organizationId: string
  organizationName: string
  /** What it may do now: asked for, approved by the admin and left ticked by the person. */
  permissions: string[]
  /** What it may know of who the person is. */
  openidScopes: OpenidScope[]
  /** The person's own limit. */
  workspaceIds: WorkspaceLimit
  /** Names of the workspaces of that limit that are still there. */
  workspaceNames: string[]
  since: Date
  lastUsed: Date | null
  /** Name of the legacy app whose authorization it has taken over. */
  movedFrom: string | null
}

export interface ConnectionStore {
  /** By the names of app and organization. */
  list(userId: string, page: PageRequest): Promise<Page<Connection>>
  /**
   * Forgets the consent and ends every grant, in one transaction.
   * @returns the ids of the grants that ended; null when there was nothing to end
   */
  end(
    userId: string,
    clientId: string,
    organizationId: string,
    audit: AuditEvent,
  ): Promise<string[] | null>
}

export interface Connections {
  /** By the names of app and organization. */
  list(userId: string, page: PageRequest): Promise<Page<Connection>>
  /** Ends everything that the app may do in this person's name there, at once. @returns false when there was nothing */
  disconnect(
    userId: string,
    clientId: string,
    organizationId: string,
    cause: Cause,
  ): Promise<boolean>
}

export const createConnections = (deps: {
  store: ConnectionStore
  families: Pick<FamilyStore, 'end'>
}): Connections => ({
  list: deps.store.list,
  disconnect: async (userId, clientId, organizationId, cause) => {
    const about = { userId, clientId, organizationId }
    const audit = auditEvent(cause, 'connection.ended', about)
    const ended = await deps.store.end(userId, clientId, organizationId, audit)
    if (ended === null) return false
    // The rows have ended already, on every instance; this only frees what the families take up.
    await Promise.allSettled(ended.map((id) => deps.families.end(id)))
    return true
  },
})
