import type { Named, ActivityPage as TrailPage } from '../../../core/audit/activity.ts'
import type { Text } from '../../../words/text.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { choicesOf } from '../../rendering/long-list.ts'
import type { ActivityCharts, FilterForm } from '../../rendering/view-models/activity.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { showPage } from '../frame.ts'
import type { AdminVisit } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { refusalsChart, secretsChart, tokensChart } from './charts.ts'
import { activityCsv } from './csv.ts'
import { createCsvAnswer } from './csv-download.ts'
import { trailDays } from './entries.ts'
import { filteredUrl, groups, type ReadFilter, readFilter, readPlace } from './filter.ts'

const entriesOfPage = 50
const mostExported = 50_000

const groupNames = ({ activity }: Text) =>
  Object.keys(groups).map((id) => ({
    id,
    name: activity.filter.groups[id as keyof typeof groups],
  }))

const formOf = (
  text: Text,
  action: string,
  { chosen, faults, isFaulty, isOpen }: ReadFilter,
  clients: readonly Named[],
  people: readonly Named[],
): FilterForm => ({
  action,
  groups: choicesOf(text.activity.filter.anything, groupNames(text), chosen.group),
  clients: choicesOf(text.activity.filter.anyClient, clients, chosen.client_id),
  people: choicesOf(text.activity.filter.anyone, people, chosen.user_id),
  from: chosen.from,
  to: chosen.to,
  requestId: chosen.request_id,
  faults,
  isOpen,
  isMoreOpen: isFaulty || [chosen.from, chosen.to, chosen.request_id].some((one) => one !== ''),
  hint: text.activity.filter.downloadHint(mostExported),
})

const nothing: TrailPage = {
  events: [],
  names: { clients: new Map(), people: new Map(), workspaces: new Map(), groups: new Map() },
  older: null,
  newer: null,
}

/** The page with the audit trail of an organization and the usage of its apps. */
export const organizationActivity = ({ get }: AdminRoutes, deps: OrganizationPagesDependencies) => {
  const { activity, usageReport, catalogue } = deps
  const sendCsv = createCsvAnswer(deps)

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

  const show = async (visit: AdminVisit, read: ReadFilter) => {
    const { request, text, organization, base } = visit
    const words = text.activity
    const address = `${base}/activity`
    const place = readPlace((name) => queried(request, name))
    const isOverview = read.isOpen && place.kind === 'newest'
    const [page, clients, people, charts] = await Promise.all([
      read.isFaulty ? nothing : activity.page(organization.id, read.filter, place, entriesOfPage),
      activity.clients(organization.id),
      activity.people(organization.id),
      isOverview ? chartsOf(text, organization.id) : null,
    ])
    const link = (kind: 'older' | 'newer') =>
      page[kind] && filteredUrl(address, read.chosen, { [kind]: page[kind] })
    return showPage(visit, 'activity', 'organization-activity', {
      title: words.title,
      status: read.isFaulty ? 400 : 200,
      charts,
      filter: formOf(text, address, read, clients, people),
      errors: (['from', 'to', 'request'] as const)
        .filter((one) => read.faults[one])
        .map((one) => ({ field: one, words: words.filter.faults[one] })),
      days: trailDays(text, catalogue, page, address),
      olderUrl: link('older'),
      newerUrl: link('newer'),
    })
  }

  const download = (visit: AdminVisit, { filter }: ReadFilter) => {
    const { id } = visit.organization
    const name = `activity-${id}-${new Date().toISOString().slice(0, 10)}`
    const pages = activity.export(id, filter, mostExported)
    const parts = activityCsv(visit.text, catalogue, pages)
    return sendCsv(visit, name, parts, (rows) => ({ events: rows }))
  }

  get('/activity', async (visit) => {
    const read = readFilter((name) => queried(visit.request, name))
    const isWanted = queried(visit.request, 'format') === 'csv' && !read.isFaulty
    return isWanted ? download(visit, read) : show(visit, read)
  })
}
