import type { FastifyInstance } from 'fastify'
import { changedSettings, versionOfSettings } from '../../core/clients/app-change-rules.ts'
import type { StoredAppChange } from '../../core/clients/app-changes.ts'
import { isClientUrl } from '../../core/crypto/identifiers.ts'
import { Conflict, editConflict, NotFound } from '../../core/language/service-errors.ts'
import { consentPreview } from '../authorization/consent-preview.ts'
import { receiveLogo } from '../rendering/fields/logo-upload.ts'
import { settingDifference } from '../rendering/fields/setting-differences.ts'
import { links } from '../rendering/forms/blocks.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import type { Reader } from '../rendering/permission-list.ts'
import { momentOf } from '../rendering/render.ts'
import type { PageServices } from '../sign-in/services.ts'
import { changeFields, changeIn } from './change-form.ts'
import { createDeveloperForms } from './form.ts'
import { type OwnerVisit, ownerGate } from './gate.ts'

/**
 * An owner's request as the page of the app shows it.
 * @param names of users who still exist
 * @param userId the reader
 */
export const appChangeItem = (
  reader: Reader,
  change: StoredAppChange,
  names: ReadonlyMap<string, string>,
  userId: string,
) => {
  const { text } = reader
  const words = text.developer.changes
  const { id, before, after, requestedBy, decision, note } = change
  return {
    id,
    requested:
      requestedBy === userId
        ? [words.you]
        : words.asked(names.get(requestedBy) ?? words.formerUser),
    at: momentOf(text, change.decidedAt ?? change.createdAt),
    decision: decision && {
      isApproved: decision === 'approve',
      words: decision === 'approve' ? words.approved : words.refused,
    },
    reason: change.reason,
    note: note === null ? null : words.note(note),
    settings: changedSettings(before, after).map((field) =>
      settingDifference(reader, field, [before[field], after[field]]),
    ),
  }
}

/** The page on which an owner changes an app, or asks the operator for the change. */
export const developerChange = (scope: FastifyInstance, deps: PageServices) => {
  const { appChanges, logoUploads, recentSignIn } = deps
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
      fields: changeFields(visit, app),
      submit: isDocument ? null : words.submit,
      cancelUrl: base,
      version: versionOfSettings(app),
      receive: receiveLogo(logoUploads, visit, session.user.id),
      preview: consentPreview(deps, visit, app),
      otherFault: words.faults.other,
      work: async (body, { version: shown }) => {
        const change = changeIn(text, app, body)
        if ('errors' in change) return change
        try {
          const owned = { ownerId: session.user.id, clientId: app.clientId }
          const { kind } = await appChanges.propose({ ...change, ...owned, shown }, cause)
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
      const { clientId } = owned.app
      await appChanges.withdraw({ clientId, id, ownerId: session.user.id }, cause)
      return leave(visit, base, 'withdrawn')
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return leave(visit, base, 'decided')
    }
  }
  scope.post(`${path}/withdraw`, asOwner(withdraw))
}
