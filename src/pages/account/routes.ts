import type { FastifyInstance, FastifyRequest } from 'fastify'
import { queried } from '../rendering/forms/sent-values.ts'
import { createFramedPages } from '../rendering/framed-page.ts'
import { createUserGate, type UserVisit, type Work } from '../sign-in/user-gate.ts'
import type { AccountPagesDependencies } from './dependencies.ts'
import { accountTabs, type TabName } from './tabs.ts'

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
    /** Shows a page below the tabs of the account. */
    show: createFramedPages(async ({ text, session }: UserVisit, tab: TabName) => ({
      tabs: await accountTabs(text, tab, session, deps),
    })),
  }
}

export type AccountRoutes = ReturnType<typeof createAccountRoutes>

/** The notice for the outcome that the address names. */
export const noticeOf = <Words>(request: FastifyRequest, notices: Record<string, Words>) => {
  const done = queried(request, 'done')
  return Object.hasOwn(notices, done) ? (notices[done] as Words) : null
}
