import { isIdShaped } from '../crypto/identifiers.ts'
import type { ListPosition, Page, PageRequest } from '../language/paging.ts'
import type { AuditFilter, AuditLog, LoggedEvent } from './audit-log.ts'
import type { RefusedPages } from './refused-pages.ts'

/** Kinds of things with names. `clients`: apps, and key sets of the organization by their client id. */
export type NamedKind = 'clients' | 'people' | 'workspaces' | 'groups' | 'organizations'

/**
 * Names by id of what events are about; deleted objects are missing. `keySets`: ids of the key sets among the clients, by
 * their client ids.
 */
export interface Names extends Record<NamedKind | 'keySets', ReadonlyMap<string, string>> {
  /** Ids of what the reader can open: for an organization its key sets, installed apps and members of this moment. */
  present: ReadonlySet<string>
}

/** An id and its name, for a choice. */
export type Named = Record<'id' | 'name', string>

/** An active secret of a key set or of an installed app. */
export interface SecretInUse {
  kind: 'key_set' | 'app'
  /** Name of the key set or app. */
  name: string
  /** Hint of a key set's secret; empty for an app's, which does not belong to the organization. */
  hint: string
  createdAt: Date
  /** Last known use in this organization. For an app: the last use of the app. */
  lastUsedAt: Date | null
  /** The last day on which a key set's secret signed a token without an expiry; null: never, or an app's secret. */
  endlessTokenSeenAt: Date | null
}

export interface ActivityStore {
  /** @param organizationId null: of all organizations, for the operator */
  names(
    organizationId: string | null,
    ids: Partial<Record<NamedKind, readonly string[]>>,
  ): Promise<Names>
  /** Apps that were ever installed, and key sets, by name. */
  clients(organizationId: string): Promise<Named[]>
  /** Apps that were ever installed, by name. */
  apps(organizationId: string): Promise<Named[]>
  /** Members, by name. */
  people(organizationId: string): Promise<Named[]>
  /** Longest unused first. */
  secrets(organizationId: string): Promise<SecretInUse[]>
}

export type ActivityFilter = Partial<AuditFilter>

/** Events, and the names that they refer to. */
export interface NamedEvents {
  events: LoggedEvent[]
  names: Names
}

/** A page of the audit trail, and the places of its neighbours; null: there is none. */
export type ActivityPage = NamedEvents & Record<'older' | 'newer', ListPosition | null>

/** Which page: the newest events, those after a place in the list (older), or those before it (newer). */
export type ActivityPlace = { kind: 'newest' } | { kind: 'older' | 'newer'; place: ListPosition }

/** Small, so that other requests do not wait for a batch. */
const exportPage = 200
const mostOfRequest = 50

const strings = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value): value is string => typeof value === 'string')),
]

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const idsIn = (events: readonly LoggedEvent[]) => ({
  clients: strings(
    events.flatMap(({ clientId, actor }) => [clientId, actor.kind === 'client' ? actor.id : null]),
  ),
  people: strings(
    events.flatMap(({ userId, actor }) => [
      userId,
      actor.kind === 'user' || actor.kind === 'operator' ? actor.id : null,
    ]),
  ),
  workspaces: strings(
    events.flatMap(({ detail }) => [detail.workspace_id, ...listed(detail.workspace_ids)]),
  ),
  groups: strings(events.map(({ detail }) => detail.group_id)),
  organizations: strings(events.map(({ organizationId }) => organizationId)),
})

/** An organization sees its own events, whatever it asks for; null: the operator, who sees all. */
const within = (organizationId: string | null, requested: ActivityFilter): ActivityFilter =>
  organizationId === null ? requested : { ...requested, organizationId }

/** No name is known. */
export const noNames: Names = {
  ...{ clients: new Map(), people: new Map(), workspaces: new Map(), groups: new Map() },
  ...{ organizations: new Map(), keySets: new Map(), present: new Set() },
}

const nothing: ActivityPage = { events: [], names: noNames, older: null, newer: null }

/** The audit trail of an organization, for its admins, and that of all, for operators. */
export const createActivity = (deps: {
  store: ActivityStore
  auditLog: AuditLog
  refusedPages: Pick<RefusedPages, 'find'>
}) => {
  const { store, auditLog } = deps

  const named = async (organizationId: string | null, events: LoggedEvent[]) => ({
    events,
    names: await store.names(organizationId, idsIn(events)),
  })

  /** If newer events would not fill the page, it is the newest page. */
  const pageAt = async (filter: ActivityFilter, at: ActivityPlace, limit: number) => {
    if (at.kind === 'newer') {
      const { items, next } = await auditLog.newer(filter, at.place, limit)
      if (next !== null) return { items, older: items.at(-1)?.id ?? null, newer: next }
    }
    const after = at.kind === 'older' ? at.place : null
    const { items, next } = await auditLog.query(filter, { limit, after })
    return { items, older: next, newer: after && (items[0]?.id ?? null) }
  }

  return {
    /** In place of a page that cannot be asked for. */
    nothing,

    /** @throws Invalid for an end before the beginning */
    page: async (
      organizationId: string | null,
      requested: ActivityFilter,
      at: ActivityPlace,
      limit: number,
    ): Promise<ActivityPage> => {
      const filter = within(organizationId, requested)
      const { items, ...ways } = await pageAt(filter, at, limit)
      return { ...(await named(organizationId, items)), ...ways }
    },

    /** What one request did, and the page that refused it. Nothing for what cannot be an id. */
    request: async (organizationId: string | null, requestId: string): Promise<NamedEvents> => {
      if (!isIdShaped(requestId)) return nothing
      const refused = deps.refusedPages.find(requestId, { organizationId, clientId: null })
      const filter = within(organizationId, { requestId })
      const { items } = await auditLog.query(filter, { limit: mostOfRequest, after: null })
      const page = await refused
      return named(organizationId, [...(page ? [page] : []), ...items])
    },

    /** The whole audit trail, newest first, in pages. @param most events @throws Invalid */
    async *export(
      organizationId: string | null,
      requested: ActivityFilter,
      most: number,
    ): AsyncGenerator<NamedEvents, void, undefined> {
      let left = most
      let after: PageRequest['after'] = null
      do {
        const limit = Math.min(exportPage, left)
        const page: Page<LoggedEvent> = await auditLog.query(within(organizationId, requested), {
          limit,
          after,
        })
        yield await named(organizationId, page.items)
        left -= page.items.length
        after = page.next
      } while (after !== null && left > 0)
    },

    clients: store.clients,
    apps: store.apps,
    people: store.people,
    secrets: store.secrets,

    /** Names of these apps and key sets. */
    clientNames: async (organizationId: string, clients: readonly string[]) =>
      (await store.names(organizationId, { clients })).clients,
  }
}

export type Activity = ReturnType<typeof createActivity>
