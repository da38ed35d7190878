import type { FastifyReply } from 'fastify'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { createFramedPages, type PartOfPage, showBlocks } from '../rendering/forms/blocks-page.ts'
import { oneGroup } from '../rendering/tab-groups.ts'
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
const accountTabs = async (
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

export const showAccountBlocks = async (
  deps: PageServices,
  visit: UserVisit,
  tab: TabName,
  page: PartOfPage,
): Promise<FastifyReply> => {
  const { text, session } = visit
  const tabs = await accountTabs(text, tab, session, deps)
  return showBlocks(visit, { tabs: oneGroup(tabs), navigation: text.accountTabs.label }, page)
}

/** Shows a page with a template of its own below the tabs of the account. */
export const createTabbedPages = (deps: PageServices) =>
  createFramedPages(async ({ text, session }: UserVisit, tab: TabName) => ({
    tabs: await accountTabs(text, tab, session, deps),
  }))
