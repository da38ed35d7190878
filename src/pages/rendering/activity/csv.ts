import type { NamedEvents } from '../../../core/audit/activity.ts'
import { plainOf } from '../../../words/phrase.ts'
import { csvLine } from '../csv.ts'
import { csvParts } from './csv-download.ts'
import { helpOf } from './entries.ts'
import {
  actorPhrase,
  addressOf,
  detailsOf,
  eventPhrase,
  type ReadEvent,
  type TrailReader,
} from './sentences.ts'

type Cell = (reader: TrailReader, read: ReadEvent) => string | null | undefined

/** The cell of each column. The names of columns are for programs, the same in every language. */
const columns: Record<string, Cell> = {
  time: (_, { event }) => event.at.toISOString(),
  event: (_, { event }) => event.type,
  who: (reader, read) => plainOf(actorPhrase(reader, read)),
  what: (reader, read) => plainOf(eventPhrase(reader, read)),
  details: (reader, read) => detailsOf(reader, read).join('. '),
  actor_kind: (_, { event }) => event.actor.kind,
  // Operator ids are not shown to organizations.
  actor_id: ({ isOperator }, { event: { actor } }) =>
    actor.kind === 'operator' && !isOperator ? null : actor.id,
  client_id: (_, { event }) => event.clientId,
  app_or_key_set: (_, { event, names }) => event.clientId && names.clients.get(event.clientId),
  user_id: (_, { event }) => event.userId,
  person: (_, { event, names }) => event.userId && names.people.get(event.userId),
  address: (reader, { event }) => addressOf(reader, event),
  request_id: (_, { event }) => event.requestId,
  what_helps: helpOf,
}

/** Columns of the console. */
const operatorColumns: typeof columns = {
  ...columns,
  organization_id: (_, { event }) => event.organizationId,
  organization: (_, { event, names }) => names.organizations.get(event.organizationId ?? ''),
}

export const activityCsv = (reader: TrailReader, pages: AsyncIterable<NamedEvents>) => {
  const shown = reader.isOperator ? operatorColumns : columns
  return csvParts(Object.keys(shown), pages, ({ events, names }) =>
    events.map((event) =>
      csvLine(Object.values(shown).map((cell) => cell(reader, { event, names }) ?? '')),
    ),
  )
}
