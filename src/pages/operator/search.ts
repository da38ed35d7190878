import { type Found, foundKinds } from '../../core/organizations/search.ts'
import type { FoundJson } from '../../http/operator/reports/search.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { foundPage, isRequestId, type ShownFound, searchText } from '../rendering/search-page.ts'
import { appUrl } from './apps/app.ts'
import { searchUrl, tabUrl } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { organizationUrl } from './organizations/path.ts'
import { personUrl } from './people/people.ts'
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

const shownOf = async ({ api, may }: OperatorVisit, items: readonly FoundJson[]) => {
  const ids = items.flatMap(({ organization_id: id }) => (id === undefined ? [] : [id]))
  const isKnown = may('organizations:read')
  const names = isKnown ? await api.each<{ name: string }>('/organizations', ids) : null
  return items.map((one): ShownFound => {
    const { kind, id, name, organization_id: within } = one
    const mayOpen = kind !== 'resource_server' || may('keys:write')
    return {
      ...{ kind, id, name, href: mayOpen ? addresses[kind](one) : null },
      within:
        within === undefined
          ? null
          : {
              name: names?.get(within)?.name ?? within,
              href: isKnown ? organizationUrl(within) : null,
            },
    }
  })
}

/** Of a field for one kind only (`picked.ts`). */
const kindIn = ({ request }: OperatorVisit) => {
  const kind = foundKinds.find((one) => one === queried(request, 'kind'))
  return kind === undefined ? {} : { kind }
}

/** What the field in the header finds. A request id opens what happened in that request. */
export const operatorSearch = ({ page }: Tab) =>
  page(searchUrl, null, async (visit) => {
    const q = searchText(visit.request)
    if (isRequestId(q) && visit.may('audit:read'))
      return `${tabUrl('audit')}/${encodeURIComponent(q)}`
    const { items } =
      q === ''
        ? { items: [] }
        : await visit.api.read<{ items: FoundJson[] }>(
            `/search?${new URLSearchParams({ q, ...kindIn(visit) })}`,
          )
    return foundPage(visit.text, q, await shownOf(visit, items))
  })
