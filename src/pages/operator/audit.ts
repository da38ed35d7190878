import type { FastifyInstance } from 'fastify'
import type { AuditEventJson } from '../../http/operator/reports/audit.ts'
import { code, facts, filterForm, linked, plain, table, timed } from '../rendering/forms/blocks.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { type ListPart, readPart } from '../rendering/long-list.ts'
import type { Block, Cell } from '../rendering/view-models/blocks.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'

const path = tabUrl('audit')
const itemsOfPage = '50'
const filterNames = ['type', 'actor_id', 'client_id', 'organization_id', 'request_id'] as const
type FilterName = (typeof filterNames)[number]
type Filter = Partial<Record<FilterName | 'from' | 'to', string>>

const allNames = [...filterNames, 'from', 'to'] as const

const filterIn = ({ request }: OperatorVisit): Filter =>
  Object.fromEntries(
    allNames.map((name) => [name, queried(request, name).trim()]).filter(([, value]) => value),
  )

const addressOf = (filter: Filter, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ ...filter, ...more })
  return query.size === 0 ? path : `${path}?${query}`
}

const auditFilter = ({ text }: OperatorVisit, filter: Filter): Block => {
  const { audit } = text.operator
  return filterForm(
    path,
    allNames.map((name) => ({
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
export const operatorAudit = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const list = async (visit: OperatorVisit) => {
    const { text, request, api } = visit
    const { audit, columns } = text.operator
    const [filter, part] = [filterIn(visit), readPart(request)]
    const { items, next } = await api.search<AuditEventJson>('/audit', {
      ...filter,
      limit: itemsOfPage,
      ...(part.after && { cursor: part.after }),
    })
    return showConsole(deps.renderer, visit, {
      tab: 'audit',
      heading: audit.heading,
      lead: audit.lead,
      blocks: [
        auditFilter(visit, filter),
        table({
          columns: [columns.event, columns.time, columns.actor, columns.about, columns.address],
          rows: items.map((event) => [
            event.request_id === null
              ? plain(event.type)
              : linked(event.type, `${path}/${encodeURIComponent(event.request_id)}`),
            timed(text, event.at),
            actorOf(visit, event),
            code(aboutOf(event)),
            plain(event.address),
          ]),
          empty: audit.empty,
          list: listLinksOf(filter, part, next),
        }),
      ],
    })
  }

  /** The events of one request. */
  const show = async (visit: OperatorVisit) => {
    const { text, request, api } = visit
    const { audit, columns } = text.operator
    const { request_id: requestId = '' } = request.params as Record<string, string>
    const { items } = await api.search<AuditEventJson>('/audit', {
      request_id: requestId,
      limit: '50',
    })
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
    return showConsole(deps.renderer, visit, {
      tab: 'audit',
      heading: audit.request,
      subject: requestId,
      blocks:
        items.length === 0
          ? [table({ columns: [], rows: [], empty: audit.empty })]
          : items.map(blockOf),
      back: { label: audit.back, href: path },
    })
  }

  scope.get(path, asOperator({ permission: 'audit:read' }, list))
  scope.get(`${path}/:request_id`, asOperator({ permission: 'audit:read' }, show))
}
