import type { FastifyInstance } from 'fastify'
import { mostSecrets } from '../../core/clients/app.ts'
import type { RotationByOwner, SecretRotation } from '../../core/clients/app-secrets.ts'
import { Conflict, Invalid, NotFound } from '../../core/language/service-errors.ts'
import { links, words } from '../rendering/forms/blocks.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { fieldRefusal, type Sent } from '../rendering/forms/form-page.ts'
import { clientSecret, secretPart } from '../rendering/forms/secret-page.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { inUseField, inUseIn } from '../rendering/secret-in-use.ts'
import type { PageServices } from '../sign-in/services.ts'
import { counted, obstacleTo } from './apps.ts'
import { createDeveloperForms, type DeveloperForm, showDeveloper } from './form.ts'
import { type OwnerVisit, ownerGate } from './gate.ts'

/** Until when the first of two secrets works, where the form says that there is no room. */
const fullWords = ({ text, owned }: OwnerVisit) => {
  const ends = owned.secrets.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity)
  const first = Math.min(...ends)
  return text.developer.replace.full(
    Number.isFinite(first) ? text.organization.moment(new Date(first)) : null,
  )
}

/** An app without a secret has no choice. */
const fieldsOf = ({ text, owned }: OwnerVisit, hasRoom: boolean): Field[] => {
  const said = text.developer.replace
  const leakedHint = said.leakedHint(...counted(owned.installs.live))
  return owned.secrets.length === 0 ? [] : [inUseField(text, { ...said, leakedHint }, hasRoom)]
}

/** Nothing was written, so a secret that was kept for the next page is none. */
const isRefusal = (error: unknown) =>
  error instanceof Conflict || error instanceof NotFound || error instanceof Invalid

/** The page on which an owner deletes one secret of an app. */
const deletion = (form: DeveloperForm<OwnerVisit>, deps: PageServices) =>
  form('/developer/apps/:client_id/secrets/:secret_id/delete', (visit) => {
    const { request, text, session, owned, cause, base } = visit
    const said = text.developer.deletion
    const { secret_id: secretId } = request.params as { secret_id: string }
    const secret = owned.secrets.find((one) => one.id === secretId)
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
        const { clientId } = owned.app
        try {
          await deps.appSecrets.remove({ clientId, secretId, owner }, cause)
          return `${base}?done=deleted`
        } catch (error) {
          if (error instanceof Conflict) return `${base}?done=outdated`
          if (error instanceof NotFound && error.what === 'secret') return `${base}?done=deleted`
          throw error
        }
      },
    }
  })

/** The pages on which an owner replaces the secret of an app, and deletes one. */
export const developerSecrets = (scope: FastifyInstance, deps: PageServices) => {
  const { browser, appSecrets, oneTimeAppSecrets } = deps
  const asOwner = ownerGate(deps)
  const form = createDeveloperForms(scope, deps, asOwner)
  const path = '/developer/apps/:client_id'
  const shownAt = ({ base }: OwnerVisit, handover: string) =>
    `${base}/secret?${new URLSearchParams({ handover })}`

  /** @returns where the new secret is shown @throws Conflict too_many_secrets and for an app that has no secrets */
  const create = async (visit: OwnerVisit, rotation: SecretRotation, { handover, mark }: Sent) => {
    const { request, session, owned, base, cause } = visit
    let isKept = false
    const owner: RotationByOwner = {
      userId: session.user.id,
      newestShown: field(request, 'newest') || null,
      deliver: async (made) => {
        isKept = await oneTimeAppSecrets.offer(handover, made, mark)
        return isKept
      },
    }
    try {
      await appSecrets.create({ ...rotation, clientId: owned.app.clientId, owner }, cause)
      return shownAt(visit, handover)
    } catch (error) {
      if (isKept && isRefusal(error)) await oneTimeAppSecrets.withdraw(handover, mark)
      if (!(error instanceof Conflict) || error.reason !== 'changed_meanwhile') throw error
      // The second click of a double click leads to the secret that the first one made.
      const isMade = await oneTimeAppSecrets.isOffered(handover, mark)
      return isMade ? shownAt(visit, handover) : `${base}?done=outdated`
    }
  }

  deletion(form, deps)
  form(`${path}/replace`, (visit) => {
    const { text, owned, base } = visit
    const said = text.developer.replace
    const hasRoom = owned.secrets.length < mostSecrets
    const obstacle = obstacleTo(text, owned)
    const heading = (owned.secrets.length > 0 ? said.heading : said.createHeading)(owned.app.name)
    return {
      title: said.title,
      heading,
      lead: obstacle ?? said.lead,
      blocks: [
        ...(obstacle ? links([text.developer.secret.back, base, true]) : []),
        ...(obstacle || hasRoom ? [] : [words(fullWords(visit), 'plain')]),
      ],
      fields: fieldsOf(visit, hasRoom),
      submit: obstacle ? null : said.submit,
      cancelUrl: base,
      hidden: { newest: owned.secrets.at(-1)?.id ?? '' },
      secret: { oneTime: oneTimeAppSecrets, shownAt: (handover) => shownAt(visit, handover) },
      work: async (_body, sent) => {
        const after = owned.secrets.length === 0 ? 0 : inUseIn(visit.request)
        const rotation = { retireOthersAfter: after ?? 0, endTokens: after === null }
        try {
          return await create(visit, rotation, sent)
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
          // An app that has just become public has no form, and says why.
          return error.reason === 'too_many_secrets'
            ? fieldRefusal('in_use', said.tooMany, 409)
            : `${base}/replace`
        }
      },
    }
  })

  /** Shows the new secret once, and answers 410 to every later request. */
  const show = async (visit: OwnerVisit) => {
    const { request, text, owned, base } = visit
    const { app, secrets } = owned
    const said = text.developer.secret
    const mark = browser.sessionMark(request)
    const made = await oneTimeAppSecrets.take(queried(request, 'handover'), mark)
    const isInForce = secrets.some(({ id }) => id === made?.secretId)
    const secret =
      made && isInForce ? clientSecret(text, said, app, made.secret, secrets, base) : null
    return showDeveloper(deps, visit, { title: said.title, ...secretPart(secret, said, base) })
  }
  scope.get(`${path}/secret`, asOwner(show))
}
