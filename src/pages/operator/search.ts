import type { Found } from '../../core/organizations/search.ts'
import type { FoundJson } from '../../http/operator/reports/search.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { foundPage, isRequestId, type ShownFound, searchText } from '../rendering/search-page.ts'
import { appUrl } from './apps/app.ts'
import { requestUrl, searchUrl, tabUrl } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { linkedIf } from './list-table.ts'
import { organizationUrl } from './organizations/path.ts'
import { personUrl } from './people/path.ts'
import { namedCells } from './picked.ts'
import type { Tab } from './tab.ts'

const addresses: Record<Found['kind'], (one: FoundJson) => string> = {
  organization: ({ id }) => organizationUrl(id),
  workspace: ({ id, organization_id: within = '' }) =>
    `${organizationUrl(within)}/workspaces/${id}`,
  app: ({ id }) => appUrl(id),
  user: ({ id }) => personUrl(id),
  key_set: ({ id, organization_id: within = '' }) => `${organizationUrl(within)}/key-sets/${id}`,
  resource_server: ({ id }) => `${tabUrl('servers')}/${id}/change`,
}

const shownOf = async (visit: OperatorVisit, items: readonly FoundJson[]) => {
  const ids = items.flatMap(({ organization_id: id }) => id ?? [])
  const organizationOf = await namedCells(visit, 'organization', ids)
  return items.map((one): ShownFound => {
    const { kind, id, organization_id: within } = one
    const mayOpen = kind !== 'resource_server' || visit.may('keys:write')
    const name = linkedIf(mayOpen, one.name, addresses[kind](one))
    return { kind, id, name, ...(within !== undefined && { within: organizationOf([within]) }) }
  })
}

/** What the field in the header finds, or one for a single kind. A request id opens what happened in that request. */
export const operatorSearch = ({ page }: Tab) =>
  page(searchUrl, null, async (visit) => {
    const q = searchText(visit.request)
    if (isRequestId(q) && visit.may('audit:read')) return requestUrl(q)
    const kind = queried(visit.request, 'kind')
    const query = new URLSearchParams({ q, ...(kind && { kind }) })
    const found = q === '' ? null : await visit.api.read<{ items: FoundJson[] }>(`/search?${query}`)
    return foundPage(visit.text, q, await shownOf(visit, found?.items ?? []))
  })
