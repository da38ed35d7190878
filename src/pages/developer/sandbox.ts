import type { FastifyInstance } from 'fastify'
import { Conflict, NotFound } from '../../core/language/service-errors.ts'
import { createDeveloperForms } from './form.ts'
import { type DeveloperPagesDependencies, sandboxGate } from './gate.ts'

const path = '/developer/sandbox'
const doneAt = (done: string) => `/developer?done=sandbox_${done}`

/** The pages on which an owner of an app creates and deletes a sandbox. */
export const developerSandbox = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  const { sandboxes } = deps
  const form = createDeveloperForms(scope, deps, sandboxGate(deps))

  form(path, async ({ text, session, cause }) => {
    const { creation, names } = text.developer.sandbox
    if (await sandboxes.ofOwner(session.user.id)) return doneAt('exists')
    const { title, heading, lead, submit } = creation
    return {
      ...{ title, heading, lead, submit, fields: [], cancelUrl: '/developer' },
      work: async () => {
        try {
          await sandboxes.create(session.user.id, names, cause)
          return doneAt('created')
        } catch (error) {
          // The second click of a double click finds the sandbox that the first one made.
          if (error instanceof Conflict) return doneAt('exists')
          throw error
        }
      },
    }
  })

  form(`${path}/delete`, async ({ text, session, cause }) => {
    const sandbox = await sandboxes.ofOwner(session.user.id)
    if (!sandbox) return doneAt('deleted')
    const { title, heading, lead, submit } = text.developer.sandbox.deletion
    return {
      ...{ title, heading: heading(sandbox.name), lead, submit },
      ...{ fields: [], isDanger: true, cancelUrl: '/developer' },
      work: async () => {
        try {
          await sandboxes.remove(session.user.id, cause)
        } catch (error) {
          if (!(error instanceof NotFound)) throw error
        }
        return doneAt('deleted')
      },
    }
  })
}
