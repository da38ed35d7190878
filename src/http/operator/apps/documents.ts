// Apps by their metadata documents: imports, the queue of reviews, and the policies of hosts.
import { type Static, Type } from 'typebox'
import type { AcceptedDocument } from '../../../core/client-documents/accept-document.ts'
import {
  type AppReview,
  type AppReviews,
  reviewDecisions,
} from '../../../core/client-documents/app-reviews.ts'
import type { DocumentImports } from '../../../core/client-documents/document-imports.ts'
import { mostOwners } from '../../../core/clients/app-settings.ts'
import { longestClientUrl } from '../../../core/crypto/identifiers.ts'
import { causeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { reachFields, settingChange } from './change-schemas.ts'
import { retryWindow } from './preset-schemas.ts'
import { appFields, appJson, appOrNull } from './schemas.ts'

const changes = Type.Array(settingChange, {
  description: 'The settings that differ.',
})

const ignoredScopes = Type.Array(Type.String(), {
  description: 'Words in the scope of the document that are no permission here.',
})

const importedAppSchema = api.component(
  'ImportedApp',
  'An app, and what its document has changed of it.',
  { ...appFields, changes, ignored_scopes: ignoredScopes },
)
export type ImportedAppJson = Static<typeof importedAppSchema>

const appReviewSchema = api.component(
  'AppReview',
  'A metadata document that waits for the operator.',
  {
    id: api.id,
    client_id: Type.String({ description: 'The URL of the document.' }),
    kind: api.oneOf(['new', 'change'], {
      description: 'new: there is no app yet. change: the document would widen its app.',
    }),
    name: Type.String(),
    changes,
    ignored_scopes: ignoredScopes,
    ...reachFields,
    created_at: api.timestamp,
  },
)
export type AppReviewJson = Static<typeof appReviewSchema>

const decidedReviewSchema = api.component('DecidedReview', 'A decision of the operator.', {
  decision: api.oneOf(reviewDecisions),
  client_id: Type.String(),
  app: appOrNull('null: the document was refused.'),
})
export type DecidedReviewJson = Static<typeof decidedReviewSchema>

const importedJson = ({ app, changes, ignoredScopes }: AcceptedDocument) => ({
  ...appJson(app),
  changes,
  ignored_scopes: ignoredScopes,
})

const writeReview = jsonOf(appReviewSchema)
const reviewJson = (review: AppReview) => writeReview({ ...review, name: review.document.name })

const clientUrl = Type.String({
  maxLength: longestClientUrl,
  'x-reason': 'document_url',
  description: 'https, with a path, without fragment, dot segments and user information.',
})

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: appReviewSchema,
  one: 'The review.',
  page: 'Reviews.',
})

const importDocument = on.act(
  'importAppDocument',
  'Import the Client ID Metadata Document of an app, or read it again',
  {
    creates: true,
    description:
      'Fetches the URL now: public addresses only, without redirects, at most 32 KiB within 5 seconds. The app has the URL as ' +
      'client_id, and everything in the document. Settings that are left out stay.',
    answer: { description: 'The app, and the settings that differ.', schema: importedAppSchema },
    refusals: [409],
    body: api.closed({
      url: clientUrl,
      ...api.optional({
        permissions: {
          ...api.permissions,
          description:
            'Maximum permissions of the app. Without it, a new app gets those in the scope of the document.',
        },
        description: api.description,
        publisher: api.nullable(api.name),
        reviewed: Type.Boolean(),
        owners: Type.Array(api.otherUserId, { maxItems: mostOwners }),
      }),
    }),
  },
)

const propose = on.create(
  'proposeAppDocument',
  'Read the Client ID Metadata Document of an app, and add it to the reviews',
  {
    description:
      'Shows what an import would change, and stores nothing of the app. The review is decided like any other.',
    refusals: [409],
    body: api.closed({ url: clientUrl }),
  },
)

const listReviews = on.list(
  'listAppReviews',
  'List the documents that wait for a review, oldest first',
  { querystring: listQuery(['host']) },
)

const params = api.pathIds('review_id')

const readReview = on.read('readAppReview', 'Read a document that waits for a review', { params })

const decideReview = on.act('decideAppReview', 'Approve or refuse a document', {
  description:
    'Exactly the document of this review is approved; a later one of the same URL has a review of its own. A decision ' +
    'counts once: a second one is refused with 409. A refused document is not asked for again for 30 days.',
  answer: { description: 'The decision.', schema: decidedReviewSchema },
  refusals: [404, 409],
  params,
  body: api.closed({
    decision: api.oneOf(reviewDecisions),
    ...api.optional({
      permissions: {
        ...api.permissions,
        description:
          'Maximum permissions of the app, for approve. Without it: those that the review shows.',
      },
      retry_window_seconds: retryWindow,
    }),
    note: Type.Optional({ ...api.description, description: 'Words for the owners of the app.' }),
  }),
})

export const appDocumentRoutes = (
  scope: Scope,
  { documentImports, appReviews }: { documentImports: DocumentImports; appReviews: AppReviews },
) => {
  scope.post('/apps/import', importDocument, async (request, reply) => {
    const { url, ...choice } = request.body
    const accepted = await documentImports.importUrl(url, choice, causeOf(request), () =>
      request.releaseSlot?.(),
    )
    if (accepted.created)
      reply.code(201).header('location', `${scope.prefix}/apps/${encodeURIComponent(url)}`)
    return importedJson(accepted)
  })

  scope.post('/app-reviews', propose, async (request) => {
    const id = await documentImports.propose(request.body.url, causeOf(request), () =>
      request.releaseSlot?.(),
    )
    return reviewJson(await appReviews.read(id))
  })

  scope.get('/app-reviews', listReviews, async ({ query }) =>
    pageJson(await appReviews.list(readPage(query)), reviewJson),
  )

  scope.get('/app-reviews/:review_id', readReview, async ({ params }) =>
    reviewJson(await appReviews.read(params.review_id)),
  )

  scope.post('/app-reviews/:review_id', decideReview, async (request) => {
    const decided = { ...fieldsOf(request.body), id: request.params.review_id }
    const { app, clientId } = await appReviews.decide(decided, causeOf(request))
    return { decision: decided.decision, client_id: clientId, app: app && appJson(app) }
  })
}
