import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, type EventsFrom, eventsOfChange, removal } from '../audit/changes.ts'
import { type Fault, faultAt } from '../language/faults.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import type { App } from './app.ts'
import {
  isLessAuthenticated,
  mapFaults,
  mapInOrder,
  type PermissionMap,
  type Successor,
} from './successor-rules.ts'

export type StoredSuccessor = Successor & Record<'createdAt' | 'updatedAt', Date>

type Half = Pick<App, 'interface' | 'clientType' | 'permissions'>

/** The two apps, locked, and the successor that is stored. */
export interface SuccessorContext {
  /** null: there is no such app. */
  legacy: Half | null
  current: Half | null
  /** null: the legacy app has no successor yet. */
  before: StoredSuccessor | null
  /** The current app is the successor of another legacy app. */
  isTaken: boolean
}

export interface SuccessorStore {
  find(legacyClientId: string): Promise<StoredSuccessor | null>
  /** Locks both apps, calls `decide`, which may throw, and writes. */
  put(
    legacyClientId: string,
    clientId: string,
    decide: (context: SuccessorContext) => Change<PermissionMap>,
  ): Promise<StoredSuccessor | null>
  /** @returns false when there was none */
  remove(legacyClientId: string, admit: EventsFrom<StoredSuccessor>): Promise<boolean>
}

const clientIdFaults = (legacy: Half, current: Half): Fault[] => {
  const pointer = '/client_id'
  if (current.interface !== 'current')
    return [faultAt(pointer, 'successor', 'is not an app of the current interface')]
  return isLessAuthenticated(current, legacy)
    ? [faultAt(pointer, 'successor', 'is public, and the legacy app has a secret')]
    : []
}

const eventsOf = (successor: Successor, before: Successor | null, cause: Cause): AuditEvent[] => {
  const { legacyClientId: clientId, permissionMap: worth } = successor
  const detail = { twin_client_id: successor.clientId, worth }
  if (!before) return [auditEvent(cause, 'app.twin_made', { clientId, detail })]
  const was = { twinClientId: before.clientId, worth: before.permissionMap }
  const is = { twinClientId: successor.clientId, worth }
  return eventsOfChange(cause, 'app.twin_changed', was, is, { clientId, detail })
}

/** Operators name the current app that replaces a legacy app, and map its permissions. */
export const createSuccessors = ({ store }: { store: SuccessorStore }) => ({
  /** @throws NotFound */
  read: async (legacyClientId: string) => found(await store.find(legacyClientId), 'twin'),

  /**
   * Sets the successor of a legacy app and its permission map.
   * @throws NotFound, Invalid, PreconditionFailed, Conflict twin_taken
   */
  put: async (
    { legacyClientId, clientId, permissionMap: requested }: Successor,
    cause: Cause,
    precondition: Precondition<StoredSuccessor> = anyVersion,
  ): Promise<StoredSuccessor> => {
    const successor = await store.put(legacyClientId, clientId, (context) => {
      const { legacy, current } = context
      if (legacy?.interface !== 'legacy') throw new NotFound('legacy app')
      if (!current) throw new NotFound('app')
      precondition(context.before)
      refuse(clientIdFaults(legacy, current))
      if (context.isTaken) throw new Conflict('twin_taken', 'the app is the twin of another one')
      refuse(mapFaults(requested, legacy.permissions, current.permissions))
      const permissionMap = mapInOrder(requested)
      const events = eventsOf({ legacyClientId, clientId, permissionMap }, context.before, cause)
      return { values: permissionMap, events }
    })
    return found(successor, 'twin')
  },

  /** No further grants migrate; grants that have migrated stay. @throws NotFound, PreconditionFailed */
  remove: removal('twin', store.remove, (cause, { legacyClientId, clientId }) => {
    const detail = { twin_client_id: clientId }
    return auditEvent(cause, 'app.twin_removed', { clientId: legacyClientId, detail })
  }),
})

export type Successors = ReturnType<typeof createSuccessors>
