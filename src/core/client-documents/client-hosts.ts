// The operator's rule for each host of metadata documents.
import { auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { found, NotFound, refuse } from '../language/service-errors.ts'
import { hostFault } from './client-url.ts'

/**
 * `review`: an unknown document of the host is read when a user comes with it, and waits for the operator. `refuse`: no
 * document of the host is read or imported. Unknown documents of other hosts are refused unread, and can be imported.
 */
export const hostPolicies = ['review', 'refuse'] as const
export type HostPolicy = (typeof hostPolicies)[number]

export interface ClientHost {
  /** With its port if that is not 443. */
  host: string
  policy: HostPolicy
  createdAt: Date
  updatedAt: Date
}

export interface ClientHostStore {
  /** Locks the row if there is one, and calls `decide`, which may throw. Without events nothing is written. */
  put(
    host: string,
    policy: HostPolicy,
    decide: EventsFrom<ClientHost | null>,
  ): Promise<Put<ClientHost>>
  byHost(host: string): Promise<ClientHost | null>
  list(page: PageRequest): Promise<Page<ClientHost>>
  /** Locks the row and calls `admit`, which may throw. */
  remove(host: string, admit: EventsFrom<ClientHost>): Promise<boolean>
}

export const createClientHosts = ({ store }: { store: ClientHostStore }) => ({
  /** @throws Invalid, PreconditionFailed */
  put: async (
    host: string,
    policy: HostPolicy,
    cause: Cause,
    precondition: Precondition<ClientHost> = anyVersion,
  ): Promise<Put<ClientHost>> => {
    const detail = hostFault(host)
    refuse(detail ? [faultAt('/host', 'host', detail)] : [])
    return store.put(host, policy, (current) => {
      precondition(current)
      if (current?.policy === policy) return []
      return [auditEvent(cause, 'client_host.changed', { detail: { host, policy } })]
    })
  },

  /** @throws NotFound */
  read: async (host: string): Promise<ClientHost> =>
    found(hostFault(host) ? null : await store.byHost(host), 'client host'),

  /** Oldest first. */
  list: (page: PageRequest): Promise<Page<ClientHost>> => store.list(page),

  /** @throws NotFound, PreconditionFailed */
  remove: async (
    host: string,
    cause: Cause,
    precondition: Precondition<ClientHost> = anyVersion,
  ): Promise<void> => {
    const removed =
      hostFault(host) === null &&
      (await store.remove(host, (current) => {
        precondition(current)
        return [auditEvent(cause, 'client_host.removed', { detail: { host } })]
      }))
    if (!removed) throw new NotFound('client host')
  },
})

export type ClientHosts = ReturnType<typeof createClientHosts>
