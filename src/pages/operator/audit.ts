import type { AuditEventJson } from '../../http/operator/reports/audit.ts'
import { code, facts, filterForm, linked, plain, table, timed } from '../rendering/forms/blocks.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { type ListPart, readPart } from '../rendering/long-list.ts'
import type { Block, Cell } from '../rendering/view-models/blocks.ts'
import { tabUrl } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { itemTable } from './list-table.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('audit')
const itemsOfPage = '50'
const filterNames = [
  ...(['type', 'actor_id', 'client_id', 'organization_id', 'request_id'] as const),
  ...(['from', 'to'] as const),
]
type Filter = Partial<Record<(typeof filterNames)[number], string>>

const filterIn = ({ request }: OperatorVisit): Filter =>
  Object.fromEntries(
    filterNames.map((name) => [name, queried(request, name).trim()]).filter(([, value]) => value),
  )

const addressOf = (filter: Filter, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ ...filter, ...more })
  return query.size === 0 ? path : `${path}?${query}`
}

const auditFilter = ({ text }: OperatorVisit, filter: Filter): Block => {
  const { audit } = text.operator
  return filterForm(
    path,
    filterNames.map((name) => ({
      ...{ kind: name === 'from' || name === 'to' ? 'date' : 'text', name, isCode: true },
      ...{ label: audit.filters[name], values: [filter[name] ?? ''] },
    })),
    audit.apply,
    true,
    audit.filter,
  )
}

const actorOf = ({ text }: OperatorVisit, { actor }: AuditEventJson) =>
  plain([text.operator.actors[actor.kind], actor.id].filter(Boolean).join(' '))

const aboutOf = (event: AuditEventJson): string =>
  [event.organization_id, event.client_id, event.user_id].filter(Boolean).join(' ')

const listLinksOf = (filter: Filter, { after }: ListPart, next: string | null) => ({
  startUrl: after && addressOf(filter),
  nextUrl: next && addressOf(filter, { after: next }),
})

/** The audit trail, with filters, and each event. */
export const operatorAudit = ({ page }: Tab) => {
  page(path, 'audit:read', async (visit) => {
    const { text, request, api } = visit
    const { audit, columns } = text.operator
    const [filter, part] = [filterIn(visit), readPart(request)]
    const { items, next } = await api.search<AuditEventJson>('/audit', {
      ...filter,
      limit: itemsOfPage,
      cursor: part.after,
    })
    const nameOf = ({ type, request_id: id }: AuditEventJson) =>
      id === null ? plain(type) : linked(type, `${path}/${encodeURIComponent(id)}`)
    return {
      heading: audit.heading,
      lead: audit.lead,
      blocks: [
        auditFilter(visit, filter),
        itemTable(
          items,
          [
            [columns.event, nameOf],
            [columns.time, (event) => timed(text, event.at)],
            [columns.actor, (event) => actorOf(visit, event)],
            [columns.about, (event) => code(aboutOf(event))],
            [columns.address, (event) => plain(event.address)],
          ],
          { empty: audit.empty, list: listLinksOf(filter, part, next) },
        ),
      ],
    }
  })

  /** The events of one request. */
  page(`${path}/:request_id`, 'audit:read', async (visit) => {
    const { text, request, api } = visit
    const { audit, columns } = text.operator
    const { request_id: subject = '' } = request.params as Record<string, string>
    const query = { request_id: subject, limit: itemsOfPage }
    const { items } = await api.search<AuditEventJson>('/audit', query)
    const blockOf = (event: AuditEventJson): Block =>
      facts(event.type, [
        [columns.time, timed(text, event.at)],
        [columns.actor, actorOf(visit, event)],
        [columns.about, code(aboutOf(event))],
        [columns.address, plain(event.address)],
        ...Object.entries(event.detail).map(([name, value]): [string, Cell] => [
          name,
          code(typeof value === 'string' ? value : JSON.stringify(value)),
        ]),
      ])
    return {
      heading: audit.request,
      subject,
      blocks:
        items.length === 0
          ? [table({ columns: [], rows: [], empty: audit.empty })]
          : items.map(blockOf),
      back: { label: audit.back, href: path },
    }
  })
}
