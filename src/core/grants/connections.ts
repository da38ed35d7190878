import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { FamilyStore } from './families.ts'

/** An app that may act for a user in one organization. */
export interface Connection {
  app: App
  organizationId: string
  organizationName: string
  /** Present permissions: requested, approved by the admin and approved by the user. */
  permissions: string[]
  /** Approved identity scopes. */
  openidScopes: OpenidScope[]
  /** The user's own limit. */
  workspaceIds: WorkspaceLimit
  /** Names of the workspaces of that limit that still exist. */
  workspaceNames: string[]
  since: Date
  lastUsed: Date | null
  /** By an admin of the organization or the operator: the app gets nothing now. */
  suspended: boolean
  /** Why the user may not use the app there; null: they may. */
  keptOut: KeptOut | null
  /** The end of the user's consent or of the install, whichever comes first. */
  expiresAt: Date | null
  idleSeconds: number | null
  /** Name of the legacy app whose authorization has migrated to this app. */
  movedFrom: string | null
  /** Names of other apps that act through it for the user, by recent use; at most 20. */
  actors: string[]
}

/** A consent that a disconnect has ended, as the store restores it. */
export interface EndedConsent {
  row: Record<string, unknown>
  /** The approved requests that it has used up. */
  requestIds: string[]
  /** The epoch of the connection since. */
  epoch: number
}

/** What a disconnect has ended: grants for good; `consent`: null: there was none. */
export interface EndedConnection {
  grantIds: string[]
  /** The names. */
  app: string
  organization: string
  consent: EndedConsent | null
}

/** One user's connection of an app in one organization. */
export type ConnectionKey = Record<'userId' | 'clientId' | 'organizationId', string>

export interface ConnectionStore {
  /** By the names of app and organization. */
  list(userId: string, page: PageRequest): Promise<Page<Connection>>
  /** Deletes the consent and ends every grant, in one transaction. @returns null when there was nothing to end */
  end(connection: ConnectionKey & { audit: AuditEvent }): Promise<EndedConnection | null>
  /**
   * Restores the consent alone, unless the user has given or ended another one since. Ended grants stay ended.
   * @returns false when it was not restored
   */
  restore(
    connection: ConnectionKey & { consent: EndedConsent; audit: AuditEvent },
  ): Promise<boolean>
}

export const createConnections = (deps: {
  store: ConnectionStore
  families: Pick<FamilyStore, 'end'>
}) => ({
  /** By the names of app and organization. */
  list: deps.store.list,
  /** Revokes all access of the app for this user in the organization, at once. @returns null when there was none */
  disconnect: async (connection: ConnectionKey, cause: Cause) => {
    const audit = auditEvent(cause, 'connection.ended', connection)
    const ended = await deps.store.end({ ...connection, audit })
    if (ended === null) return null
    // The rows have ended already, on every instance. This only frees the space of the families.
    await Promise.allSettled(ended.grantIds.map((id) => deps.families.end(id)))
    return ended
  },
  /** Lets the app connect again without asking the user. Its tokens stay ended. @returns false when it was too late */
  restore: (connection: ConnectionKey, consent: EndedConsent, cause: Cause) => {
    const audit = auditEvent(cause, 'connection.restored', connection)
    return deps.store.restore({ ...connection, consent, audit })
  },
})

export type Connections = ReturnType<typeof createConnections>
