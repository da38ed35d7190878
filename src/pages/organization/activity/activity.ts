import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Activity, Named, ActivityPage as TrailPage } from '../../../core/audit/activity.ts'
import { type AuditTrail, auditEvent } from '../../../core/audit/audit.ts'
import type { UsageReport } from '../../../core/audit/usage-report.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Limits } from '../../../core/limits/limits.ts'
import type { Text } from '../../../words/text.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { textOf } from '../../rendering/reader-text.ts'
import type { ActivityCharts, Choice, FilterForm } from '../../rendering/view-models/activity.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from '../gate.ts'
import { organizationTabs } from '../tabs.ts'
import { refusalsChart, secretsChart, tokensChart } from './charts.ts'
import { activityCsv } from './csv.ts'
import { downloadCsv, downloadLimits } from './csv-download.ts'
import { trailDays } from './entries.ts'
import {
  type FilterFields,
  filteredUrl,
  groups,
  type ReadFilter,
  readFilter,
  readPlace,
} from './filter.ts'

export interface OrganizationActivityDependencies extends OrganizationGateDependencies {
  activity: Activity
  usageReport: Pick<UsageReport, 'overview'>
  limits: Pick<Limits, 'exportBegun'>
  audit: AuditTrail
  catalogue: PermissionCatalogue
  /** Milliseconds since 1970. */
  now(): number
}

const path = '/organizations/:id/activity'
const entriesOfPage = 50
const mostExported = 50_000

/** The first option means all. A chosen value that is not offered is added. */
const choices = (all: string, options: readonly Named[], chosen: string): Choice[] => {
  const known = chosen === '' || options.some(({ id }) => id === chosen)
  const offered = known ? options : [...options, { id: chosen, name: chosen }]
  return [{ id: '', name: all }, ...offered].map(({ id, name }) => ({
    value: id,
    label: name,
    isChosen: id === chosen,
  }))
}

const groupNames = ({ activity }: Text) =>
  Object.keys(groups).map((id) => ({
    id,
    name: activity.filter.groups[id as keyof typeof groups],
  }))

const formOf = (
  text: Text,
  action: string,
  { chosen, faults, isOpen }: ReadFilter,
  clients: readonly Named[],
  people: readonly Named[],
): FilterForm => ({
  action,
  groups: choices(text.activity.filter.anything, groupNames(text), chosen.group),
  clients: choices(text.activity.filter.anyClient, clients, chosen.client_id),
  people: choices(text.activity.filter.anyone, people, chosen.user_id),
  from: chosen.from,
  to: chosen.to,
  requestId: chosen.request_id,
  faults: {
    from: faults.includes('from'),
    to: faults.includes('to'),
    request: faults.includes('request'),
  },
  isOpen,
  isMoreOpen:
    faults.length > 0 || [chosen.from, chosen.to, chosen.request_id].some((one) => one !== ''),
  hint: text.activity.filter.downloadHint(mostExported),
})

const nothing: TrailPage = {
  events: [],
  names: { clients: new Map(), people: new Map(), workspaces: new Map() },
  older: null,
  newer: null,
}

/** File name of a download. */
const fileName = (organizationId: string) =>
  `activity-${organizationId}-${new Date().toISOString().slice(0, 10)}.csv`

/** The page with the audit trail of an organization and the usage of its apps. */
export const organizationActivity = (
  scope: FastifyInstance,
  deps: OrganizationActivityDependencies,
) => {
  const { activity, usageReport, renderer, limits, audit } = deps

  const chartsOf = async (text: Text, organizationId: string): Promise<ActivityCharts> => {
    const [{ period, issued, refused }, secrets] = await Promise.all([
      usageReport.overview(organizationId),
      activity.secrets(organizationId),
    ])
    const ids = [...new Set(issued.map(({ clientId }) => clientId))]
    const names = await activity.clientNames(organizationId, ids)
    const nameOf = (id: string) => names.get(id) ?? text.activity.gone.app(id)
    return {
      tokens: tokensChart(text, period, issued, nameOf),
      refusals: refusalsChart(text, refused),
      secrets: secretsChart(text, secrets, deps.now()),
    }
  }

  const show = async (visit: AdminVisit, read: ReadFilter): Promise<FastifyReply> => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const words = text.activity
    const address = `${base}/activity`
    const place = readPlace((name) => queried(request, name))
    const faulty = read.faults.length > 0
    const isOverview = read.isOpen && place.kind === 'newest'
    const [page, clients, people, charts] = await Promise.all([
      faulty ? nothing : activity.page(organization.id, read.filter, place, entriesOfPage),
      activity.clients(organization.id),
      activity.people(organization.id),
      isOverview ? chartsOf(text, organization.id) : null,
    ])
    const link = (kind: 'older' | 'newer', chosen: FilterFields) =>
      page[kind] && filteredUrl(address, chosen, { [kind]: page[kind] })
    return renderer.page(
      request,
      reply,
      'organization-activity',
      { session, title: words.title, ...(faulty && { status: 400 }) },
      {
        ...organizationTabs(text, organization, 'activity'),
        charts,
        filter: formOf(text, address, read, clients, people),
        errors: read.faults.map((one) => ({ field: one, words: words.filter.faults[one] })),
        days: trailDays(text, deps.catalogue, page, address),
        olderUrl: link('older', read.chosen),
        newerUrl: link('newer', read.chosen),
      },
    )
  }

  const download = async (
    { request, reply, session, organization, cause }: AdminVisit,
    { filter }: ReadFilter,
  ) => {
    const release = await limits.exportBegun(session.user.id, organization.id)
    const pages = activity.export(organization.id, filter, mostExported)
    const stream = await downloadCsv(
      activityCsv(textOf(request), deps.catalogue, pages),
      downloadLimits,
      async ({ rows, complete }) => {
        audit.record(
          auditEvent(cause, 'activity.exported', {
            organizationId: organization.id,
            detail: { events: rows, complete },
          }),
        )
        await release().catch((err) => request.log.warn({ err }, 'export not released'))
      },
    )
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${fileName(organization.id)}"`)
      .type('text/csv; charset=utf-8')
      .send(stream)
  }

  scope.get(
    path,
    createOrganizationGate(deps)(async (visit) => {
      const read = readFilter((name) => queried(visit.request, name))
      const wanted = queried(visit.request, 'format') === 'csv' && read.faults.length === 0
      return wanted ? download(visit, read) : show(visit, read)
    }),
  )
}
