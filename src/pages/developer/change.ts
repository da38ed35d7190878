import type { FastifyInstance } from 'fastify'
import { versionOfSettings } from '../../core/clients/app-change-rules.ts'
import { isClientUrl } from '../../core/crypto/identifiers.ts'
import { Conflict, editConflict, NotFound } from '../../core/language/service-errors.ts'
import { links } from '../rendering/forms/blocks.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { changeFields, changeIn } from './change-form.ts'
import { createDeveloperForms } from './form.ts'
import { type DeveloperPagesDependencies, type OwnerVisit, ownerGate } from './gate.ts'

/** The page on which an owner changes an app, or asks the operator for the change. */
export const developerChange = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  const { appChanges, catalogue, recentSignIn } = deps
  const asOwner = ownerGate(deps)
  const form = createDeveloperForms(scope, deps, asOwner)
  const path = '/developer/apps/:client_id/change'

  form(path, (visit) => {
    const { text, session, owned, cause, base } = visit
    const { app } = owned
    const words = text.developer.changes
    // The settings come from a metadata document, so there is no form.
    const isDocument = isClientUrl(app.clientId)
    return {
      title: words.title,
      heading: words.heading(app.name),
      lead: isDocument ? words.document : app.reviewed ? words.leadReviewed : words.lead,
      blocks: isDocument ? links([text.developer.secret.back, base, true]) : [],
      fields: changeFields(text, catalogue, app),
      submit: isDocument ? null : words.submit,
      cancelUrl: base,
      version: versionOfSettings(app),
      otherFault: words.faults.other,
      work: async (body, { version: shown }) => {
        const change = changeIn(text, app, body)
        if ('errors' in change) return change
        try {
          const requested = { ...change, shown }
          const { kind } = await appChanges.propose(session.user.id, app.clientId, requested, cause)
          return `${base}?done=${kind}`
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
          if (error.reason !== 'change_waits') throw editConflict()
          return { status: 409, errors: new Map(), summary: words.waits }
        }
      },
    }
  })

  const withdraw = async (visit: OwnerVisit) => {
    const { request, reply, session, owned, cause, base } = visit
    if (!recentSignIn.isRecent(session)) return recentSignIn.askAgain(reply, `${base}/change`)
    try {
      const id = field(request, 'change_id')
      await appChanges.withdraw(session.user.id, owned.app.clientId, id, cause)
      return leave(visit, base, 'withdrawn')
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return leave(visit, base, 'decided')
    }
  }
  scope.post(`${path}/withdraw`, asOwner(withdraw))
}
