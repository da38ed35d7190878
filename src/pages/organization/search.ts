import type { AdminKind, Found } from '../../core/organizations/search.ts'
import { linked } from '../rendering/forms/blocks.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { foundPage, isRequestId, searchText } from '../rendering/search-page.ts'
import { requestUrl } from './activity/reader.ts'
import { appUrl } from './apps/items.ts'
import { showParts } from './frame.ts'
import { keySetUrl } from './keys/items.ts'
import type { AdminRoutes } from './routes.ts'

/** A workspace has no page of its own. */
const addresses: Partial<Record<AdminKind, (base: string, id: string) => string>> = {
  app: appUrl,
  user: (base, id) => `${base}/members/${encodeURIComponent(id)}`,
  key_set: keySetUrl,
  request: (base) => `${base}/apps#requests`,
}

/** What an admin finds in the organization. A request id opens what happened in that request. */
export const organizationSearch = ({ get, deps }: AdminRoutes) =>
  get('/search', async (visit) => {
    const { request, text, organization, base } = visit
    const q = searchText(request)
    if (isRequestId(q)) return leave(visit, requestUrl(organization.id, q))
    const found = q === '' ? [] : await deps.search.inOrganization(q, organization.id)
    const shown = found.map(({ kind, id, name }: Found<AdminKind>) => {
      const href = addresses[kind]?.(base, id)
      const shownKind = kind === 'user' ? ('member' as const) : kind
      return { kind: shownKind, id, name: href === undefined ? name : linked(name, href) }
    })
    return showParts(visit, null, foundPage(text, q, shown))
  })
