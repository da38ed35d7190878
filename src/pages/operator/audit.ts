import type { Names } from '../../core/audit/activity.ts'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import {
  eventChoices,
  filterFormOf,
  groupChoices,
  readFilter,
} from '../rendering/activity/filter.ts'
import { findRequestPart, requestPart } from '../rendering/activity/request.ts'
import type { TrailReader } from '../rendering/activity/sentences.ts'
import { createTrail, type TrailPlace, wantsCsv } from '../rendering/activity/trail.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { appUrl } from './apps/app.ts'
import { activityUrl, requestsUrl, requestUrl, showConsole, tabUrl } from './console-page.ts'
import type { OperatorVisit } from './gate.ts'
import { organizationUrl } from './organizations/path.ts'
import { workspaceUrl } from './organizations/workspaces.ts'
import { personUrl } from './people/path.ts'
import { pickedFilter } from './picked.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('audit')

const fields = {
  bar: ['group', 'organization_id', 'client_id', 'user_id'],
  more: ['type', 'actor_id', 'from', 'to', 'request_id'],
} as const

/** Whether the operator may read the name of a client, and open its page. */
const clientRight = (names: Names, id: string): OperatorPermission =>
  names.keySets.has(id) ? 'key_sets:read' : 'apps:read'

/** What the operator may not read has its id in place of the name. */
const readableBy =
  ({ may }: OperatorVisit) =>
  (names: Names): Names => {
    const withNames = (
      named: ReadonlyMap<string, string>,
      rightOf: (id: string) => OperatorPermission,
    ) => new Map([...named].map(([id, name]) => [id, may(rightOf(id)) ? name : id]))
    return {
      ...names,
      clients: withNames(names.clients, (id) => clientRight(names, id)),
      people: withNames(names.people, () => 'users:read'),
      workspaces: withNames(names.workspaces, () => 'organizations:read'),
      groups: withNames(names.groups, () => 'users:read'),
      organizations: withNames(names.organizations, () => 'organizations:read'),
    }
  }

const readerOf = ({ text, catalogue, may }: OperatorVisit): TrailReader => {
  const mayOpen = may('organizations:read')
  return {
    ...{ text, catalogue, isOperator: true },
    links: {
      app: (id) => (may('apps:read') ? appUrl(id) : null),
      keySet: (id, organization) =>
        organization && mayOpen && may('key_sets:read')
          ? `${organizationUrl(organization)}/key-sets/${id}`
          : null,
      person: (id) => (may('users:read') ? personUrl(id) : null),
      workspace: (id, organization) =>
        organization && mayOpen ? workspaceUrl(organization, id) : null,
      organization: (id) => (mayOpen ? organizationUrl(id) : null),
      activity: activityUrl,
      request: requestUrl,
    },
  }
}

/** The audit trail in sentences, its download, and the page that explains one request. */
export const operatorAudit = ({ page, get, deps }: Tab) => {
  const { activity } = deps
  const trail = createTrail(deps)

  get(path, 'audit:read', async (visit) => {
    const { text, request } = visit
    const { heading, lead } = text.operator.audit
    const ofAddress = (name: string) => queried(request, name)
    const picks = await pickedFilter(visit, ofAddress)
    const read = readFilter(ofAddress, picks)
    const place: TrailPlace = {
      reader: readerOf(visit),
      ...{ organizationId: null, address: path, requestsUrl, readable: readableBy(visit) },
    }
    if (wantsCsv(visit, read)) return trail.download(visit, place, read)
    const { group, type } = read.chosen
    const choices = { group: groupChoices(text, group), type: eventChoices(text, type) }
    const form = filterFormOf(text, path, read, fields, choices, picks)
    const shown = await trail.show(visit, place, read, form)
    const blocks = [{ kind: 'trail' as const, trail: shown }]
    return showConsole(visit, 'audit', {
      ...{ heading, lead, blocks, status: read.isFaulty ? 400 : 200 },
    })
  })

  get(requestsUrl, 'audit:read', async (visit) => {
    const sought = queried(visit.request, 'request_id').trim()
    return isIdShaped(sought)
      ? leave(visit, requestUrl(sought))
      : showConsole(visit, 'audit', findRequestPart(visit.text, requestsUrl, sought))
  })

  page(`${requestsUrl}/:request_id`, 'audit:read', async (visit) => {
    const { request_id: id = '' } = visit.request.params as Record<string, string>
    const { events, names } = await activity.request(null, id)
    const named = { events, names: readableBy(visit)(names) }
    return requestPart(readerOf(visit), named, id, requestsUrl)
  })
}
