// Decisions about apps: imports and reviews of their metadata documents, and changes that their owners have asked for.

import type { AppChangeJson } from '../../../http/operator/apps/changes.ts'
import type { AppReviewJson, DecidedReviewJson } from '../../../http/operator/apps/documents.ts'
import { faultWords } from '../../rendering/fault-words.ts'
import { code, codes, copied, facts, linked, links, words } from '../../rendering/forms/blocks.ts'
import { ownPath } from '../../rendering/forms/blocks-page.ts'
import { type Field, listIn } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home, tabUrl } from '../console-page.ts'
import { codeField, permissionsField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { appUrl } from './app.ts'
import { comparison, decisionButtons, noteField, noteIn, sentDecision } from './comparison.ts'
import { retryWindowField } from './fields.ts'

const readReview = ({ api, parameter }: OperatorVisit) =>
  api.read<AppReviewJson>(`/app-reviews/${parameter('review_id')}`)

const reviewBlocks = (visit: OperatorVisit, review: AppReviewJson): Block[] => {
  const { text } = visit
  const { columns, review: said } = text.operator
  const { kind, ignored_scopes: ignored } = review
  return [
    ...(kind === 'new' ? [words(said.newApp, 'plain')] : []),
    ...comparison(visit, { ...review, isNew: kind === 'new', hint: said.lead }),
    facts(null, [
      [columns.id, copied(review.client_id)],
      ignored.length > 0 && [said.ignored, codes(text, ignored)],
    ]),
    ...(kind === 'new' ? [] : links([text.operator.changes.openApp, appUrl(review.client_id)])),
  ]
}

const imports = ({ form }: Tab) =>
  form(`${home}/import`, 'apps:write', ({ text }) => {
    const { import: said, fields } = text.operator.forms
    return {
      ...said,
      fields: [codeField('url', fields.url, null, { hint: fields.urlHint, isRequired: true })],
      cancelUrl: home,
      // The faults of the document are shown at its address.
      refused: (refusal) => ({
        ...refusal,
        errors: refusal.errors.map((one) => ({ pointer: '/url', detail: faultWords(text, one) })),
      }),
      call: (body) => ({ method: 'POST', path: '/app-reviews', body }),
      next: ({ id }: { id: string }) => `${home}/reviews/${id}`,
      done: null,
    }
  })

/** The permissions of the document, fewer of which may be approved. */
const permissionTicks = (visit: OperatorVisit, review: AppReviewJson): Field[] => {
  const { permissions: label, permissionsHint: hint } = visit.text.operator.review
  const offered = listIn(review.changes.find(({ field }) => field === 'permissions')?.after)
  return offered.length === 0
    ? []
    : [{ ...permissionsField(visit, 'current', offered, offered), label, hint }]
}

const reviews = ({ decision }: Tab) =>
  decision(`${home}/reviews/:review_id`, 'apps:write', async (visit) => {
    const review = await readReview(visit)
    const { question, refuseHint } = visit.text.operator.review
    const decision = sentDecision(visit)
    const isApproval = decision === 'approve'
    return {
      heading: question(review.name),
      blocks: reviewBlocks(visit, review),
      fields: [
        ...permissionTicks(visit, review),
        ...(review.kind === 'new' ? [retryWindowField(visit.text, null)] : []),
        { ...noteField(visit.text), hint: refuseHint },
      ],
      ...decisionButtons(visit.text, true),
      cancelUrl: home,
      call: (body) => ({
        method: 'POST',
        path: `/app-reviews/${review.id}`,
        body: { ...(isApproval && body), decision, note: noteIn(body) },
      }),
      // The mark “reviewed” is a step of its own, which the page of the app offers.
      next: ({ app }: DecidedReviewJson) => (app && !app.reviewed ? appUrl(app.client_id) : home),
      done: isApproval ? 'approved' : 'refused',
    }
  })

const changeBlocks = async (visit: OperatorVisit, change: AppChangeJson): Promise<Block[]> => {
  const { columns, changes } = visit.text.operator
  const { requested_by: id, outdated } = change
  const [owner] = await personNames(visit, [id])
  const isNamed = owner !== undefined && owner.name !== id
  return [
    ...(outdated ? [words(changes.outdated, 'bad')] : []),
    ...comparison(visit, { ...change, hint: outdated ? null : changes.lead }),
    facts(null, [
      [columns.who, isNamed ? linked(owner.name, `${tabUrl('people')}/${id}`) : code(id)],
      [changes.reason, change.reason ?? visit.text.form.none],
    ]),
    ...links([changes.openApp, appUrl(change.client_id)]),
  ]
}

const changes = ({ decision }: Tab) =>
  decision(`${home}/changes/:change_id`, 'apps:write', async (visit) => {
    const { api, parameter, request, text } = visit
    const change = await api.read<AppChangeJson>(`/app-changes/${parameter('change_id')}`)
    const { changes } = text.operator
    const decision = sentDecision(visit)
    // The page says why it cannot be approved any more.
    if (request.method === 'POST' && decision === 'approve' && change.outdated)
      return ownPath(visit)
    return {
      heading: (change.outdated ? changes.outdatedHeading : changes.question)(change.name),
      blocks: await changeBlocks(visit, change),
      fields: [noteField(text)],
      ...decisionButtons(text, !change.outdated),
      cancelUrl: home,
      call: (body) => ({
        method: 'POST',
        path: `/app-changes/${change.id}`,
        body: { decision, note: noteIn(body) },
      }),
      next: home,
      done: decision === 'approve' ? 'approved' : 'refused',
    }
  })

export const operatorReviews = [imports, reviews, changes]
