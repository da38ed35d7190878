import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createUserGate, type UserVisit, type Work } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { createTabbedPages } from './tabs.ts'

/** Adds pages for users who are signed in. `pageOf`: the address of a page that has a query */
export const createAccountRoutes = (scope: FastifyInstance, deps: PageServices) => {
  const asUser = createUserGate(deps)
  return {
    deps,
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
