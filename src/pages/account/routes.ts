import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Connections } from '../../core/grants/connections.ts'
import type { Undo } from '../../core/grants/undo.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { MailChoices } from '../../core/notifications/mail-choices.ts'
import type { InstallRequests } from '../../core/organizations/install-requests.ts'
import type { OwnPassword } from '../../core/people/own-password.ts'
import type { Passkeys } from '../../core/people/passkeys.ts'
import type { Sessions } from '../../core/people/sessions.ts'
import type { Users } from '../../core/people/users.ts'
import {
  createUserGate,
  type UserPagesDependencies,
  type UserVisit,
  type Work,
} from '../sign-in/guards.ts'
import type { AccountTabsDependencies } from './tabs.ts'
import { createTabbedPages } from './tabs.ts'

/** What the pages of the user's own account need. Each page names its own part. */
export interface AccountPagesDependencies extends UserPagesDependencies, AccountTabsDependencies {
  origin: string
  catalogue: PermissionCatalogue
  connections: Connections
  installRequests: InstallRequests
  undo: Undo
  sessions: Sessions
  /** null when passkeys cannot work or are switched off. */
  passkeys: Passkeys | null
  ownPassword: OwnPassword
  mailChoices: MailChoices
  users: Users
  /** Milliseconds since 1970. */
  now(): number
}

/** Adds pages for users who are signed in. `pageOf`: the address of a page that has a query */
export const createAccountRoutes = (scope: FastifyInstance, deps: AccountPagesDependencies) => {
  const asUser = createUserGate(deps)
  return {
    get: (path: string, show: Work<UserVisit>, pageOf = (_: FastifyRequest) => path) => {
      scope.get(path, asUser(show, pageOf))
    },
    post: (path: string, work: Work<UserVisit>, pageOf = (_: FastifyRequest) => path) => {
      scope.post(path, asUser(work, pageOf))
    },
    show: createTabbedPages(deps),
  }
}

export type AccountRoutes = ReturnType<typeof createAccountRoutes>
