import type { AuditEvent } from './audit.ts'
import type { Page, PageRequest } from './paging.ts'

/** An event as it was written. */
export interface LoggedEvent extends Required<AuditEvent> {
  id: string
  at: Date
}

/** Only events that match all of these; null: any. */
export interface AuditFilter {
  organizationId: string | null
  clientId: string | null
  type: string | null
  requestId: string | null
}

export interface AuditLogStore {
  /** Newest first. */
  query(filter: AuditFilter, page: PageRequest): Promise<Page<LoggedEvent>>
}

const everything: AuditFilter = {
  organizationId: null,
  clientId: null,
  type: null,
  requestId: null,
}

/** What has happened: reading the audit trail. */
export const createAuditLog = ({ store }: { store: AuditLogStore }) => ({
  /** Newest first. */
  query: (filter: Partial<AuditFilter>, page: PageRequest): Promise<Page<LoggedEvent>> =>
    store.query({ ...everything, ...filter }, page),
})

export type AuditLog = ReturnType<typeof createAuditLog>
