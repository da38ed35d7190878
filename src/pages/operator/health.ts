import type { FastifyInstance } from 'fastify'
import { facts, marked, plain, words } from '../rendering/forms/blocks.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies } from './gate.ts'

/** The state of the stores, as `/health/ready` and the metrics have it. */
export const operatorHealth = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  scope.get(
    tabUrl('health'),
    asOperator({ permission: 'keys:read' }, async (visit) => {
      const said = visit.text.operator.health
      const { stores, warnings, waitingWebhooks, migration, version } = await deps.health()
      const { labels } = said
      return showConsole(deps.renderer, visit, {
        tab: 'health',
        heading: said.heading,
        isNarrow: true,
        blocks: [
          facts(
            said.stores,
            stores.map(({ name, isUp }) => [
              labels[name as 'postgres' | 'redis'],
              marked(isUp ? said.up : said.down, !isUp),
            ]),
          ),
          ...warnings.map((one) => words(one, 'bad')),
          facts(said.server, [
            [labels.version, plain(version)],
            [labels.migration, plain(migration)],
            [labels.webhooks, plain(waitingWebhooks)],
          ]),
        ],
      })
    }),
  )
}
