import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Text } from '../../../words/text.ts'
import {
  filterFormOf,
  groupChoices,
  type ReadFilter,
  readFilter,
  readPlace,
} from '../../rendering/activity/filter.ts'
import { findRequestPart, requestPart } from '../../rendering/activity/request.ts'
import { createTrail, wantsCsv } from '../../rendering/activity/trail.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { choicesOf } from '../../rendering/long-list.ts'
import { noticeOf, showPage, showParts } from '../frame.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { refusalsChart, secretsChart, tokensChart } from './charts.ts'
import { requestsUrl, requestUrl, trailReader } from './reader.ts'
import { doneWithStreams, streamsOf } from './streams.ts'

const fields = {
  bar: ['group', 'client_id', 'user_id'],
  more: ['from', 'to', 'request_id'],
} as const

/** The page with the audit trail of an organization and the usage of its apps, and those that explain one request. */
export const organizationActivity = ({ get, deps }: AdminRoutes) => {
  const { activity, usageReport } = deps
  const trail = createTrail(deps)

  const chartsOf = async (text: Text, organizationId: string) => {
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

  const placeOf = (visit: AdminVisit) => ({
    reader: trailReader(visit),
    organizationId: visit.organization.id,
    address: `${visit.base}/activity`,
    requestsUrl: requestsUrl(visit.organization.id),
  })

  const formOf = async ({ text, organization }: AdminVisit, address: string, read: ReadFilter) => {
    const [clients, people] = await Promise.all([
      activity.clients(organization.id),
      activity.people(organization.id),
    ])
    const { anyClient, anyone } = text.activity.filter
    return filterFormOf(text, address, read, fields, {
      group: groupChoices(text, read.chosen.group),
      client_id: choicesOf(anyClient, clients, read.chosen.client_id),
      user_id: choicesOf(anyone, people, read.chosen.user_id),
    })
  }

  const show = async (visit: AdminVisit, read: ReadFilter) => {
    const { request, text, organization } = visit
    const at = readPlace((name) => queried(request, name))
    const isOverview = read.isOpen && at.kind === 'newest'
    const place = placeOf(visit)
    const [form, charts, streams] = await Promise.all([
      formOf(visit, place.address, read),
      isOverview ? chartsOf(text, organization.id) : null,
      isOverview ? streamsOf(visit, deps) : [],
    ])
    return showPage(visit, 'activity', 'organization-activity', {
      title: text.activity.title,
      status: read.isFaulty ? 400 : 200,
      notice: noticeOf(visit, doneWithStreams(text)),
      charts,
      streams,
      trail: await trail.show(visit, place, read, form),
    })
  }

  get('/activity', async (visit) => {
    const read = readFilter((name) => queried(visit.request, name))
    return wantsCsv(visit, read) ? trail.download(visit, placeOf(visit), read) : show(visit, read)
  })

  get('/activity/requests', async (visit) => {
    const { id } = visit.organization
    const sought = queried(visit.request, 'request_id').trim()
    return isIdShaped(sought)
      ? leave(visit, requestUrl(id, sought))
      : showParts(visit, 'activity', findRequestPart(visit.text, requestsUrl(id), sought))
  })

  // Requests of other organizations are not found.
  get('/activity/requests/:request_id', async (visit) => {
    const { id } = visit.organization
    const requestId = parameter(visit.request, 'request_id')
    const named = await activity.request(id, requestId)
    const part = requestPart(trailReader(visit), named, requestId, requestsUrl(id))
    return showParts(visit, 'activity', part)
  })
}
