import { type Static, Type } from 'typebox'
import type { Stop, Stops } from '../../../core/introspection/stops.ts'
import { goneSignal } from '../../oauth/gone-signal.ts'
import { operations, type Scope } from '../operations.ts'
import * as api from '../schemas.ts'

const stopSchema = api.component(
  'Stop',
  'What a request has ended (its answer has the header Latchkey-Stop), and which data APIs have read it. Kept for 30 days.',
  {
    at: api.timestamp,
    reached: Type.Array(Type.Object({ resource_server: api.id, seconds: Type.Number() }), {
      description:
        'Each process of these has asked for changes after the stop. `seconds`: until the last one did.',
    }),
    waiting: Type.Array(Type.Object({ resource_server: api.id, since: api.timestamp }), {
      description: 'A process of these has not. `since`: when it last asked.',
    }),
    asks: Type.Array(api.id, {
      description: 'These ask about each token, and read no changes.',
    }),
  },
)

const stopJson = ({ at, answers }: Stop): Static<typeof stopSchema> => {
  const of = (state: Stop['answers'][number]['state']) =>
    answers.filter((one) => one.state === state)
  return {
    at: at.toISOString(),
    reached: of('reached').map(({ clientId, seconds }) => ({
      ...{ resource_server: clientId, seconds: seconds ?? 0 },
    })),
    waiting: of('waiting').map(({ clientId, since }) => ({
      ...{ resource_server: clientId, since: (since ?? at).toISOString() },
    })),
    asks: of('asks').map(({ clientId }) => clientId),
  }
}

const wait = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 25,
    description: 'Seconds to wait until no data API is waited for.',
  }),
)

/** Stops, in an organization and for all that the token reaches. */
export const stopRoutes = (scope: Scope, { stops }: { stops: Stops }) => {
  const on = operations(scope, {
    ...{ area: 'installs', limited: 'checked', schema: stopSchema },
    ...{ one: 'The stop.', json: stopJson },
  } as const)
  const querystring = api.closed({ wait })
  const paths = [
    [
      '/organizations/:organization_id/stops/:stop_id',
      'readOrganizationStop',
      'in an organization',
    ],
    ['/stops/:stop_id', 'readStop', 'in all organizations that the token reaches'],
  ] as const
  for (const [path, id, where] of paths)
    on.read(path, id, `Say which data APIs have read what was ended ${where}`, {
      querystring,
      run: ({ request, reply, query }) => {
        request.releaseSlot?.()
        const { organization_id: own, stop_id = '' } = request.params as Record<string, string>
        const reach = own === undefined ? request.operator.organizationIds : [own]
        return stops.settled(stop_id, reach, query.wait ?? 0, goneSignal(reply))
      },
    })
}
