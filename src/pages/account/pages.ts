import type { FastifyInstance } from 'fastify'
import type { PageServices } from '../sign-in/services.ts'
import { accountApps } from './apps.ts'
import { accountLanguage } from './language.ts'
import { accountNotifications } from './notifications.ts'
import { accountPasskeys } from './passkeys.ts'
import { accountPassword } from './password.ts'
import { createAccountRoutes } from './routes.ts'
import { accountSessions } from './sessions.ts'

export const accountPages = (scope: FastifyInstance, deps: PageServices) => {
  const routes = createAccountRoutes(scope, deps)
  accountApps(routes)
  accountSessions(routes)
  accountLanguage(scope, deps)
  accountPasskeys(scope, routes)
  accountPassword(routes)
  accountNotifications(routes)
}
