// Sentences about events of the audit trail: who, what, where and why, with links to what they name. One reader sees them
// on the pages of an organization, another one in the operator's console.
import type { Names } from '../../../core/audit/activity.ts'
import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import { interfaceOf } from '../../../core/clients/permission-catalogue.ts'
import type { EventType } from '../../../core/language/event-types.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import { named, type Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { permissionSentence, type Reader } from '../permission-list.ts'

/** Addresses of pages; null: this reader has none. */
export interface TrailLinks {
  app(clientId: string): string | null
  /** @param organizationId of the event */
  keySet(id: string, organizationId: string | null): string | null
  person(userId: string): string | null
  workspace(id: string, organizationId: string | null): string | null
  organization(id: string): string | null
  /** The trail with a filter. */
  activity(filter: { client_id?: string; user_id?: string; organization_id?: string }): string
  request(id: string): string
}

/** For whom events are described. */
export interface TrailReader extends Reader {
  links: TrailLinks
  /** Reads about all organizations, and which operator acted from which address. */
  isOperator: boolean
}

export interface ReadEvent {
  event: LoggedEvent
  names: Names
}

const nameOf = (
  names: ReadonlyMap<string, string>,
  id: unknown,
  gone: (id: string) => string,
  none: string,
  href: (id: string) => string | null = () => null,
): Phrase => {
  if (typeof id !== 'string') return named(none)
  const name = names.get(id)
  return name === undefined ? named(gone(id)) : named(name, href(id))
}

/** The page of an app or a key set that still exists for the reader. */
const clientHref = ({ links }: TrailReader, { event, names }: ReadEvent) => {
  const { organizationId } = event
  return (id: string) => {
    const keySet = names.keySets.get(id)
    if (keySet !== undefined) return links.keySet(keySet, organizationId)
    return names.present.has(id) ? links.app(id) : null
  }
}

/** The app or key set with this client id. */
export const clientPhrase = (reader: TrailReader, read: ReadEvent, id: unknown): Phrase => {
  const { gone, nothing } = reader.text.activity
  return nameOf(read.names.clients, id, gone.app, nothing, clientHref(reader, read))
}

export const personPhrase = (reader: TrailReader, { names }: ReadEvent, id: unknown): Phrase => {
  const { gone, nobody } = reader.text.activity
  return nameOf(names.people, id, gone.person, nobody, (one) =>
    names.present.has(one) ? reader.links.person(one) : null,
  )
}

export const organizationPhrase = (reader: TrailReader, { names }: ReadEvent, id: unknown) => {
  const { gone, nothing } = reader.text.activity
  return nameOf(names.organizations, id, gone.app, nothing, reader.links.organization)
}

/** The name of something new, which has no words yet. */
const spaced = (name: string) => name.replaceAll('_', ' ')

/** The words for a name that may be unknown. */
export const wordIn = <Value>(
  words: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(words, name) ? words[name] : undefined)

/** Words for the sub-reason of a refusal. */
export const reasonWords = ({ activity, developer }: Text, reason: string): string =>
  wordIn(activity.reasons, reason) ??
  wordIn<string>(developer.requests.clientReasons, reason) ??
  spaced(reason)

/** What helps against a refusal, and who can do it. */
export const helpWords = ({ explained, inspector }: Text, reason: string): string | null =>
  wordIn<string>(explained.helps, reason) ?? wordIn(inspector.reasons, reason)?.move ?? null

export const actorPhrase = (reader: TrailReader, read: ReadEvent): Phrase => {
  const { kind, id } = read.event.actor
  const { actors } = reader.text.activity
  const isOperator = kind === 'operator' && reader.isOperator && read.names.people.has(id ?? '')
  if (id !== null && (kind === 'user' || isOperator)) return personPhrase(reader, read, id)
  if (id !== null && kind === 'client') return clientPhrase(reader, read, id)
  return [actors[kind]]
}

/** The action of an event. It also stands alone, in a column of the CSV. */
export const eventPhrase = (reader: TrailReader, read: ReadEvent): Phrase => {
  const { text, links } = reader
  const { type, organizationId, clientId, userId, detail } = read.event
  const { names } = read
  const words = text.activity
  const sentence = wordIn(words.events, type as EventType)
  if (!sentence) return words.unknownEvent(type)
  return sentence({
    app: clientPhrase(reader, read, clientId),
    person: personPhrase(reader, read, userId),
    workspace: nameOf(names.workspaces, detail.workspace_id, words.gone.app, words.nothing, (id) =>
      links.workspace(id, organizationId),
    ),
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

const mayWords = (reader: TrailReader, permissions: readonly string[]) =>
  permissions.length === 0
    ? null
    : reader.text.formats.list.semicolon(permissions.map((one) => permissionSentence(reader, one)))

const mostNamed = 5

/** The names of few workspaces that all exist, otherwise their number. */
const placeWords = ({ activity, formats }: Text, names: Names, ids: readonly string[]): string => {
  const known = ids.flatMap((id) => names.workspaces.get(id) ?? [])
  return known.length === ids.length && known.length > 0 && known.length <= mostNamed
    ? activity.details.inWorkspaces(formats.list.allWords(known))
    : activity.details.workspaces(ids.length)
}

/** Details of an event, one line each. Only known details are shown, so that nothing internal leaks. */
export const detailsOf = (reader: TrailReader, { event, names }: ReadEvent): string[] => {
  const { text, catalogue } = reader
  const { detail } = event
  const words = text.activity
  const { list } = text.formats
  const { permissions, workspace_ids: workspaceIds, openid_scopes: shared } = detail
  const { changed, role, workloads } = detail
  const undelivered = Number(detail.undelivered ?? 0)
  const overlap = Number(detail.retire_others_after_seconds ?? 0)
  const fieldName = (name: string) => wordIn<string>(words.fields, name) ?? spaced(name)
  const lines = [
    (role === 'admin' || role === 'member') && words.details.roles[role],
    isList(changed) && words.details.changed(list.comma(changed.map(fieldName))),
    isList(permissions) && words.details.may(mayWords(reader, permissions)),
    isList(shared) && words.details.shares(shared.includes('profile'), shared.includes('email')),
    workspaceIds === null && !isLegacy(catalogue, permissions) && words.details.allWorkspaces,
    isList(workspaceIds) && placeWords(text, names, workspaceIds),
    isList(workloads) && words.details.trusts(list.semicolon(workloads)),
    undelivered > 0 && words.details.undelivered(undelivered),
    overlap > 0 && words.details.overlap(Math.floor(overlap / 3600)),
  ]
  return lines.filter((line) => line !== false)
}

/** The address of the actor. Addresses of operators are not shown to organizations. */
export const addressOf = ({ isOperator }: TrailReader, { actor, address }: LoggedEvent) =>
  actor.kind === 'system' || (actor.kind === 'operator' && !isOperator) ? null : address
