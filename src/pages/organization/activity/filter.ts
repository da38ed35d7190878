import type { ActivityFilter, ActivityPlace } from '../../../core/audit/activity.ts'
import { auditPeriod } from '../../../core/audit/audit-log.ts'
import { isClientIdShaped, isIdShaped } from '../../../core/crypto/identifiers.ts'
import { isDay } from '../../../core/language/period.ts'

/** Groups of event types that can be chosen, by the first part of the type. */
export const groups = {
  apps: ['install', 'install_request', 'app', 'app_secret', 'webhook'],
  access: ['token', 'access_token', 'grant', 'consent', 'connection'],
  keys: ['key_set', 'secret'],
  people: ['member', 'workspace_member', 'group_member', 'user', 'session', 'passkey', 'identity'],
  organization: [
    'organization',
    'workspace',
    'group',
    'activity',
    'scim_token',
    'identity_provider',
  ],
} as const

export type Group = keyof typeof groups

/** The fields of the form as sent. */
type FilterFields = Record<'group' | 'client_id' | 'user_id' | 'from' | 'to' | 'request_id', string>

export interface ReadFilter {
  chosen: FilterFields
  filter: ActivityFilter
  faults: Record<'from' | 'to' | 'request', boolean>
  isFaulty: boolean
  /** True when no filter is set. */
  isOpen: boolean
}

const isGroup = (name: string): name is Group => Object.hasOwn(groups, name)

const faultsOf = ({ from, to, request_id }: FilterFields): ReadFilter['faults'] => ({
  from: from !== '' && !isDay(from),
  to: (to !== '' && !isDay(to)) || (isDay(from) && isDay(to) && from > to),
  request: request_id !== '' && !isIdShaped(request_id),
})

/** Reads the filter. Values that the page does not offer are ignored. */
export const readFilter = (queried: (name: string) => string): ReadFilter => {
  const group = queried('group')
  const chosen = {
    group: isGroup(group) ? group : '',
    client_id: isClientIdShaped(queried('client_id')) ? queried('client_id') : '',
    user_id: isIdShaped(queried('user_id')) ? queried('user_id') : '',
    from: queried('from').trim().slice(0, 40),
    to: queried('to').trim().slice(0, 40),
    request_id: queried('request_id').trim().slice(0, 200),
  }
  const faults = faultsOf(chosen)
  const isFaulty = Object.values(faults).includes(true)
  const period = { from: chosen.from || undefined, to: chosen.to || undefined }
  const filter = () => ({
    subjects: isGroup(group) ? groups[group] : null,
    clientId: chosen.client_id || null,
    personId: chosen.user_id || null,
    requestId: chosen.request_id || null,
    ...auditPeriod(period),
  })
  const isOpen = Object.values(chosen).every((value) => value === '')
  return { chosen, filter: isFaulty ? {} : filter(), faults, isFaulty, isOpen }
}

const placeShape = /^\d{1,16}$/

/** The requested page of the trail; the newest when unreadable. */
export const readPlace = (queried: (name: string) => string): ActivityPlace => {
  for (const kind of ['older', 'newer'] as const) {
    const place = queried(kind)
    if (placeShape.test(place)) return { kind, place }
  }
  return { kind: 'newest' }
}

/** The address of the page with this filter and additional parameters. */
export const filteredUrl = (
  path: string,
  chosen: FilterFields,
  more: Record<string, string>,
): string => {
  const given = Object.entries({ ...chosen, ...more }).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
