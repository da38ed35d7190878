import type { AppOwners } from '../../core/clients/app-owners.ts'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { createFramedPages } from '../rendering/framed-page.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { SignInWays } from '../sign-in/page.ts'

const paths = {
  apps: '/account/apps',
  sessions: '/account/sessions',
  passkeys: '/account/passkeys',
  password: '/account/password',
  notifications: '/account/notifications',
  developer: '/developer',
} as const

type TabName = keyof typeof paths

export interface AccountTabsDependencies {
  ways: SignInWays
  appOwners: Pick<AppOwners, 'ownsApps'>
}

/** Tabs of the account pages that this server offers to the user. */
export const accountTabs = async (
  text: Text,
  current: TabName,
  session: Session,
  { ways, appOwners }: AccountTabsDependencies,
) => {
  const isOffered: Record<TabName, boolean> = {
    apps: true,
    sessions: true,
    passkeys: ways.passkey,
    password: ways.password,
    notifications: ways.mails,
    developer: await appOwners.ownsApps(session.user.id),
  }
  return (Object.keys(paths) as TabName[])
    .filter((name) => name === current || isOffered[name])
    .map((name) => ({
      label: text.accountTabs[name],
      href: paths[name],
      isCurrent: name === current,
    }))
}

/** Shows a page with a template of its own below the tabs of the account. */
export const createTabbedPages = (deps: AccountTabsDependencies) =>
  createFramedPages(async ({ text, session }: UserVisit, tab: TabName) => ({
    tabs: await accountTabs(text, tab, session, deps),
  }))
