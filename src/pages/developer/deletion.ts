import type { FastifyInstance } from 'fastify'
import { anyVersion } from '../../core/language/precondition.ts'
import { Conflict, NotFound } from '../../core/language/service-errors.ts'
import { links, words } from '../rendering/forms/blocks.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { createDeveloperForms } from './form.ts'
import { type DeveloperPagesDependencies, ownerGate } from './gate.ts'

/** The page on which an owner deletes one secret of an app. */
export const developerDeletion = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  const form = createDeveloperForms(scope, deps, ownerGate(deps))
  form('/developer/apps/:client_id/secrets/:secret_id/delete', (visit) => {
    const { request, text, session, owned, cause, base } = visit
    const said = text.developer.deletion
    const { secret_id: id } = request.params as { secret_id: string }
    const secret = owned.secrets.find((one) => one.id === id)
    // A secret that is not active has no page; the second click of a double click finds none.
    if (!secret) return `${base}?done=${request.method === 'GET' ? 'outdated' : 'deleted'}`
    const isLast = owned.secrets.length === 1
    return {
      title: said.title,
      heading: said.heading(owned.app.name, secret.hint),
      lead: said.lead,
      blocks: [
        ...(isLast ? [words(said.last, 'bad')] : []),
        ...links([said.leaked, `${base}/replace`]),
      ],
      fields: [],
      submit: said.submit,
      isDanger: true,
      cancelUrl: base,
      hidden: { last: isLast ? 'yes' : 'no' },
      work: async () => {
        // The page of the last secret has a warning, and says so in the form.
        const hasOthersShown = field(request, 'last') !== 'yes'
        const owner = { userId: session.user.id, hasOthersShown }
        try {
          await deps.appSecrets.remove(owned.app.clientId, id, cause, anyVersion, owner)
          return `${base}?done=deleted`
        } catch (error) {
          if (error instanceof Conflict) return `${base}?done=outdated`
          if (error instanceof NotFound && error.what === 'secret') return `${base}?done=deleted`
          throw error
        }
      },
    }
  })
}
