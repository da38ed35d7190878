import type { FastifyInstance } from 'fastify'
import { accountApps } from './apps.ts'
import { accountLanguage } from './language.ts'
import { accountNotifications } from './notifications.ts'
import { accountPasskeys } from './passkeys.ts'
import { accountPassword } from './password.ts'
import { type AccountPagesDependencies, createAccountRoutes } from './routes.ts'
import { accountSessions } from './sessions.ts'

/** The pages of the user's own account. */
export const accountPages = (scope: FastifyInstance, deps: AccountPagesDependencies) => {
  const routes = createAccountRoutes(scope, deps)
  accountApps(routes, deps)
  accountSessions(routes, deps)
  accountLanguage(scope, deps)
  accountPasskeys(scope, routes, deps)
  accountPassword(routes, deps)
  accountNotifications(routes, deps)
}
