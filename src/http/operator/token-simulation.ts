import { type Static, Type } from 'typebox'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Simulations } from '../../core/authorization/simulation.ts'
import type { Simulation } from '../../core/authorization/simulation-rules.ts'
import { simulationEvent } from '../../core/authorization/token-inspection.ts'
import { accessTokenLifetime } from '../../core/tokens/access-token-claims.ts'
import { causeOf } from './guard.ts'
import { operation, reference } from './operation.ts'
import { closed, id, nullable, workspaceLimit } from './schemas.ts'
import type { AdminScope } from './scope.ts'

const cause = Type.String({ description: 'A stable word, explained in docs/errors.md.' })

const simulatedToken = Type.Object({
  permissions: Type.Array(Type.String()),
  workspace_ids: nullable(Type.Array(Type.String())),
  openid_scopes: Type.Array(Type.String(), {
    description: 'What it opens at the userinfo endpoint.',
  }),
})

export const tokenSimulationSchema = Type.Object(
  {
    refused: nullable(Type.String({ description: 'The first obstacle; null: there is a token.' })),
    obstacles: Type.Array(Type.String(), { description: 'All that stand in the way, in order.' }),
    token: Type.Unsafe<Static<typeof simulatedToken> | null>({
      ...simulatedToken,
      type: ['object', 'null'],
      description: 'What an access token would carry.',
    }),
    expires_in: Type.Integer({ description: 'Seconds for which such a token is good.' }),
    permissions: Type.Array(
      Type.Object({ permission: Type.String(), granted: Type.Boolean(), because: cause }),
      { description: 'Every permission of the interface.' },
    ),
    workspaces: nullable(
      Type.Array(
        Type.Object({ id, name: Type.String(), granted: Type.Boolean(), because: cause }),
        { description: 'Every workspace of the organization; null on the legacy interface.' },
      ),
    ),
    would_ask_again: Type.Boolean({
      description: 'The app may ask for more than the user was offered: the next time, it asks.',
    }),
  },
  { $id: 'TokenSimulation', description: 'What an app would get now, and why. Nothing is issued.' },
)

type SimulationJson = Static<typeof tokenSimulationSchema>

const simulationJson = (simulation: Simulation): SimulationJson => {
  const { obstacles, token, permissions, workspaces } = simulation
  const isGiven = token !== null
  return {
    refused: obstacles[0] ?? null,
    obstacles,
    token: token && {
      permissions: token.permissions,
      workspace_ids: token.workspaceIds,
      openid_scopes: token.openidScopes,
    },
    expires_in: accessTokenLifetime[simulation.interface],
    permissions: permissions.map((one) => ({
      ...one,
      granted: isGiven && one.because === 'granted',
    })),
    workspaces:
      workspaces?.map((one) => ({ ...one, granted: isGiven && one.because === 'granted' })) ?? null,
    would_ask_again: simulation.wouldAskAgain,
  }
}

const word = '^[A-Za-z0-9_\\-]{1,128}$'

const simulate = operation(
  {
    id: 'simulateToken',
    tag: 'tokens',
    summary: 'What an app would get now, for a user or for itself, and why',
    description: 'Reads only; nothing is issued, and nobody is asked.',
    answer: {
      status: 200,
      description: 'What it would get.',
      schema: reference('TokenSimulation'),
    },
    refusals: [404],
  },
  {
    body: closed({
      client_id: Type.String({ pattern: word }),
      organization_id: Type.String({ pattern: word }),
      user_id: Type.Optional(
        nullable(Type.String({ pattern: word, description: 'null: itself.' })),
      ),
      scope: Type.Optional(
        nullable(
          Type.String({
            pattern: '^[\\x20-\\x7e]{0,4096}$',
            description: 'As in a token request; null: everything.',
          }),
        ),
      ),
      workspace_ids: Type.Optional(workspaceLimit('As in a token request; null: everything.')),
    }),
  },
)

export const tokenSimulationRoutes = (
  scope: AdminScope,
  simulations: Simulations,
  audit: AuditTrail,
) => {
  scope.post('/tokens/simulate', simulate, async (request) => {
    const { body } = request
    const about = {
      clientId: body.client_id,
      organizationId: body.organization_id,
      userId: body.user_id ?? null,
    }
    const simulation = await simulations.run({
      ...about,
      scope: body.scope ?? undefined,
      workspaceIds: body.workspace_ids?.join(' '),
    })
    audit.record(simulationEvent(causeOf(request), about, simulation))
    return simulationJson(simulation)
  })
}
