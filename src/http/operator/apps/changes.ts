// Changes of apps that their owners have asked for.
import { type Static, Type } from 'typebox'
import { type AppChanges, changeDecisions } from '../../../core/clients/app-changes.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { appJson, appOrNull } from './schemas.ts'

const counted = (what: string) =>
  Type.Optional(Type.Integer({ description: `${what} Only where one is read.` }))

/** Whom a change of an app concerns. */
export const reachFields = {
  organizations: counted('Organizations in which the app is installed.'),
  people: counted('People who use it there.'),
}

const anyValue = Type.Unsafe<unknown>({ description: 'null: none.' })

/** A setting of an app that a change or a document would change. */
export const settingChange = Type.Object({
  field: Type.String(),
  before: anyValue,
  after: anyValue,
})
export type SettingChangeJson = Static<typeof settingChange>

export const noteForOwners = Type.Optional({
  ...api.description,
  description: 'Words for the owners of the app.',
})

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

export const appChangeRoutes = (scope: Scope, { appChanges }: { appChanges: AppChanges }) => {
  const on = operations(scope, {
    area: 'apps',
    limited: 'shared',
    schema: appChangeSchema,
    one: 'The change.',
    page: 'Changes.',
  })
  const path = '/app-changes/:change_id'

  on.list(
    '/app-changes',
    'listAppChanges',
    'List the changes that owners of apps have asked for, oldest first',
    { querystring: listQuery(['name']), run: (_call, page) => appChanges.list(page) },
  )

  on.read(path, 'readAppChange', 'Read a change that an owner of an app has asked for', {
    run: ({ params }) => appChanges.read(params.changeId),
  })

  on.act(
    path,
    'decideAppChange',
    'Approve or refuse a change that an owner of an app has asked for',
    {
      description:
        'Exactly the change of this request is made, and a review of the app stays. A decision counts once: a second one is ' +
        'refused with 409. So is the approval of an outdated request.',
      answer: { description: 'The decision.', schema: decidedChangeSchema },
      refusals: [404, 409],
      body: api.closed({ decision, note: noteForOwners }),
      run: async ({ params, body }, cause) => {
        const { app, clientId } = await appChanges.decide({ ...body, id: params.changeId }, cause)
        return { decision: body.decision, client_id: clientId, app: app && appJson(app) }
      },
    },
  )
}
