import type { Actor } from '../audit/audit.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Secret } from '../credentials/secrets.ts'
import type { EventType } from '../language/event-types.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found } from '../language/service-errors.ts'
import type { RegisteredApp } from './apps.ts'

/** Installs are counted up to this number, so that a page costs the same for every app. */
export const mostCountedInstalls = 10_000

/** Live installs of an app; one more than the most that is counted: there are more. */
export type InstallCounts = Record<'live' | 'suspended', number>

/** An app in the list of its owner. */
export interface OwnedAppEntry
  extends Pick<RegisteredApp, 'clientId' | 'name' | 'interface' | 'clientType' | 'disabled'> {
  installs: number
}

/** An app as its owner sees it. The organizations that have installed it are counted, not named. */
export interface OwnedApp {
  app: RegisteredApp
  installs: InstallCounts
  /** Active secrets, oldest first. */
  secrets: readonly Secret[]
}

/** A secret of an app was created or deleted. */
export interface SecretChange {
  at: Date
  kind: 'created' | 'leaked' | 'deleted'
  /** `name`: of a user who still exists. */
  actor: Actor & { name: string | null }
}

export interface AppOwnerStore {
  ownsApps(userId: string): Promise<boolean>
  /** Oldest app first. */
  list(userId: string, page: PageRequest, mostInstalls: number): Promise<Page<OwnedAppEntry>>
  /** @returns null when the app does not exist or the user is not one of its owners */
  find(userId: string, clientId: string, mostInstalls: number): Promise<OwnedApp | null>
  /** Names by id. Deleted users are missing. */
  userNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const mostChanges = 10
const created = 'app_secret.created' satisfies EventType
const deleted = 'app_secret.deleted' satisfies EventType

/** Apps as the users whom the operator has named as their owners see them. */
export const createAppOwners = (store: AppOwnerStore, auditLog: Pick<AuditLog, 'query'>) => ({
  ownsApps: store.ownsApps,

  list: (userId: string, page: PageRequest) => store.list(userId, page, mostCountedInstalls),

  /** @throws NotFound, the same one for an unknown app and for an app of others */
  read: async (userId: string, clientId: string): Promise<OwnedApp> =>
    found(await store.find(userId, clientId, mostCountedInstalls), 'app'),

  /** Names by id. Deleted users are missing. */
  userNames: store.userNames,

  /** The latest changes of the app's secrets, newest first: owners see what other owners did. */
  secretChanges: async (clientId: string): Promise<SecretChange[]> => {
    // Each type on its own: the index of types finds the few events among all events of a busy app.
    const page = { limit: mostChanges, after: null }
    const pages = await Promise.all(
      [created, deleted].map((type) => auditLog.query({ clientId, type }, page)),
    )
    const events = pages
      .flatMap(({ items }) => items)
      .toSorted((one, other) => Number(other.id) - Number(one.id))
      .slice(0, mostChanges)
    const users = events.flatMap(({ actor }) =>
      actor.kind === 'user' && actor.id !== null ? [actor.id] : [],
    )
    const names = await store.userNames(users)
    return events.map(({ at, type, actor, detail }) => ({
      at,
      kind: type === deleted ? 'deleted' : detail.end_tokens === true ? 'leaked' : 'created',
      actor: { ...actor, name: (actor.id !== null && names.get(actor.id)) || null },
    }))
  },
})

export type AppOwners = ReturnType<typeof createAppOwners>
