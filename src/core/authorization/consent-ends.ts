import type { Cause } from '../audit/audit.ts'
import { type Change, eventsOfChange, type Patch, patched } from '../audit/changes.ts'
import { type AccessEnd, accessEndFaults } from '../language/access-end.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { found, refuse } from '../language/service-errors.ts'
import type { ConsentKey } from './consents.ts'

/** A user's live consent to the live install of an app. */
export interface StoredConsent extends ConsentKey, AccessEnd {
  permissions: string[]
  workspaceIds: WorkspaceLimit
  createdAt: Date
}

export interface ConsentEndStore {
  find(key: ConsentKey): Promise<StoredConsent | null>
  /** Locks the consent, calls `decide` and writes. @returns null when there is none */
  change(
    key: ConsentKey,
    decide: (current: StoredConsent) => Change<AccessEnd>,
  ): Promise<StoredConsent | null>
}

const endOf = ({ expiresAt, idleSeconds }: AccessEnd): AccessEnd => ({ expiresAt, idleSeconds })

const eventsOf = (key: ConsentKey, before: AccessEnd, after: AccessEnd, cause: Cause) => {
  const { expiresAt, idleSeconds } = after
  const detail = { expires_at: expiresAt?.toISOString() ?? null, idle_seconds: idleSeconds }
  return eventsOfChange(cause, 'consent.changed', endOf(before), after, { ...key, detail })
}

/** The ends of users' consents. A user's own page makes and deletes consents. */
export const createConsentEnds = (deps: {
  store: ConsentEndStore
  /** Milliseconds since 1970. */
  now: () => number
}) => ({
  /** @throws NotFound */
  read: async (key: ConsentKey): Promise<StoredConsent> =>
    found(await deps.store.find(key), 'consent'),

  /** @throws Invalid, NotFound, PreconditionFailed */
  change: async (
    key: ConsentKey,
    patch: Patch<AccessEnd>,
    cause: Cause,
    precondition: Precondition<StoredConsent> = anyVersion,
  ): Promise<StoredConsent> => {
    refuse(accessEndFaults(patch, deps.now()))
    const changed = await deps.store.change(key, (current) => {
      precondition(current)
      const values = patched(endOf(current), patch)
      return { values, events: eventsOf(key, current, values, cause) }
    })
    return found(changed, 'consent')
  },
})

export type ConsentEnds = ReturnType<typeof createConsentEnds>
