import { faultAt } from '../language/faults.ts'
import type { ListPosition, Page, PageRequest } from '../language/paging.ts'
import { parseEdge } from '../language/period.ts'
import { Invalid, refuse } from '../language/service-errors.ts'
import type { AuditEvent } from './audit.ts'

/** An event as stored. */
export interface LoggedEvent extends Required<Omit<AuditEvent, 'type' | 'sessionId' | 'quiet'>> {
  id: string
  at: Date
  /** Another version of the server may have written a type that is no EventType of this one. */
  type: string
}

/** Selects events that match all fields; null matches any. */
const everything = {
  organizationId: null as string | null,
  clientId: null as string | null,
  type: null as string | null,
  /** The first part of the type: `install` for install.approved, install.ended … */
  subjects: null as readonly string[] | null,
  requestId: null as string | null,
  actorId: null as string | null,
  /** The user acted, or the event is about the user. */
  personId: null as string | null,
  /** Included. */
  from: null as Date | null,
  /** Excluded. */
  to: null as Date | null,
}

export type AuditFilter = typeof everything

export interface AuditLogStore {
  /** Newest first. */
  query(filter: AuditFilter, page: PageRequest): Promise<Page<LoggedEvent>>
  /** The events that follow a place, newest first; `next` is the place of still newer ones. */
  newer(filter: AuditFilter, place: ListPosition, limit: number): Promise<Page<LoggedEvent>>
}

/** @throws Invalid for an end before the beginning */
export const completeFilter = (filter: Partial<AuditFilter>): AuditFilter => {
  const { from, to } = filter
  refuse(from && to && from > to ? [faultAt('/to', 'period', 'is before from')] : [])
  return { ...everything, ...filter }
}

const edge = (name: 'from' | 'to', text: string | undefined): Date | null => {
  if (text === undefined) return null
  const at = parseEdge(name, text)
  if (at === null) throw new Invalid([faultAt(`/${name}`, 'period', 'is not a time or a day')])
  return new Date(at)
}

/** Parses a time filter: times (RFC 3339), or days including the last. @throws Invalid */
export const auditPeriod = (requested: { from?: string | undefined; to?: string | undefined }) => ({
  from: edge('from', requested.from),
  to: edge('to', requested.to),
})

/** Reads the audit trail. */
export const createAuditLog = ({ store }: { store: AuditLogStore }) => ({
  /** Newest first. @throws Invalid for an end before the beginning */
  query: async (filter: Partial<AuditFilter>, page: PageRequest): Promise<Page<LoggedEvent>> =>
    store.query(completeFilter(filter), page),

  /** The previous page: events newer than a place, newest first. @throws Invalid */
  newer: async (
    filter: Partial<AuditFilter>,
    place: ListPosition,
    limit: number,
  ): Promise<Page<LoggedEvent>> => store.newer(completeFilter(filter), place, limit),
})

export type AuditLog = ReturnType<typeof createAuditLog>
