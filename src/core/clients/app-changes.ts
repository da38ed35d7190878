// Owners change their apps. What widens an app, or is part of its review, waits for the operator.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type EventsFrom, patched } from '../audit/changes.ts'
import { isClientUrl, newId } from '../crypto/identifiers.ts'
import { snakeCase } from '../language/case.ts'
import { descriptionFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import {
  Conflict,
  editConflict,
  found,
  NotFound,
  nullIfMissing,
  refuse,
} from '../language/service-errors.ts'
import {
  type AppReach,
  changedSettings,
  isOutdated,
  needsOperator,
  type OwnerPatch,
  versionOfSettings,
} from './app-change-rules.ts'
import type { AppOwnerStore } from './app-owners.ts'
import type { Apps, RegisteredApp } from './apps.ts'

export const changeDecisions = ['approve', 'refuse'] as const
export type ChangeDecision = (typeof changeDecisions)[number]

/** A request for a change of an app. */
export interface StoredAppChange {
  id: string
  clientId: string
  /** The settings that change: their values at the request. */
  before: OwnerPatch
  after: OwnerPatch
  /** The owner's words for the operator. */
  reason: string | null
  /** Id of the owner. */
  requestedBy: string
  createdAt: Date
  decidedAt: Date | null
  decision: ChangeDecision | null
  /** The operator's words for the owner. */
  note: string | null
}

/** A request as the operator decides it. */
export interface AppChangeRequest extends StoredAppChange {
  /** Name of the app at present. */
  name: string
  changes: { field: string; before: unknown; after: unknown }[]
  /** A setting that would change has another value by now, so the request cannot be approved. */
  outdated: boolean
}

/** An app, if this user owns it. */
type OwnedApp = Record<'ownerId' | 'clientId', string>

export interface AppChangeStore {
  /** Waiting ones, oldest first. */
  list(page: PageRequest): Promise<Page<StoredAppChange>>
  /** The latest requests of an app, newest first. */
  latest(clientId: string, most: number): Promise<StoredAppChange[]>
  byId(id: string): Promise<StoredAppChange | null>
  /**
   * Locks the app, calls `admit`, which may throw, and adds the request. The user must be an owner of the app then.
   * @returns 'waiting': another request of the app waits; null: there is no such app or owner
   */
  request(
    change: Pick<
      StoredAppChange,
      'id' | 'clientId' | 'before' | 'after' | 'reason' | 'requestedBy'
    >,
    admit: EventsFrom<RegisteredApp>,
  ): Promise<StoredAppChange | 'waiting' | null>
  /** Removes a waiting request of an app. The user must be an owner of the app then. */
  withdraw(request: OwnedApp & { id: string; events: readonly AuditEvent[] }): Promise<boolean>
  /** Decides once. @returns false when it was decided before */
  refuse(id: string, note: string | null, events: readonly AuditEvent[]): Promise<boolean>
}

/** What a form of an owner sends. */
export interface OwnerChange {
  patch: OwnerPatch
  /** The version of the settings that the form showed. */
  shown: string
  reason?: string | null
}

export type OwnerChangeOutcome =
  | { kind: 'unchanged' }
  | { kind: 'changed'; app: RegisteredApp }
  | { kind: 'requested'; request: StoredAppChange }

export interface AppChangesDeps {
  store: AppChangeStore
  owners: Pick<AppOwnerStore, 'find'>
  apps: Pick<Apps, 'read' | 'edit' | 'preview'>
  reachOf(clientId: string): Promise<AppReach>
}

const mostLatest = 5

const decidedBefore = () =>
  new Conflict('review_decided', 'the request was decided or withdrawn before')

const outdated = () =>
  new Conflict(
    'change_outdated',
    'the app has changed since the request; refuse it, and let an owner send it again',
  )

/** Changes of apps by their owners, and the operator's decisions. */
export const createAppChanges = ({ store, owners, apps, reachOf }: AppChangesDeps) => {
  const shown = async (change: StoredAppChange): Promise<AppChangeRequest> => {
    const app = await apps.read(change.clientId)
    const { before, after } = change
    const changes = changedSettings(before, after).map((field) => ({
      field: snakeCase<string>(field),
      before: before[field],
      after: after[field],
    }))
    return { ...change, name: app.name, changes, outdated: isOutdated(app, before) }
  }

  const approve = (
    change: StoredAppChange,
    note: string | null,
    event: AuditEvent,
    cause: Cause,
  ) => {
    const patchOf = (current: RegisteredApp) => {
      if (isOutdated(current, change.before)) throw outdated()
      // The operator has seen this change, so a review stays.
      return { ...change.after, reviewed: current.reviewed }
    }
    const { id, clientId, after } = change
    const approval = { approves: { id, note }, events: [event] }
    return apps.edit({ clientId, patchOf, added: after.permissions, ...approval }, cause)
  }

  return {
    /**
     * Changes the app at once, or asks the operator for the change. One request of an app waits at a time.
     * @throws Invalid, NotFound, Conflict changed_meanwhile, change_waits, document_app
     */
    propose: async (
      { ownerId, clientId, patch, shown: version, reason = null }: OwnedApp & OwnerChange,
      cause: Cause,
    ): Promise<OwnerChangeOutcome> => {
      refuse(descriptionFaults('/reason', reason))
      const { app } = found(await owners.find(ownerId, clientId, 0), 'app')
      if (isClientUrl(clientId))
        throw new Conflict('document_app', 'the settings of the app are those of its document')
      const assertShown = (current: RegisteredApp) => {
        if (versionOfSettings(current) !== version) throw editConflict()
      }
      assertShown(app)
      const wanted = await apps.preview(app, patch)
      const fields = changedSettings(app, wanted)
      if (fields.length === 0) return { kind: 'unchanged' }
      const part = (of: OwnerPatch): OwnerPatch =>
        Object.fromEntries(fields.map((field) => [field, of[field]]))

      if (!needsOperator(app, wanted)) {
        const patchOf = (current: RegisteredApp) => {
          assertShown(current)
          // The operator may have reviewed the app a moment ago.
          if (needsOperator(current, patched<RegisteredApp>(current, part(wanted))))
            throw editConflict()
          return part(wanted)
        }
        const edit = { clientId, patchOf, added: wanted.permissions, ownerId }
        const changed = await apps.edit(edit, cause)
        return { kind: 'changed', app: changed }
      }

      const id = newId('appChange')
      const request = { id, clientId, before: part(app), after: part(wanted), reason }
      const about = {
        clientId,
        detail: { change_id: id, changed: fields.map((one) => snakeCase(one)) },
      }
      const stored = await store.request({ ...request, requestedBy: ownerId }, (current) => {
        assertShown(current)
        return [auditEvent(cause, 'app_change.requested', about)]
      })
      if (stored === 'waiting')
        throw new Conflict('change_waits', 'another request for this app waits; withdraw it first')
      return { kind: 'requested', request: found(stored, 'app') }
    },

    /** @throws NotFound, also for a request that was decided */
    withdraw: async (request: OwnedApp & { id: string }, cause: Cause): Promise<void> => {
      const about = { clientId: request.clientId, detail: { change_id: request.id } }
      const events = [auditEvent(cause, 'app_change.withdrawn', about)]
      if (!(await store.withdraw({ ...request, events }))) throw new NotFound('change')
    },

    /** What an owner sees: the latest requests of the app, newest first. */
    latest: (clientId: string): Promise<StoredAppChange[]> => store.latest(clientId, mostLatest),

    /** Waiting ones, oldest first. */
    list: async (page: PageRequest): Promise<Page<AppChangeRequest>> => {
      const { items, next } = await store.list(page)
      // A request whose app was deleted meanwhile is missing.
      const all = await Promise.all(items.map((one) => shown(one).catch(nullIfMissing)))
      return { items: all.filter((one) => one !== null), next }
    },

    /** @throws NotFound, also for a request that was decided */
    read: async (id: string): Promise<AppChangeRequest & AppReach> => {
      const change = found(await store.byId(id), 'change')
      const waiting = found(change.decision === null ? change : null, 'change')
      return { ...(await shown(waiting)), ...(await reachOf(waiting.clientId)) }
    },

    /**
     * Decides once: concurrent decisions are refused. A review of the app stays. `note`: the operator's words for the owner.
     * @returns the changed app; null: the request was refused
     * @throws NotFound, Invalid, Conflict review_decided, change_outdated
     */
    decide: async (
      { id, decision, note = null }: { id: string; decision: ChangeDecision; note?: string | null },
      cause: Cause,
    ) => {
      refuse(descriptionFaults('/note', note))
      const change = found(await store.byId(id), 'change')
      if (change.decision !== null) throw decidedBefore()
      const { clientId } = change
      const type = decision === 'approve' ? 'app_change.approved' : 'app_change.refused'
      const event = auditEvent(cause, type, {
        clientId,
        detail: { change_id: id, ...(note && { note }) },
      })
      if (decision === 'approve')
        return { clientId, app: await approve(change, note, event, cause) }
      if (!(await store.refuse(id, note, [event]))) throw decidedBefore()
      return { clientId, app: null }
    },
  }
}

export type AppChanges = ReturnType<typeof createAppChanges>
