// Apps by their metadata documents: imports, and reviews with what they change.
import type { AppReviewJson, DecidedReviewJson } from '../../../http/operator/apps/documents.ts'
import { faultWords } from '../../rendering/fault-words.ts'
import { code, codes, facts, links, words } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home } from '../console-page.ts'
import { codeField, ticksField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { appUrl } from './app.ts'
import { changesTable } from './changes.ts'

const readReview = ({ api, parameter }: OperatorVisit) =>
  api.read<AppReviewJson>(`/app-reviews/${parameter('review_id')}`)

const permissionsAfter = ({ changes }: AppReviewJson): readonly string[] => {
  const change = changes.find(({ field }) => field === 'permissions')
  return Array.isArray(change?.after) ? change.after.map(String) : []
}

const summaryOf = ({ text }: OperatorVisit, review: AppReviewJson): Block[] => {
  const { columns, review: said } = text.operator
  const { kind, ignored_scopes: ignored } = review
  return [
    ...(kind === 'new' ? [words(said.newApp, 'plain')] : []),
    facts(null, [
      [columns.id, code(review.client_id)],
      ignored.length > 0 && [said.ignored, codes(text, ignored)],
    ]),
    changesTable(text, review.changes, kind === 'new'),
    ...links([said.refuse, `${home}/reviews/${review.id}/refuse`]),
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

const decisions = ({ form }: Tab) => {
  const path = `${home}/reviews/:review_id`

  form(
    path,
    'apps:write',
    async (visit) => {
      const review = await readReview(visit)
      const { heading, lead, approve, ...said } = visit.text.operator.review
      const permissions = permissionsAfter(review)
      const ticks = {
        ...ticksField(said.permissions, permissions, permissions),
        hint: said.permissionsHint,
      }
      return {
        heading,
        lead,
        subject: review.name,
        blocks: summaryOf(visit, review),
        fields: permissions.length === 0 ? [] : [ticks],
        submit: approve,
        cancelUrl: home,
        call: (body) => ({
          method: 'POST',
          path: `/app-reviews/${review.id}`,
          body: { decision: 'approve', ...body },
        }),
        // The mark “reviewed” is a step of its own, which the page of the app offers.
        next: ({ app }: DecidedReviewJson) => (app && !app.reviewed ? appUrl(app.client_id) : home),
        done: 'approved',
      }
    },
    home,
  )

  form(
    `${path}/refuse`,
    'apps:write',
    async (visit) => {
      const { id, name } = await readReview(visit)
      const { refuseHeading, refuseLead, refuseSubmit } = visit.text.operator.review
      return {
        heading: refuseHeading,
        lead: refuseLead,
        submit: refuseSubmit,
        subject: name,
        fields: [],
        isDanger: true,
        cancelUrl: `${home}/reviews/${id}`,
        call: { method: 'POST', path: `/app-reviews/${id}`, body: { decision: 'refuse' } },
        next: home,
        done: 'refused',
      }
    },
    home,
  )
}

export const operatorReviews = (tab: Tab) => {
  imports(tab)
  decisions(tab)
}
