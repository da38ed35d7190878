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
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { noteForOwners, reachFields, settingChange } from './changes.ts'
import { appJson, appOrNull, appSchema, retryWindow } from './schemas.ts'

const changes = Type.Array(settingChange, {
  description: 'The settings that differ.',
})

const ignoredScopes = Type.Array(Type.String(), {
  description: 'Words in the scope of the document that are no permission here.',
})

const importedAppSchema = api.component(
  'ImportedApp',
  'An app, and what its document has changed of it.',
  { ...appSchema.properties, changes, ignored_scopes: ignoredScopes },
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

export const appDocumentRoutes = (
  scope: Scope,
  { documentImports, appReviews }: { documentImports: DocumentImports; appReviews: AppReviews },
) => {
  const on = operations(scope, {
    area: 'apps',
    limited: 'shared',
    schema: appReviewSchema,
    one: 'The review.',
    page: 'Reviews.',
    json: reviewJson,
  })
  const path = '/app-reviews/:review_id'

  on.act(
    '/apps/import',
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
      run: async ({ body: { url, ...choice }, request, reply }, cause) => {
        const accepted = await documentImports.importUrl(url, choice, cause, () =>
          request.releaseSlot?.(),
        )
        if (accepted.created)
          reply.code(201).header('location', `${scope.prefix}/apps/${encodeURIComponent(url)}`)
        return importedJson(accepted)
      },
    },
  )

  on.create(
    '/app-reviews',
    'proposeAppDocument',
    'Read the Client ID Metadata Document of an app, and add it to the reviews',
    {
      description:
        'Shows what an import would change, and stores nothing of the app. The review is decided like any other.',
      refusals: [409],
      body: api.closed({ url: clientUrl }),
      run: async ({ body, request }, cause) => {
        const id = await documentImports.propose(body.url, cause, () => request.releaseSlot?.())
        return reviewJson(await appReviews.read(id))
      },
    },
  )

  on.list(
    '/app-reviews',
    'listAppReviews',
    'List the documents that wait for a review, oldest first',
    { querystring: listQuery(['host']), run: (_call, page) => appReviews.list(page) },
  )

  on.read(path, 'readAppReview', 'Read a document that waits for a review', {
    run: ({ params }) => appReviews.read(params.reviewId),
  })

  on.act(path, 'decideAppReview', 'Approve or refuse a document', {
    description:
      'Exactly the document of this review is approved; a later one of the same URL has a review of its own. A decision ' +
      'counts once: a second one is refused with 409. A refused document is not asked for again for 30 days.',
    answer: { description: 'The decision.', schema: decidedReviewSchema },
    refusals: [404, 409],
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
      note: noteForOwners,
    }),
    run: async ({ params, body }, cause) => {
      const { app, clientId } = await appReviews.decide({ ...body, id: params.reviewId }, cause)
      return { decision: body.decision, client_id: clientId, app: app && appJson(app) }
    },
  })
}
