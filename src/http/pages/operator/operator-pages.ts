import type { FastifyInstance } from 'fastify'
import type { OperatorPagesDependencies } from './operator-gate.ts'
import { operatorHealth } from './operator-health.ts'
import { operatorOverview } from './operator-overview.ts'
import { operatorReviews } from './operator-reviews.ts'
import { operatorSecret } from './operator-secret.ts'

export type { OperatorPagesDependencies } from './operator-gate.ts'

/** The operator's console. */
export const operatorPages = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  operatorOverview(scope, deps)
  operatorReviews(scope, deps)
  operatorHealth(scope, deps)
  operatorSecret(scope, deps)
}
