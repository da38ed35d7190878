// Changes of apps that their owners have asked for.
import { type Static, Type } from 'typebox'
import { type AppChanges, changeDecisions } from '../../../core/clients/app-changes.ts'
import { causeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { reachFields, settingChange } from './change-schemas.ts'
import { appJson, appOrNull } from './schemas.ts'

const decision = api.oneOf(changeDecisions)

const appChangeSchema = api.component(
  'AppChange',
  'A change of an app that waits for the operator.',
  {
    id: api.id,
    client_id: Type.String(),
    name: Type.String({ description: 'The present name of the app.' }),
    changes: Type.Array(settingChange, {
      description: 'The settings that would change.',
    }),
    reason: api.nullable(Type.String({ description: 'The words of the owner.' })),
    requested_by: Type.String({ description: 'Id of the owner.' }),
    ...reachFields,
    outdated: Type.Boolean({
      description: 'One of the settings has changed since, so the request cannot be approved.',
    }),
    created_at: api.timestamp,
  },
)
export type AppChangeJson = Static<typeof appChangeSchema>

const decidedChangeSchema = api.component('DecidedAppChange', 'A decision of the operator.', {
  decision,
  client_id: Type.String(),
  app: appOrNull('null: the request was refused.'),
})

const changeJson = jsonOf(appChangeSchema)

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: appChangeSchema,
  one: 'The change.',
  page: 'Changes.',
})

const list = on.list(
  'listAppChanges',
  'List the changes that owners of apps have asked for, oldest first',
  { querystring: listQuery(['name']) },
)

const params = api.pathIds('change_id')

const read = on.read('readAppChange', 'Read a change that an owner of an app has asked for', {
  params,
})

const decide = on.act(
  'decideAppChange',
  'Approve or refuse a change that an owner of an app has asked for',
  {
    description:
      'Exactly the change of this request is made, and a review of the app stays. A decision counts once: a second one is ' +
      'refused with 409. So is the approval of an outdated request.',
    answer: { description: 'The decision.', schema: decidedChangeSchema },
    refusals: [404, 409],
    params,
    body: api.closed({
      decision,
      note: Type.Optional({ ...api.description, description: 'Words for the owners of the app.' }),
    }),
  },
)

export const appChangeRoutes = (scope: Scope, { appChanges }: { appChanges: AppChanges }) => {
  scope.get('/app-changes', list, async ({ query }) =>
    pageJson(await appChanges.list(readPage(query)), changeJson),
  )

  scope.get('/app-changes/:change_id', read, async ({ params }) =>
    changeJson(await appChanges.read(params.change_id)),
  )

  scope.post('/app-changes/:change_id', decide, async (request) => {
    const decided = { ...request.body, id: request.params.change_id }
    const { app, clientId } = await appChanges.decide(decided, causeOf(request))
    return { decision: decided.decision, client_id: clientId, app: app && appJson(app) }
  })
}
