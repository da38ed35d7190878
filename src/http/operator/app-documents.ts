// Apps by their metadata documents: imports, the queue of reviews, and the policies of hosts.
import { type Static, Type } from 'typebox'
import type { AcceptedDocument } from '../../core/client-documents/accept-document.ts'
import {
  type AppReview,
  type AppReviews,
  type ReviewDecision,
  reviewDecisions,
} from '../../core/client-documents/app-reviews.ts'
import type { DocumentImports } from '../../core/client-documents/document-imports.ts'
import { mostOwners } from '../../core/clients/app-settings.ts'
import { longestClientUrl } from '../../core/crypto/identifiers.ts'
import { type AppJson, appFields, appSchema, settingChange } from './app-schemas.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import {
  closed,
  description,
  id,
  name,
  nullable,
  otherUserId,
  pathIds,
  permissions,
  timestamp,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const changes = Type.Array(settingChange, {
  description: 'The settings that differ.',
})

const ignoredScopes = Type.Array(Type.String(), {
  description: 'Words in the scope of the document that are no permission here.',
})

export const importedAppSchema = Type.Object(
  { ...appFields, changes, ignored_scopes: ignoredScopes },
  { $id: 'ImportedApp', description: 'An app, and what its document has changed of it.' },
)
export type ImportedAppJson = Static<typeof importedAppSchema>

export const appReviewSchema = Type.Object(
  {
    id,
    client_id: Type.String({ description: 'The URL of the document.' }),
    kind: Type.Unsafe<AppReview['kind']>({
      type: 'string',
      enum: ['new', 'change'],
      description: 'new: there is no app yet. change: the document would widen its app.',
    }),
    name: Type.String(),
    changes,
    ignored_scopes: ignoredScopes,
    created_at: timestamp,
  },
  { $id: 'AppReview', description: 'A metadata document that waits for the operator.' },
)
export type AppReviewJson = Static<typeof appReviewSchema>

export const decidedReviewSchema = Type.Object(
  {
    decision: Type.Unsafe<ReviewDecision>({ type: 'string', enum: [...reviewDecisions] }),
    client_id: Type.String(),
    app: Type.Unsafe<AppJson | null>({
      anyOf: [{ $ref: 'App#' }, { type: 'null' }],
      description: 'null: the document was refused.',
    }),
  },
  { $id: 'DecidedReview', description: 'A decision of the operator.' },
)
export type DecidedReviewJson = Static<typeof decidedReviewSchema>

const appJson = jsonOf(appSchema)

const importedJson = ({ app, changes, ignoredScopes }: AcceptedDocument) => ({
  ...appJson(app),
  changes,
  ignored_scopes: ignoredScopes,
})

const reviewJson = (review: AppReview) => ({
  id: review.id,
  client_id: review.clientId,
  kind: review.kind,
  name: review.document.name,
  changes: review.changes,
  ignored_scopes: review.ignoredScopes,
  created_at: review.createdAt.toISOString(),
})

const clientUrl = Type.String({
  maxLength: longestClientUrl,
  'x-reason': 'document_url',
  description: 'https, with a path, without fragment, dot segments and user information.',
})

const importDocument = operation(
  {
    id: 'importAppDocument',
    creates: true,
    tag: 'apps',
    permission: 'apps:write',
    summary: 'Import the Client ID Metadata Document of an app, or read it again',
    description:
      'Fetches the URL now: public addresses only, without redirects, at most 32 KiB within 5 seconds. The app has the URL as ' +
      'client_id, and everything in the document. Settings that are left out stay.',
    answer: {
      status: 200,
      description: 'The app, and the settings that differ.',
      schema: reference('ImportedApp'),
    },
    refusals: [409],
  },
  {
    body: closed({
      url: clientUrl,
      permissions: Type.Optional({
        ...permissions,
        description:
          'Maximum permissions of the app. Without it, a new app gets those in the scope of the document.',
      }),
      description: Type.Optional(description),
      publisher: Type.Optional(nullable(name)),
      reviewed: Type.Optional(Type.Boolean()),
      owners: Type.Optional(Type.Array(otherUserId, { maxItems: mostOwners })),
    }),
  },
)

const propose = operation(
  {
    id: 'proposeAppDocument',
    tag: 'apps',
    permission: 'apps:write',
    summary: 'Read the Client ID Metadata Document of an app, and add it to the reviews',
    description:
      'Shows what an import would change, and stores nothing of the app. The review is decided like any other.',
    answer: { status: 201, description: 'The review.', schema: reference('AppReview') },
    refusals: [409],
  },
  { body: closed({ url: clientUrl }) },
)

const listReviews = operation(
  {
    id: 'listAppReviews',
    tag: 'apps',
    permission: 'apps:read',
    limited: 'shared',
    summary: 'List the documents that wait for a review, oldest first',
    answer: { status: 200, description: 'Reviews.', schema: pageOf(reference('AppReview')) },
  },
  { querystring: pageQuery },
)

const params = pathIds('review_id')

const readReview = operation(
  {
    id: 'readAppReview',
    tag: 'apps',
    permission: 'apps:read',
    limited: 'shared',
    summary: 'Read a document that waits for a review',
    answer: { status: 200, description: 'The review.', schema: reference('AppReview') },
    refusals: [404],
  },
  { params },
)

const decideReview = operation(
  {
    id: 'decideAppReview',
    tag: 'apps',
    permission: 'apps:write',
    summary: 'Approve or refuse a document',
    description:
      'Exactly the document of this review is approved; a later one of the same URL has a review of its own. A decision ' +
      'counts once: a second one is refused with 409. A refused document is not asked for again for 30 days.',
    answer: { status: 200, description: 'The decision.', schema: reference('DecidedReview') },
    refusals: [404, 409],
  },
  {
    params,
    body: closed({
      decision: Type.Unsafe<ReviewDecision>({ type: 'string', enum: [...reviewDecisions] }),
      permissions: Type.Optional({
        ...permissions,
        description:
          'Maximum permissions of the app, for approve. Without it: those that the review shows.',
      }),
    }),
  },
)

export const appDocumentRoutes = (
  scope: OperatorScope,
  documentImports: DocumentImports,
  reviews: AppReviews,
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

  scope.post('/app-reviews', propose, async (request, reply) => {
    const id = await documentImports.propose(request.body.url, causeOf(request), () =>
      request.releaseSlot?.(),
    )
    reply.code(201)
    return reviewJson(await reviews.read(id))
  })

  scope.get('/app-reviews', listReviews, async ({ query }) =>
    pageJson(await reviews.list(readPage(query)), reviewJson),
  )

  scope.get('/app-reviews/:review_id', readReview, async ({ params }) =>
    reviewJson(await reviews.read(params.review_id)),
  )

  scope.post('/app-reviews/:review_id', decideReview, async (request) => {
    const { decision, permissions } = request.body
    const { review_id } = request.params
    const { app, clientId } = await reviews.decide(
      review_id,
      decision,
      { permissions },
      causeOf(request),
    )
    return { decision, client_id: clientId, app: app && appJson(app) }
  })
}
