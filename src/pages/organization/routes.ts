import type { FastifyInstance } from 'fastify'
import type { Work } from '../sign-in/guards.ts'
import type { OrganizationPagesDependencies } from './dependencies.ts'
import { createAdminForms } from './form.ts'
import { type AdminVisit, createOrganizationGates } from './gate.ts'

/** Adds pages and forms for admins. Their paths are below `/organizations/:id`. */
export const createAdminRoutes = (scope: FastifyInstance, deps: OrganizationPagesDependencies) => {
  const { asAdmin } = createOrganizationGates(deps)
  return {
    get: (path: string, show: Work<AdminVisit>) => {
      scope.get(`/organizations/:id${path}`, asAdmin(show))
    },
    post: (path: string, work: Work<AdminVisit>) => {
      scope.post(`/organizations/:id${path}`, asAdmin(work))
    },
    form: createAdminForms(deps.browser),
  }
}

export type AdminRoutes = ReturnType<typeof createAdminRoutes>
