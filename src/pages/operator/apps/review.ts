// Marks an app as reviewed: the operator's word for what the app says about itself, which people see beside its name.
import type { FastifyInstance } from 'fastify'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import { code, codes, facts, plain } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { doneAt, formPage } from '../console-form.ts'
import { home } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { apiPathOf, appUrl } from './path.ts'

/** What people read of the app, and where it sends them. */
const shownOf = ({ text }: OperatorVisit, app: AppJson): Block => {
  const { forms, apps } = text.operator
  const { none } = text.form
  const { fields } = forms
  const address = (uri: string | null) => (uri === null ? plain(none) : code(uri))
  return facts(null, [
    [fields.name, plain(app.name)],
    [fields.publisher, plain(app.publisher ?? none)],
    [fields.description, plain(app.description ?? none)],
    [fields.homepageUri, address(app.homepage_uri)],
    [fields.logoUri, address(app.logo_uri)],
    [text.layout.privacy, address(app.policy_uri)],
    [text.layout.terms, address(app.tos_uri)],
    [apps.labels.redirectUris, codes(text, app.redirect_uris)],
  ])
}

export const operatorAppReview = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${home}/apps/:client_id/review`, 'apps:write', async (visit) => {
    const { api, request, text } = visit
    const { item, etag } = await api.readVersion<AppJson>(
      `/apps/${parameter(request, 'client_id')}`,
    )
    return {
      tab: 'apps',
      ...text.operator.forms.markReviewed,
      blocks: [shownOf(visit, item)],
      fields: [],
      cancelUrl: appUrl(item.client_id),
      etag,
      call: () => ({ method: 'PATCH', path: apiPathOf(item.client_id), body: { reviewed: true } }),
      done: doneAt(visit, appUrl(item.client_id), 'saved'),
    }
  })
