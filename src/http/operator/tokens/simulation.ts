import { type Static, Type } from 'typebox'
import type { AuditTrail } from '../../../core/audit/audit.ts'
import { isLimited } from '../../../core/credentials/operator-permissions.ts'
import type { Simulations } from '../../../core/inspection/simulation.ts'
import type { Simulation } from '../../../core/inspection/simulation-rules.ts'
import { simulationEvent } from '../../../core/inspection/token-inspection.ts'
import { camelKeys } from '../../../core/language/case.ts'
import { causeOf } from '../guard.ts'
import { jsonOf } from '../json.ts'
import { operation, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'
import { refuseForeign } from '../token-rights.ts'

const cause = Type.String({ description: 'A stable word, explained in docs/errors.md.' })

const simulatedToken = Type.Object({
  permissions: Type.Array(Type.String()),
  workspace_ids: api.nullable(Type.Array(Type.String())),
  openid_scopes: Type.Array(Type.String(), { description: 'Scopes for the userinfo endpoint.' }),
})

const tokenSimulationSchema = api.component(
  'TokenSimulation',
  'The token that an app would get now, with reasons. Nothing is issued.',
  {
    refused: api.nullable(
      Type.String({ description: 'The first obstacle; null: the app gets a token.' }),
    ),
    obstacles: Type.Array(Type.String(), { description: 'All obstacles, in order.' }),
    token: api.nullable({
      ...simulatedToken,
      description: 'The content of the access token.',
    }),
    expires_in: Type.Integer({ description: 'Lifetime of the token in seconds.' }),
    permissions: Type.Array(
      Type.Object({ permission: Type.String(), granted: Type.Boolean(), because: cause }),
      { description: 'Every permission of the interface.' },
    ),
    workspaces: api.nullable(
      Type.Array(
        Type.Object({ id: api.id, name: Type.String(), granted: Type.Boolean(), because: cause }),
        { description: 'Every workspace of the organization; null on the legacy interface.' },
      ),
    ),
    would_ask_again: Type.Boolean({
      description:
        'True when the app may now request more than the user last saw at consent, so that the next authorization asks again.',
    }),
  },
)
export type TokenSimulationJson = Static<typeof tokenSimulationSchema>

const tokenJson = jsonOf(simulatedToken)

const simulationJson = (simulation: Simulation): TokenSimulationJson => {
  const { obstacles, token, permissions, workspaces } = simulation
  const judge = <One extends { because: string }>(one: One) => ({
    ...one,
    granted: token !== null && one.because === 'granted',
  })
  return {
    refused: obstacles[0] ?? null,
    obstacles,
    token: token && tokenJson(token),
    expires_in: simulation.lifetime,
    permissions: permissions.map(judge),
    workspaces: workspaces?.map(judge) ?? null,
    would_ask_again: simulation.wouldAskAgain,
  }
}

const simulate = operation({
  id: 'simulateToken',
  tag: 'tokens',
  permission: 'tokens:inspect',
  limited: 'checked',
  summary: 'Simulate the token that an app would get now, for a user or for itself, with reasons',
  description: 'Only reads. No token is issued, and no user is asked.',
  answer: { status: 200, description: 'The simulated token.', schema: tokenSimulationSchema },
  refusals: [404],
  body: api.closed({
    client_id: api.otherClientId,
    organization_id: api.otherId,
    ...api.optional({
      user_id: api.nullable({ ...api.otherId, description: 'null: the app itself.' }),
      scope: api.nullable(
        Type.String({
          pattern: '^[\\x20-\\x7e]{0,4096}$',
          description: 'As in a token request. null: everything.',
        }),
      ),
      workspace_ids: api.workspaceLimit('As in a token request. null: everything.'),
    }),
  }),
})

export const tokenSimulationRoutes = (
  scope: Scope,
  { simulations, audit }: { simulations: Simulations; audit: AuditTrail },
) => {
  scope.post('/tokens/simulate', simulate, async (request) => {
    const { userId = null, scope, workspaceIds, ...rest } = camelKeys(request.body)
    refuseForeign(request, rest.organizationId)
    const about = { ...rest, userId }
    const simulation = await simulations.run({
      ...about,
      membersOnly: isLimited(request.operator),
      scope: scope ?? undefined,
      workspaceIds: workspaceIds?.join(' '),
    })
    audit.record(simulationEvent(causeOf(request), about, simulation))
    return simulationJson(simulation)
  })
}
