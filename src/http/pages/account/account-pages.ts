import type { FastifyInstance } from 'fastify'
import { type AccountAppsDependencies, accountApps } from './account-apps.ts'
import { type AccountLanguageDependencies, accountLanguage } from './account-language.ts'
import {
  type AccountNotificationsDependencies,
  accountNotifications,
} from './account-notifications.ts'
import { type AccountPasskeysDependencies, accountPasskeys } from './account-passkeys.ts'
import { type AccountPasswordDependencies, accountPassword } from './account-password.ts'
import { type AccountSessionsDependencies, accountSessions } from './account-sessions.ts'

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
