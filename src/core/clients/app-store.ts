// What is kept of registered apps, and what must hold when one is written.
import type { AuditEvent } from '../audit/audit.ts'
import type { Change, EventsFrom } from '../audit/changes.ts'
import type { NewSecret } from '../credentials/secrets.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { AppChange, RegisteredApp } from './changed-app.ts'

/** The state of the metadata document that an app comes from, as the operator accepts it. */
export interface AcceptedDocumentState {
  scopes: string[]
  /** False: it asks for whatever the ceiling of its host allows. */
  hasScope: boolean
  /** Of the document that was read last; null: it had none. */
  etag: string | null
  /** Seconds until the document is read again. */
  freshSeconds: number
}

/** What the rule of a host admits, if it admits documents. */
export interface Admission {
  /** Of the paths of documents; null: any. */
  pathPrefix: string | null
  /** Permissions of the current interface. */
  ceiling: readonly string[]
  /** The permissions that its apps can do without; null: all. */
  optionalPermissions: readonly string[] | null
}

/** What must hold under the lock of the app. It is written together with the change. */
export interface ChangeCondition {
  /** The host whose rule stays until the change is written. */
  admittedBy?: string
  /** Written even when the app does not change. */
  document?: AcceptedDocumentState
  /** The user must be an owner of the app then. */
  ownerId?: string
  /** Approves this request of an owner. @throws Conflict review_decided */
  approves?: { id: string; note: string | null }
}

export interface AppStore {
  /** @throws Conflict id_taken when a client or a user has the id, Invalid for an owner who is no user or disabled */
  insert(
    app: Omit<RegisteredApp, 'logoDigest' | 'reviewedAt' | 'createdAt' | 'updatedAt'>,
    secret: NewSecret | null,
    events: readonly AuditEvent[],
    document?: AcceptedDocumentState | null,
  ): Promise<RegisteredApp>
  byId(clientId: string): Promise<RegisteredApp | null>
  /** Those whose permissions, separated by spaces, have more characters. */
  withLongPermissions(
    characters: number,
  ): Promise<Pick<RegisteredApp, 'clientId' | 'permissions'>[]>
  /** Oldest first. */
  list(page: PageRequest): Promise<Page<RegisteredApp>>
  /**
   * Locks the app, calls `decide`, and writes the app, its owners, its epoch and the change of its secrets together.
   * @returns null when the app does not exist or has no such owner
   * @throws Invalid for an owner who is no user, and for a new one who is disabled
   */
  change(
    clientId: string,
    decide: (app: RegisteredApp, admission: Admission | null) => Change<AppChange>,
    condition?: ChangeCondition,
  ): Promise<RegisteredApp | null>
  /** Locks the app and calls `admit`, which may throw. */
  remove(clientId: string, admit: EventsFrom<RegisteredApp>): Promise<boolean>
}
