// Apps by their metadata documents: imports, and reviews with what they change.
import type { AppReviewJson, DecidedReviewJson } from '../../../http/operator/apps/documents.ts'
import { faultWords } from '../../rendering/fault-words.ts'
import { codes, copied, facts, links, words } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home } from '../console-page.ts'
import { codeField, permissionsField } from '../fields.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { appUrl } from './app.ts'
import { comparison, decisionButtons, noteField, noteIn, sentDecision } from './comparison.ts'
import { retryWindowField } from './fields.ts'

const readReview = ({ api, parameter }: OperatorVisit) =>
  api.read<AppReviewJson>(`/app-reviews/${parameter('review_id')}`)

const permissionsAfter = ({ changes }: AppReviewJson): readonly string[] => {
  const change = changes.find(({ field }) => field === 'permissions')
  return Array.isArray(change?.after) ? change.after.map(String) : []
}

const summaryOf = (
  { text }: OperatorVisit,
  { catalogue }: OperatorPagesDependencies,
  review: AppReviewJson,
): Block[] => {
  const { columns, review: said } = text.operator
  const { kind, ignored_scopes: ignored } = review
  return [
    ...(kind === 'new' ? [words(said.newApp, 'plain')] : []),
    ...comparison(text, catalogue, { ...review, isNew: kind === 'new', hint: said.lead }),
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
const permissionTicks = (
  visit: OperatorVisit,
  deps: OperatorPagesDependencies,
  review: AppReviewJson,
): Field[] => {
  const { permissions: label, permissionsHint: hint } = visit.text.operator.review
  const offered = permissionsAfter(review)
  return offered.length === 0
    ? []
    : [{ ...permissionsField(visit, deps, 'current', offered, offered), label, hint }]
}

const decisions = ({ form }: Tab, deps: OperatorPagesDependencies) =>
  form(
    `${home}/reviews/:review_id`,
    'apps:write',
    async (visit) => {
      const review = await readReview(visit)
      const { question, refuseHint } = visit.text.operator.review
      const decision = sentDecision(visit)
      const isApproval = decision === 'approve'
      return {
        heading: question(review.name),
        blocks: summaryOf(visit, deps, review),
        fields: [
          ...permissionTicks(visit, deps, review),
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
    },
    home,
  )

export const operatorReviews = (tab: Tab, deps: OperatorPagesDependencies) => {
  imports(tab)
  decisions(tab, deps)
}
