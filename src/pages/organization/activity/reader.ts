import { filteredUrl } from '../../rendering/activity/filter.ts'
import type { TrailReader } from '../../rendering/activity/sentences.ts'
import type { Reader } from '../../rendering/permission-list.ts'
import { appUrl } from '../apps/items.ts'
import type { AdminVisit } from '../gate.ts'

/** The page that finds a request by its id. */
export const requestsUrl = (organizationId: string) =>
  `/organizations/${organizationId}/activity/requests`

/** The page that explains one request to an admin. */
export const requestUrl = (organizationId: string, requestId: string) =>
  `${requestsUrl(organizationId)}/${encodeURIComponent(requestId)}`

/** An admin reads about their own organization, and which operator acted is not told. */
export const trailReader = ({
  text,
  catalogue,
  base,
  organization,
}: Reader & Pick<AdminVisit, 'base'> & { organization: { id: string } }): TrailReader => ({
  ...{ text, catalogue, isOperator: false },
  links: {
    app: (id) => appUrl(base, id),
    keySet: (id) => `${base}/keys/${encodeURIComponent(id)}`,
    person: (id) => `${base}/members/${encodeURIComponent(id)}`,
    workspace: () => null,
    organization: () => null,
    activity: (filter) => filteredUrl(`${base}/activity`, filter),
    request: (id) => requestUrl(organization.id, id),
  },
})
