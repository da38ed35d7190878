// Reverses, within a minute, what a person has just done: a suspension, an answer to requests, a disconnect. Tokens that have
// ended stay ended.
import type { Cause } from '../audit/audit.ts'
import { Conflict, Invalid, NotFound, PreconditionFailed } from '../language/service-errors.ts'
import type { InstallKey, StoredInstall } from '../organizations/install.ts'
import type { InstallRequests } from '../organizations/install-requests.ts'
import type { Installs } from '../organizations/installs.ts'
import type { OneTimeSecrets } from '../organizations/one-time-secrets.ts'
import type { ConnectionKey, Connections, EndedConsent } from './connections.ts'

/** What can be undone. `version`: milliseconds since 1970 of the install's last change. */
export type Undoable =
  | { kind: 'resume'; install: InstallKey; version: number }
  | { kind: 'uninstall'; install: InstallKey; version: number; requestIds: string[] }
  | { kind: 'reopen'; install: InstallKey; requestIds: string[] }
  | { kind: 'reconnect'; connection: ConnectionKey; consent: EndedConsent }

/** `until`: milliseconds since 1970. */
export type OfferedUndo = Undoable & { until: number }

const undoneWithin = 60_000 // ms

const isVersion = (version: number) => (live: StoredInstall | null) => {
  if (live?.updatedAt.getTime() !== version) throw new PreconditionFailed()
}

const isTooLate = (error: unknown) =>
  [Conflict, Invalid, NotFound, PreconditionFailed].some((one) => error instanceof one)

export const createUndo = (deps: {
  kept: Pick<OneTimeSecrets<OfferedUndo>, 'store' | 'take'>
  installs: Pick<Installs, 'change' | 'end'>
  installRequests: Pick<InstallRequests, 'reopen'>
  connections: Pick<Connections, 'restore'>
  /** Milliseconds since 1970. */
  now(): number
}) => {
  const { installs, installRequests, connections } = deps

  /** @returns false when something has changed since */
  const takeBack = async (offer: Undoable, cause: Cause): Promise<boolean> => {
    switch (offer.kind) {
      case 'resume': {
        const precondition = isVersion(offer.version)
        await installs.change(offer.install, { suspended: false }, cause, { precondition })
        return true
      }
      case 'uninstall':
        await installs.end(offer.install, cause, isVersion(offer.version))
        await installRequests.reopen(offer.install, offer.requestIds, cause)
        return true
      case 'reopen':
        return installRequests.reopen(offer.install, offer.requestIds, cause)
      case 'reconnect':
        return connections.restore(offer.connection, offer.consent, cause)
    }
  }

  return {
    /** @param browser a value that only this session can present again @returns the name under which it is taken back */
    offer: (offer: Undoable, browser: string) =>
      deps.kept.store({ ...offer, until: deps.now() + undoneWithin }, browser),

    /** What this session was offered under the name, once; null: nothing, or its time is over. */
    take: async (name: string, browser: string): Promise<Undoable | null> => {
      const kept = await deps.kept.take(name, browser)
      return kept && kept.until > deps.now() ? kept : null
    },

    /** @returns false when something has changed since: then nothing is taken back */
    takeBack: async (offer: Undoable, cause: Cause): Promise<boolean> => {
      try {
        return await takeBack(offer, cause)
      } catch (error) {
        if (!isTooLate(error)) throw error
        return false
      }
    },
  }
}

export type Undo = ReturnType<typeof createUndo>
