// Events of the audit trail as the entries of a page.
import type { NamedEvents } from '../../../core/audit/activity.ts'
import { type Phrase, plainOf } from '../../../words/phrase.ts'
import { momentOf } from '../render.ts'
import {
  actorPhrase,
  addressOf,
  clientPhrase,
  detailsOf,
  eventPhrase,
  helpWords,
  organizationPhrase,
  type ReadEvent,
  type TrailReader,
} from './sentences.ts'

/** Codes and ids of an event, for developers. Ids of operators and internal details are the operator's. */
const codesOf = ({ text, isOperator }: TrailReader, { event }: ReadEvent) => {
  const { codes } = text.activity
  const { type, actor, clientId, userId, organizationId, detail } = event
  const { reason } = detail
  const all: [label: string, value: unknown][] = [
    [codes.event, type],
    [codes.reason, reason],
    [codes.app, clientId],
    [codes.person, userId],
    [codes.actor, actor.kind !== 'operator' || isOperator ? actor.id : null],
    [codes.organization, isOperator ? organizationId : null],
    [codes.detail, isOperator ? JSON.stringify(detail) : null],
  ]
  return all.flatMap(([label, value]) =>
    typeof value === 'string' && value !== '{}' ? [{ label, value }] : [],
  )
}

/** What helps; null for an event that is no refusal. */
export const helpOf = ({ text }: TrailReader, { event }: ReadEvent): string | null =>
  event.type === 'token.refused' ? helpWords(text, String(event.detail.reason)) : null

const whereOf = (reader: TrailReader, read: ReadEvent): Phrase | null => {
  const { organizationId } = read.event
  return reader.isOperator && organizationId !== null
    ? reader.text.activity.trail.within(organizationPhrase(reader, read, organizationId))
    : null
}

const entryOf = (reader: TrailReader, read: ReadEvent, form: 'time' | 'moment' = 'time') => {
  const { text, links } = reader
  const { at, requestId } = read.event
  return {
    at: momentOf(text, at, form),
    who: text.activity.trail.actor(actorPhrase(reader, read)),
    what: eventPhrase(reader, read),
    where: whereOf(reader, read),
    help: helpOf(reader, read),
    details: detailsOf(reader, read),
    address: addressOf(reader, read.event),
    reference: requestId ? { id: requestId, href: links.request(requestId) } : null,
    codes: codesOf(reader, read),
  }
}

type TrailEntry = ReturnType<typeof entryOf>
/** The events of a day that concern one app; `app` is null for those that concern none. */
type TrailGroup = { app: Phrase | null; entries: TrailEntry[] }
export type TrailDay = { heading: string; groups: TrailGroup[] }

/** Events without their day, for a short list. */
export const trailEntries = (reader: TrailReader, { events, names }: NamedEvents): TrailEntry[] =>
  events.map((event) => entryOf(reader, { event, names }, 'moment'))

/** The group of an app, which begins with the first of its events. */
const groupIn = (day: TrailDay, app: Phrase | null): TrailGroup => {
  const nameOf = (one: Phrase | null) => one && plainOf(one)
  const known = day.groups.find((one) => nameOf(one.app) === nameOf(app))
  if (known) return known
  const group = { app, entries: [] }
  day.groups.push(group)
  return group
}

export const trailDays = (reader: TrailReader, { events, names }: NamedEvents): TrailDay[] => {
  const { day: dayOf, inUtc } = reader.text.activity
  const days: TrailDay[] = []
  for (const event of events) {
    const read = { event, names }
    const heading = inUtc(dayOf(event.at))
    if (days.at(-1)?.heading !== heading) days.push({ heading, groups: [] })
    const app = event.clientId === null ? null : clientPhrase(reader, read, event.clientId)
    groupIn(days.at(-1) as TrailDay, app).entries.push(entryOf(reader, read))
  }
  return days
}
