import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { findRequestPart, requestPart } from '../../rendering/activity/request.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { showParts } from '../frame.ts'
import { parameter } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { requestsUrl, requestUrl, trailReader } from './reader.ts'

/** The pages that find a request by its id, and explain it. Requests of other organizations are not found. */
export const explainedRequests = (
  { get }: AdminRoutes,
  { activity, catalogue }: OrganizationPagesDependencies,
) => {
  get('/activity/requests', async (visit) => {
    const { id } = visit.organization
    const sought = queried(visit.request, 'request_id').trim()
    return isIdShaped(sought)
      ? leave(visit, requestUrl(id, sought))
      : showParts(visit, 'activity', findRequestPart(visit.text, requestsUrl(id), sought))
  })

  get('/activity/requests/:request_id', async (visit) => {
    const { id } = visit.organization
    const requestId = parameter(visit.request, 'request_id')
    const named = await activity.request(id, requestId)
    const part = requestPart(trailReader(visit, catalogue), named, requestId, requestsUrl(id))
    return showParts(visit, 'activity', part)
  })
}
