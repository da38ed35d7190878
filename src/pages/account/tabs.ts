import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { createFramedPages } from '../rendering/forms/blocks-page.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'

const paths = {
  apps: '/account/apps',
  sessions: '/account/sessions',
  passkeys: '/account/passkeys',
  password: '/account/password',
  notifications: '/account/notifications',
  developer: '/developer',
} as const

type TabName = keyof typeof paths

/** Tabs of the account pages that this server offers to the user. */
export const accountTabs = async (
  text: Text,
  current: TabName,
  session: Session,
  { ways, appOwners }: PageServices,
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
export const createTabbedPages = (deps: PageServices) =>
  createFramedPages(async ({ text, session }: UserVisit, tab: TabName) => ({
    tabs: await accountTabs(text, tab, session, deps),
  }))
