import type { FastifyInstance } from 'fastify'
import { type AccountAppsDependencies, accountApps } from './apps.ts'
import { type AccountLanguageDependencies, accountLanguage } from './language.ts'
import { type AccountNotificationsDependencies, accountNotifications } from './notifications.ts'
import { type AccountPasskeysDependencies, accountPasskeys } from './passkeys.ts'
import { type AccountPasswordDependencies, accountPassword } from './password.ts'
import { type AccountSessionsDependencies, accountSessions } from './sessions.ts'

export interface AccountPagesDependencies
  extends AccountAppsDependencies,
    AccountLanguageDependencies,
    AccountNotificationsDependencies,
    AccountPasskeysDependencies,
    AccountPasswordDependencies,
    AccountSessionsDependencies {}

/** The pages of the user's own account. */
export const accountPages = (scope: FastifyInstance, deps: AccountPagesDependencies) => {
  accountApps(scope, deps)
  accountSessions(scope, deps)
  accountLanguage(scope, deps)
  accountPasskeys(scope, deps)
  accountPassword(scope, deps)
  accountNotifications(scope, deps)
}
