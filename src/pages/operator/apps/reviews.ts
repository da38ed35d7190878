// Apps by their metadata documents: imports, reviews with what they change, and policies of hosts.
import type { FastifyInstance } from 'fastify'
import type { ClientHostJson } from '../../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson, DecidedReviewJson } from '../../../http/operator/apps/documents.ts'
import { faultWords } from '../../rendering/fault-words.ts'
import { code, codes, facts, words } from '../../rendering/forms/blocks.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { doneAt, formPage, type Specify } from '../console-form.ts'
import { home } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { changesTable } from './changes-table.ts'
import { appUrl } from './path.ts'

const readReview = ({ api, request }: OperatorVisit) =>
  api.read<AppReviewJson>(`/app-reviews/${parameter(request, 'review_id')}`)

const permissionsAfter = ({ changes }: AppReviewJson): readonly string[] => {
  const change = changes.find(({ field }) => field === 'permissions')
  return Array.isArray(change?.after) ? change.after.map(String) : []
}

const summaryOf = (visit: OperatorVisit, review: AppReviewJson): Block[] => {
  const { text } = visit
  const { columns, review: said } = text.operator
  return [
    ...(review.kind === 'new' ? [words(said.newApp, 'plain')] : []),
    facts(null, [
      [columns.id, code(review.client_id)],
      ...(review.ignored_scopes.length === 0
        ? []
        : ([[said.ignored, codes(text, review.ignored_scopes)]] as [
            string,
            ReturnType<typeof codes>,
          ][])),
    ]),
    changesTable(text, review.changes, review.kind === 'new'),
  ]
}

const imports = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${home}/import`, 'apps:write', (visit) => {
    const { import: said, fields } = visit.text.operator.forms
    return {
      tab: 'overview',
      ...said,
      fields: [
        {
          name: 'url',
          kind: 'text',
          label: fields.url,
          hint: fields.urlHint,
          isRequired: true,
          isCode: true,
        },
      ],
      cancelUrl: home,
      // The faults of the document are shown at its address.
      refused: (refusal) => ({
        ...refusal,
        errors: refusal.errors.map((one) => ({
          pointer: '/url',
          detail: faultWords(visit.text, one),
        })),
      }),
      call: (body) => ({ method: 'POST', path: '/app-reviews', body }),
      done: ({ id }: { id: string }) => leave(visit, `${home}/reviews/${id}`),
    }
  })

const decisions = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const path = `${home}/reviews/:review_id`
  const approve: Specify = async (visit) => {
    const review = await readReview(visit)
    const said = visit.text.operator.review
    const permissions = permissionsAfter(review)
    return {
      tab: 'overview',
      heading: said.heading,
      subject: review.name,
      lead: said.lead,
      blocks: [
        ...summaryOf(visit, review),
        {
          kind: 'links',
          links: [
            { label: said.refuse, href: `${home}/reviews/${review.id}/refuse`, isPrimary: false },
          ],
        },
      ],
      fields:
        permissions.length === 0
          ? []
          : [
              {
                name: 'permissions',
                kind: 'ticks',
                label: said.permissions,
                hint: said.permissionsHint,
                values: permissions,
                options: permissions.map((name) => ({ value: name, label: name })),
                isCode: true,
              },
            ],
      submit: said.approve,
      cancelUrl: home,
      call: (body) => ({
        method: 'POST',
        path: `/app-reviews/${review.id}`,
        body: { decision: 'approve', ...body },
      }),
      // The mark “reviewed” is a step of its own, which the page of the app offers.
      done: ({ app }: DecidedReviewJson) =>
        leave(visit, app && !app.reviewed ? appUrl(app.client_id) : home, 'approved'),
    }
  }

  const refuse: Specify = async (visit) => {
    const review = await readReview(visit)
    const said = visit.text.operator.review
    return {
      tab: 'overview',
      heading: said.refuseHeading,
      subject: review.name,
      lead: said.refuseLead,
      fields: [],
      submit: said.refuseSubmit,
      isDanger: true,
      cancelUrl: `${home}/reviews/${review.id}`,
      call: () => ({
        method: 'POST',
        path: `/app-reviews/${review.id}`,
        body: { decision: 'refuse' },
      }),
      done: doneAt(visit, home, 'refused'),
    }
  }

  formPage(scope, deps, path, 'apps:write', approve, home)
  formPage(scope, deps, `${path}/refuse`, 'apps:write', refuse, home)
}

const hosts = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const policyField = ({ text }: OperatorVisit, chosen: string) => ({
    name: 'policy',
    kind: 'choice' as const,
    label: text.operator.forms.fields.policy,
    values: [chosen],
    options: (['review', 'refuse'] as const).map((value) => ({
      value,
      label: text.operator.overview.policies[value],
    })),
  })

  formPage(scope, deps, `${home}/hosts/new`, 'apps:write', (visit) => {
    const { host: said, fields } = visit.text.operator.forms
    return {
      tab: 'overview',
      heading: said.heading,
      fields: [
        {
          name: 'host',
          kind: 'text',
          label: fields.host,
          hint: fields.hostHint,
          isRequired: true,
          isCode: true,
        },
        policyField(visit, 'review'),
      ],
      submit: said.submit,
      cancelUrl: home,
      call: ({ host = '', ...body }) => ({
        method: 'PUT',
        path: `/client-hosts/${encodeURIComponent(String(host))}`,
        body,
      }),
      done: doneAt(visit, home, 'saved'),
    }
  })

  const path = `${home}/hosts/:host`
  const read = ({ api, request }: OperatorVisit) =>
    api.readVersion<ClientHostJson>(`/client-hosts/${parameter(request, 'host')}`)
  formPage(scope, deps, path, 'apps:write', async (visit) => {
    const { item, etag } = await read(visit)
    const said = visit.text.operator.forms.host
    return {
      tab: 'overview',
      heading: said.heading,
      subject: item.host,
      fields: [policyField(visit, item.policy)],
      submit: said.submit,
      cancelUrl: home,
      etag,
      blocks: [
        {
          kind: 'links',
          links: [
            {
              label: said.removeSubmit,
              href: `${home}/hosts/${encodeURIComponent(item.host)}/remove`,
              isPrimary: false,
            },
          ],
        },
      ],
      call: (body) => ({
        method: 'PUT',
        path: `/client-hosts/${encodeURIComponent(item.host)}`,
        body,
      }),
      done: doneAt(visit, home, 'saved'),
    }
  })
  formPage(scope, deps, `${path}/remove`, 'apps:write', async (visit) => {
    const { item, etag } = await read(visit)
    const said = visit.text.operator.forms.host
    return {
      tab: 'overview',
      heading: said.removeHeading,
      subject: item.host,
      lead: said.removeLead,
      fields: [],
      submit: said.removeSubmit,
      isDanger: true,
      cancelUrl: `${home}/hosts/${encodeURIComponent(item.host)}`,
      etag,
      call: () => ({ method: 'DELETE', path: `/client-hosts/${encodeURIComponent(item.host)}` }),
      done: doneAt(visit, home, 'deleted'),
    }
  })
}

export const operatorReviews = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  imports(scope, deps)
  decisions(scope, deps)
  hosts(scope, deps)
}
