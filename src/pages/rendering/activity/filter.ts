import type { ActivityFilter, ActivityPlace } from '../../../core/audit/activity.ts'
import { auditPeriod } from '../../../core/audit/audit-log.ts'
import { isClientIdShaped, isIdShaped } from '../../../core/crypto/identifiers.ts'
import { type EventType, eventRules } from '../../../core/language/event-types.ts'
import { isDay } from '../../../core/language/period.ts'
import { plainOf } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { choicesOf, type FilterPick } from '../long-list.ts'
import type { Choice, FilterField } from '../view-models/frame.ts'

/** The most events of a download. */
export const mostExported = 50_000

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
    'audit_stream',
    'scim_token',
    'identity_provider',
  ],
} as const

export type Group = keyof typeof groups

/** The fields of the form: the operator has the last three more. */
const fieldNames = [
  ...(['group', 'client_id', 'user_id', 'from', 'to', 'request_id'] as const),
  ...(['organization_id', 'type', 'actor_id'] as const),
]
type FieldName = (typeof fieldNames)[number]
export type Chosen = Record<FieldName, string>

type Picks = ReadonlyMap<string, FilterPick>

const isGroup = (name: string): name is Group => Object.hasOwn(groups, name)

/** Values of these fields that the page does not offer are ignored. */
const isOffered: Partial<Record<FieldName, (value: string) => boolean>> = {
  group: isGroup,
  client_id: isClientIdShaped,
  user_id: isIdShaped,
  organization_id: isIdShaped,
  type: (value) => Object.hasOwn(eventRules, value),
  actor_id: isIdShaped,
}

/** Fields with a value that the page reports. */
const faultsOf = ({ from, to, request_id }: Chosen): Partial<Record<FieldName, boolean>> => ({
  from: from !== '' && !isDay(from),
  to: (to !== '' && !isDay(to)) || (isDay(from) && isDay(to) && from > to),
  request_id: request_id !== '' && !isIdShaped(request_id),
})

/** Reads the filter. @param picks of the operator; null: the fields of the operator are ignored */
export const readFilter = (queried: (name: string) => string, picks: Picks | null = null) => {
  const read = fieldNames.map((name, at) => {
    const pick = picks?.get(name)
    const value = at < 6 || picks ? (pick?.value ?? queried(name)).trim().slice(0, 200) : ''
    if (pick?.fault) return [name, value] as const
    return [name, isOffered[name]?.(value) === false ? '' : value] as const
  })
  const chosen = Object.fromEntries(read) as Chosen
  const { group, client_id, user_id, request_id, organization_id, type, actor_id } = chosen
  const faults = faultsOf(chosen)
  const isFaulty =
    Object.values(faults).includes(true) || [...(picks?.values() ?? [])].some((one) => one.fault)
  const period = { from: chosen.from || undefined, to: chosen.to || undefined }
  const filter = (): ActivityFilter => ({
    subjects: isGroup(group) ? groups[group] : null,
    clientId: client_id || null,
    personId: user_id || null,
    requestId: request_id || null,
    organizationId: organization_id || null,
    type: type || null,
    actorId: actor_id || null,
    ...auditPeriod(period),
  })
  // No filter is set.
  const isOpen = Object.values(chosen).every((value) => value === '')
  return { chosen, filter: isFaulty ? {} : filter(), faults, isFaulty, isOpen }
}

export type ReadFilter = ReturnType<typeof readFilter>

/** The form of the filter. @param choices of the fields that are no text @param picks of those with names */
export const filterFormOf = (
  { activity, operator }: Text,
  action: string,
  { chosen, faults, isFaulty, isOpen }: ReadFilter,
  names: { bar: readonly FieldName[]; more: readonly FieldName[] },
  choices: Partial<Record<FieldName, Choice[]>>,
  picks: Picks = new Map(),
) => {
  const words = activity.filter
  const { organization: organization_id, event: type } = operator.columns
  const { actor_id } = operator.audit.filters
  const labels = { ...words.labels, organization_id, type, actor_id }
  const fieldOf = (name: FieldName): FilterField => ({
    ...{ id: name === 'request_id' ? 'request' : name, name, label: labels[name] },
    type: choices[name] ? 'select' : name === 'from' || name === 'to' ? 'date' : 'text',
    ...{ value: chosen[name], choices: choices[name] ?? [] },
    fault: faults[name]
      ? words.faults[name as keyof typeof words.faults]
      : (picks.get(name)?.fault ?? null),
    pick: picks.get(name)?.pick ?? null,
    note: picks.get(name)?.note ?? null,
  })
  return {
    ...{ action, bar: names.bar.map(fieldOf), more: names.more.map(fieldOf), isOpen },
    /** A field is set that the bar folds away. */
    isMoreOpen: isFaulty || names.more.some((name) => chosen[name] !== ''),
    hint: words.downloadHint(mostExported),
  }
}

/** The choices of kinds of events, in the words of the trail. The first means all. */
export const eventChoices = ({ activity }: Text, chosen: string): Choice[] => {
  const gap = '…'
  const names = { app: gap, person: gap, workspace: gap, group: gap, workload: gap, reason: gap }
  const types = Object.keys(eventRules) as EventType[]
  const named = types.map((id) => ({ id, name: plainOf(activity.events[id](names)) }))
  return choicesOf(activity.filter.anything, named, chosen)
}

/** The choices of groups. The first means all. */
export const groupChoices = ({ activity: { filter } }: Text, chosen: string): Choice[] => {
  const all = Object.keys(groups) as Group[]
  const named = all.map((id) => ({ id, name: filter.groups[id] }))
  return choicesOf(filter.anything, named, chosen)
}

const placeShape = /^\d{1,16}$/

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
  chosen: Partial<Chosen>,
  more: Record<string, string> = {},
): string => {
  const given = Object.entries({ ...chosen, ...more }).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
