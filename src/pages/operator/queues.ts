// What waits for the operator, a list on a page each.
import type { AppChangeJson } from '../../http/operator/apps/changes.ts'
import type { ClientHostJson } from '../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson } from '../../http/operator/apps/documents.ts'
import type { AppJson } from '../../http/operator/apps/schemas.ts'
import { copied, linked, links, marked, timed } from '../rendering/forms/blocks.ts'
import { choiceOf } from '../rendering/long-list.ts'
import type { TableBlock } from '../rendering/view-models/blocks.ts'
import { appUrl } from './apps/app.ts'
import { appState, ofInterface } from './apps/apps.ts'
import { settingLabel } from './apps/comparison.ts'
import { home } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { linkedIf, listTable } from './list-table.ts'
import type { Tab } from './tab.ts'

/** Who may not decide sees what waits, without a link. */
const manage = 'apps:write'

type Queue = (visit: OperatorVisit, url: string) => Promise<TableBlock>

const reviews: Queue = (visit, url) => {
  const { text, may } = visit
  const { columns, overview, states } = text.operator
  return listTable<AppReviewJson>(visit, {
    ...{ from: '/app-reviews', url, id: 'reviews' },
    ...{ heading: overview.reviews, hint: overview.reviewsHint, empty: overview.noReviews },
    find: columns.id,
    columns: [
      [columns.app, (one) => linkedIf(may(manage), one.name, `${home}/reviews/${one.id}`)],
      [columns.id, (one) => copied(one.client_id), 'host'],
      [columns.type, ({ kind }) => marked(kind === 'new' ? states.newApp : states.change)],
      [columns.time, (one) => timed(text, one.created_at), 'created_at'],
    ],
  })
}

const changes: Queue = (visit, url) => {
  const { text, may } = visit
  const { columns, changes: said } = text.operator
  const settingsOf = ({ changes: all }: AppChangeJson) =>
    all.map((change) => settingLabel(text, change)).join(' · ')
  return listTable<AppChangeJson>(visit, {
    ...{ from: '/app-changes', url, id: 'owners', heading: said.waiting, empty: said.none },
    find: text.search.named,
    columns: [
      [columns.app, (one) => linkedIf(may(manage), one.name, `${home}/changes/${one.id}`), 'name'],
      [columns.setting, settingsOf],
      [columns.time, (one) => timed(text, one.created_at), 'created_at'],
    ],
  })
}

const notReviewed: Queue = (visit, url) => {
  const { text } = visit
  const { columns, overview } = text.operator
  return listTable<AppJson>(visit, {
    ...{ from: '/apps', filter: { reviewed: 'false' }, url, id: 'not-reviewed' },
    ...{ heading: overview.notReviewed, hint: overview.notReviewedHint },
    find: text.search.named,
    choices: [ofInterface(visit)],
    columns: [
      [columns.app, (app) => linked(app.name, appUrl(app.client_id)), 'name'],
      [columns.id, (app) => copied(app.client_id)],
      [columns.created, (app) => timed(text, app.created_at), 'created_at'],
      [columns.state, (app) => appState(visit, app)],
    ],
    empty: overview.allReviewed,
  })
}

const hosts: Queue = (visit, url) => {
  const { text, may } = visit
  const { columns, overview } = text.operator
  const linkOf = ({ host }: ClientHostJson) =>
    linkedIf(may(manage), host, `${url}/${encodeURIComponent(host)}`)
  return listTable<ClientHostJson>(visit, {
    ...{ from: '/client-hosts', url, id: 'hosts' },
    ...{ heading: overview.hosts, hint: overview.hostsHint, empty: overview.noHosts },
    find: columns.host,
    choices: [choiceOf('policy', columns.policy, overview.policies)],
    columns: [
      [columns.host, linkOf, 'host'],
      [columns.policy, (one) => overview.policies[one.policy]],
      [columns.changed, (one) => timed(text, one.updated_at)],
    ],
  })
}

/** By the ends of the addresses of their pages. */
const queues: Record<string, Queue> = { reviews, changes, 'not-reviewed': notReviewed, hosts }

export const operatorQueues = ({ page }: Tab) => {
  for (const [name, queue] of Object.entries(queues))
    page(`${home}/${name}`, 'apps:read', async (visit) => {
      const { overview } = visit.text.operator
      return {
        heading: overview.heading,
        blocks: [
          await queue(visit, `${home}/${name}`),
          ...links(
            visit.may(manage) && name === 'hosts' && [overview.newHost, `${home}/hosts/new`],
            visit.may(manage) && name === 'reviews' && [overview.import, `${home}/import`],
          ),
        ],
        back: { label: overview.heading, href: home },
      }
    })
}
