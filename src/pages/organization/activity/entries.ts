import type { NamedEvents, Names } from '../../../core/audit/activity.ts'
import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import { interfaceOf } from '../../../core/clients/permission-catalogue.ts'
import type { EventType } from '../../../core/language/event-types.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import { type Phrase, phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { permissionSentence } from '../../rendering/permission-list.ts'
import { momentOf } from '../../rendering/render.ts'
import type { TrailDay, TrailEntry, TrailGroup } from '../../rendering/view-models/activity.ts'

const nameOf = (
  names: ReadonlyMap<string, string>,
  id: unknown,
  gone: (id: string) => string,
  none: string,
): string => (typeof id === 'string' ? (names.get(id) ?? gone(id)) : none)

const appOf = ({ activity }: Text, names: Names, id: unknown) =>
  nameOf(names.clients, id, activity.gone.app, activity.nothing)
const personOf = ({ activity }: Text, names: Names, id: unknown) =>
  nameOf(names.people, id, activity.gone.person, activity.nobody)

/** The name of something new, which has no words yet. */
const spaced = (name: string) => name.replaceAll('_', ' ')

/** Words for the sub-reason of a refusal. */
export const reasonWords = ({ activity: words }: Text, reason: string): string =>
  Object.hasOwn(words.reasons, reason)
    ? words.reasons[reason as keyof typeof words.reasons]
    : spaced(reason)

/** The actor of an event. */
export const actorPhrase = (text: Text, { actor }: LoggedEvent, names: Names): Phrase => {
  const { actors } = text.activity
  if (actor.id !== null && actor.kind === 'user') return phrase`${personOf(text, names, actor.id)}`
  if (actor.id !== null && actor.kind === 'client') return phrase`${appOf(text, names, actor.id)}`
  return [actors[actor.kind]]
}

/** The action of an event. It also stands alone, in a column of the CSV. */
export const eventPhrase = (
  text: Text,
  { type, clientId, userId, detail }: LoggedEvent,
  names: Names,
): Phrase => {
  const words = text.activity
  const sentence = Object.hasOwn(words.events, type) ? words.events[type as EventType] : undefined
  if (!sentence) return words.unknownEvent(type)
  return sentence({
    app: appOf(text, names, clientId),
    person: personOf(text, names, userId),
    workspace: nameOf(names.workspaces, detail.workspace_id, words.gone.app, words.nothing),
    group: nameOf(names.groups, detail.group_id, words.gone.app, words.nothing),
    workload: typeof detail.workload === 'string' ? detail.workload : words.nothing,
    reason: reasonWords(text, String(detail.reason)),
  })
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The legacy interface has no workspaces. */
const isLegacy = (catalogue: PermissionCatalogue, permissions: unknown) =>
  isList(permissions) &&
  permissions.length > 0 &&
  permissions.every((one) => interfaceOf(catalogue, one) === 'legacy')

const fieldName = ({ activity: { fields } }: Text, name: string) =>
  Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : spaced(name)

const mayWords = (text: Text, catalogue: PermissionCatalogue, permissions: readonly string[]) =>
  permissions.length === 0
    ? null
    : text.formats.list.semicolon(
        permissions.map((one) => permissionSentence(text, catalogue, one)),
      )

/** Details of an event, one line each. Only known details are shown, so that nothing internal leaks. */
export const detailsOf = (
  text: Text,
  catalogue: PermissionCatalogue,
  { detail }: LoggedEvent,
): string[] => {
  const words = text.activity
  const { list } = text.formats
  const { permissions, workspace_ids: workspaceIds, openid_scopes: shared } = detail
  const { changed, role, workloads } = detail
  const undelivered = Number(detail.undelivered ?? 0)
  const overlap = Number(detail.retire_others_after_seconds ?? 0)
  const lines = [
    (role === 'admin' || role === 'member') && words.details.roles[role],
    isList(changed) &&
      words.details.changed(list.comma(changed.map((one) => fieldName(text, one)))),
    isList(permissions) && words.details.may(mayWords(text, catalogue, permissions)),
    isList(shared) && words.details.shares(shared.includes('profile'), shared.includes('email')),
    workspaceIds === null && !isLegacy(catalogue, permissions) && words.details.allWorkspaces,
    isList(workspaceIds) && words.details.workspaces(workspaceIds.length),
    isList(workloads) && words.details.trusts(list.semicolon(workloads)),
    undelivered > 0 && words.details.undelivered(undelivered),
    overlap > 0 && words.details.overlap(Math.floor(overlap / 3600)),
  ]
  return lines.filter((line) => line !== false)
}

/** The address of the actor. Addresses of operators are not shown to organizations. */
export const addressOf = ({ actor, address }: LoggedEvent): string | null =>
  actor.kind === 'operator' || actor.kind === 'system' ? null : address

const entryOf = (
  text: Text,
  catalogue: PermissionCatalogue,
  event: LoggedEvent,
  names: Names,
  base: string,
): TrailEntry => ({
  at: momentOf(text, event.at, 'time'),
  who: text.activity.trail.actor(actorPhrase(text, event, names)),
  what: eventPhrase(text, event, names),
  details: detailsOf(text, catalogue, event),
  address: addressOf(event),
  reference: event.requestId
    ? { id: event.requestId, href: `${base}?request_id=${encodeURIComponent(event.requestId)}` }
    : null,
})

/** Events without their day, for a short list. */
export const trailEntries = (
  text: Text,
  catalogue: PermissionCatalogue,
  { events, names }: NamedEvents,
  base: string,
): TrailEntry[] =>
  events.map((event) => ({
    ...entryOf(text, catalogue, event, names, base),
    at: momentOf(text, event.at, 'moment'),
  }))

/** The group of an app, which begins with the first of its events. */
const groupIn = (day: TrailDay, app: string | null): TrailGroup => {
  const known = day.groups.find((one) => one.app === app)
  if (known) return known
  const group = { app, entries: [] }
  day.groups.push(group)
  return group
}

/** Groups events by day and by app, newest first. */
export const trailDays = (
  text: Text,
  catalogue: PermissionCatalogue,
  { events, names }: NamedEvents,
  base: string,
): TrailDay[] => {
  const days: TrailDay[] = []
  for (const event of events) {
    const heading = text.activity.inUtc(text.activity.day(event.at))
    if (days.at(-1)?.heading !== heading) days.push({ heading, groups: [] })
    const app = event.clientId === null ? null : appOf(text, names, event.clientId)
    const { entries } = groupIn(days.at(-1) as TrailDay, app)
    entries.push(entryOf(text, catalogue, event, names, base))
  }
  return days
}
