import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields } from '../audit/changes.ts'
import type { Fault } from '../language/faults.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import type { App } from './app.ts'
import { isWeaker, mapFaults, mapInOrder, type PermissionMap, type Twin } from './twin-rules.ts'

/** A twin as it is stored. */
export interface StoredTwin extends Twin {
  createdAt: Date
  updatedAt: Date
}

type Half = Pick<App, 'interface' | 'clientType' | 'permissions'>

/** What a twin is made of, locked. */
export interface TwinScene {
  /** null: there is no such app. */
  legacy: Half | null
  current: Half | null
  /** The twin that the legacy app has. */
  before: Twin | null
  /** The current app carries on for another one already. */
  isTaken: boolean
}

export interface TwinStore {
  find(legacyClientId: string): Promise<StoredTwin | null>
  /** Locks both apps, asks `decide`, which may throw, and writes. */
  put(
    legacyClientId: string,
    clientId: string,
    decide: (scene: TwinScene) => Change<PermissionMap>,
  ): Promise<StoredTwin | null>
  /** @returns false when there was none */
  remove(legacyClientId: string, eventsOf: (twin: Twin) => readonly AuditEvent[]): Promise<boolean>
}

const clientIdFaults = (legacy: Half, current: Half): Fault[] => {
  const pointer = '/client_id'
  if (current.interface !== 'current')
    return [{ pointer, detail: 'is not an app of the current interface' }]
  return isWeaker(current, legacy)
    ? [{ pointer, detail: 'is public, and the legacy app has a secret' }]
    : []
}

const eventsOf = (twin: Twin, before: Twin | null, cause: Cause): AuditEvent[] => {
  const { legacyClientId: clientId, worth } = twin
  const detail = { twin_client_id: twin.clientId, worth }
  if (!before) return [auditEvent(cause, 'app.twin_made', { clientId, detail })]
  const changed = changedFields(
    { twinClientId: before.clientId, worth: before.worth },
    { twinClientId: twin.clientId, worth },
  )
  return changed.length === 0
    ? []
    : [auditEvent(cause, 'app.twin_changed', { clientId, detail: { ...detail, changed } })]
}

/** Which current app carries on for a legacy one, and what its permissions are worth there. */
export const createTwins = ({ store }: { store: TwinStore }) => ({
  /** @throws NotFound */
  read: async (legacyClientId: string): Promise<StoredTwin> =>
    found(await store.find(legacyClientId), 'twin'),

  /**
   * Gives a legacy app a twin, another twin, or the same with another worth of its permissions.
   * @throws NotFound, Invalid, Conflict twin_taken
   */
  put: async (
    legacyClientId: string,
    clientId: string,
    asked: PermissionMap,
    cause: Cause,
  ): Promise<StoredTwin> => {
    const twin = await store.put(legacyClientId, clientId, (scene) => {
      const { legacy, current } = scene
      if (legacy?.interface !== 'legacy') throw new NotFound('legacy app')
      if (!current) throw new NotFound('app')
      refuse(clientIdFaults(legacy, current))
      if (scene.isTaken) throw new Conflict('twin_taken', 'the app is the twin of another one')
      refuse(mapFaults(asked, current.permissions))
      const worth = mapInOrder(asked)
      const events = eventsOf({ legacyClientId, clientId, worth }, scene.before, cause)
      return { values: worth, events }
    })
    return found(twin, 'twin')
  },

  /** Nothing can be moved any more; what has been moved stays. @throws NotFound */
  remove: async (legacyClientId: string, cause: Cause): Promise<void> => {
    const removed = await store.remove(legacyClientId, ({ clientId }) => [
      auditEvent(cause, 'app.twin_removed', {
        clientId: legacyClientId,
        detail: { twin_client_id: clientId },
      }),
    ])
    if (!removed) throw new NotFound('twin')
  },
})

export type Twins = ReturnType<typeof createTwins>
