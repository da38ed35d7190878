import type { Cause } from '../audit/audit.ts'
import { NotFound } from '../language/service-errors.ts'
import type { Installs } from '../organizations/installs.ts'
import type { MemberListStore } from '../organizations/member-list.ts'
import type { Members } from '../organizations/members.ts'
import type { ConnectionKey, Connections } from './connections.ts'

/** Ends the access of an app for one user, as an admin or an operator decides. */
export const createAccessEnd =
  (deps: {
    connections: Pick<Connections, 'disconnect'>
    installs: Pick<Installs, 'read'>
    members: Pick<Members, 'read'>
  }) =>
  /**
   * Ends the consent and every grant of the user for the app in this organization, at once, as the user's own
   * disconnect does. The user may allow the app again.
   * @returns false when there was no access
   * @throws NotFound when the app is not installed there; when there was no access and the user is no member
   */
  async (connection: ConnectionKey, cause: Cause): Promise<boolean> => {
    const { organizationId, clientId, userId } = connection
    await deps.installs.read(organizationId, clientId)
    if (await deps.connections.disconnect(connection, cause)) return true
    // An unknown user and a user of other organizations get the same answer.
    await deps.members.read(organizationId, userId).catch((error: unknown) => {
      throw error instanceof NotFound ? new NotFound('user') : error
    })
    return false
  }

export type AccessEnd = ReturnType<typeof createAccessEnd>

/** Ends the access of every app for one user in an organization, as `createAccessEnd` ends that of one. */
export const createAllAccessEnd =
  (
    { disconnect }: Pick<Connections, 'disconnect'>,
    /** The apps that act for the user. */
    apps: MemberListStore['apps'],
  ) =>
  async (key: Omit<ConnectionKey, 'clientId'>, cause: Cause): Promise<void> => {
    for (let hasEnded = true; hasEnded; ) {
      const { items } = await apps(key.organizationId, key.userId, { limit: 100, after: null })
      hasEnded = false
      for (const { clientId } of items)
        if (await disconnect({ ...key, clientId }, cause)) hasEnded = true
    }
  }

export type AllAccessEnd = ReturnType<typeof createAllAccessEnd>
