import { facts, marked, words } from '../rendering/forms/blocks.ts'
import { tabUrl } from './console-page.ts'
import type { Tab } from './tab.ts'

/** The state of the stores, as `/health/ready` and the metrics have it. */
export const operatorHealth = ({ page, deps }: Tab) =>
  page(tabUrl('health'), 'keys:read', async ({ text }) => {
    const said = text.operator.health
    const { stores, warnings, waitingWebhooks, migration, version } = await deps.health()
    const { labels } = said
    return {
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
          [labels.version, version],
          [labels.migration, migration],
          [labels.webhooks, waitingWebhooks],
        ]),
      ],
    }
  })
