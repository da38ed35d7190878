// Changes of apps that their owners have asked for.
import { type Static, Type } from 'typebox'
import {
  type AppChangeRequest,
  type AppChanges,
  type ChangeDecision,
  changeDecisions,
} from '../../core/clients/app-changes.ts'
import { type AppJson, appSchema, settingChange } from './app-schemas.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, description, id, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const decision = Type.Unsafe<ChangeDecision>({ type: 'string', enum: [...changeDecisions] })

export const appChangeSchema = Type.Object(
  {
    id,
    client_id: Type.String(),
    name: Type.String({ description: 'The present name of the app.' }),
    changes: Type.Array(settingChange, {
      description: 'The settings that would change.',
    }),
    reason: nullable(Type.String({ description: 'The words of the owner.' })),
    requested_by: Type.String({ description: 'Id of the owner.' }),
    outdated: Type.Boolean({
      description: 'One of the settings has changed since, so the request cannot be approved.',
    }),
    created_at: timestamp,
  },
  { $id: 'AppChange', description: 'A change of an app that waits for the operator.' },
)
export type AppChangeJson = Static<typeof appChangeSchema>

export const decidedChangeSchema = Type.Object(
  {
    decision,
    client_id: Type.String(),
    app: Type.Unsafe<AppJson | null>({
      anyOf: [{ $ref: 'App#' }, { type: 'null' }],
      description: 'null: the request was refused.',
    }),
  },
  { $id: 'DecidedAppChange', description: 'A decision of the operator.' },
)

const appJson = jsonOf(appSchema)

const changeJson = (change: AppChangeRequest) => ({
  id: change.id,
  client_id: change.clientId,
  name: change.name,
  changes: change.changes,
  reason: change.reason,
  requested_by: change.requestedBy,
  outdated: change.outdated,
  created_at: change.createdAt.toISOString(),
})

const list = operation(
  {
    id: 'listAppChanges',
    tag: 'apps',
    permission: 'apps:read',
    limited: 'shared',
    summary: 'List the changes that owners of apps have asked for, oldest first',
    answer: { status: 200, description: 'Changes.', schema: pageOf(reference('AppChange')) },
  },
  { querystring: pageQuery },
)

const params = pathIds('change_id')

const read = operation(
  {
    id: 'readAppChange',
    tag: 'apps',
    permission: 'apps:read',
    limited: 'shared',
    summary: 'Read a change that an owner of an app has asked for',
    answer: { status: 200, description: 'The change.', schema: reference('AppChange') },
    refusals: [404],
  },
  { params },
)

const decide = operation(
  {
    id: 'decideAppChange',
    tag: 'apps',
    permission: 'apps:write',
    summary: 'Approve or refuse a change that an owner of an app has asked for',
    description:
      'Exactly the change of this request is made, and a review of the app stays. A decision counts once: a second one is ' +
      'refused with 409. So is the approval of an outdated request.',
    answer: { status: 200, description: 'The decision.', schema: reference('DecidedAppChange') },
    refusals: [404, 409],
  },
  {
    params,
    body: closed({
      decision,
      note: Type.Optional({ ...description, description: 'Words for the owners of the app.' }),
    }),
  },
)

export const appChangeRoutes = (scope: OperatorScope, appChanges: AppChanges) => {
  scope.get('/app-changes', list, async ({ query }) =>
    pageJson(await appChanges.list(readPage(query)), changeJson),
  )

  scope.get('/app-changes/:change_id', read, async ({ params }) =>
    changeJson(await appChanges.read(params.change_id)),
  )

  scope.post('/app-changes/:change_id', decide, async (request) => {
    const { decision, note = null } = request.body
    const { change_id } = request.params
    const decided = await appChanges.decide(change_id, decision, note, causeOf(request))
    return {
      ...decided,
      decision,
      client_id: decided.clientId,
      app: decided.app && appJson(decided.app),
    }
  })
}
