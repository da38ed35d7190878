import type { NamedEvents, Names } from '../../../core/audit/activity.ts'
import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { csvLine } from '../../rendering/csv.ts'
import { csvParts } from './csv-download.ts'
import { actorPhrase, addressOf, detailsOf, eventPhrase } from './entries.ts'

const plain = (phrase: Phrase) =>
  phrase.map((part) => (typeof part === 'string' ? part : part.name)).join('')

interface Told {
  text: Text
  catalogue: PermissionCatalogue
  event: LoggedEvent
  names: Names
}

/** The cell of each column. The names of columns are for programs, the same in every language. */
const columns: Record<string, (told: Told) => string | null | undefined> = {
  time: ({ event }) => event.at.toISOString(),
  event: ({ event }) => event.type,
  who: ({ text, event, names }) => plain(actorPhrase(text, event, names)),
  what: ({ text, event, names }) => plain(eventPhrase(text, event, names)),
  details: ({ text, catalogue, event }) => detailsOf(text, catalogue, event).join('. '),
  actor_kind: ({ event }) => event.actor.kind,
  // Operator ids are not shown to organizations.
  actor_id: ({ event: { actor } }) => (actor.kind === 'operator' ? null : actor.id),
  client_id: ({ event }) => event.clientId,
  app_or_key_set: ({ event, names }) => event.clientId && names.clients.get(event.clientId),
  user_id: ({ event }) => event.userId,
  person: ({ event, names }) => event.userId && names.people.get(event.userId),
  address: ({ event }) => addressOf(event),
  request_id: ({ event }) => event.requestId,
}

const lineOf = (told: Told) => csvLine(Object.values(columns).map((cell) => cell(told) ?? ''))

/** The trail as CSV, a page at a time. */
export const activityCsv = (
  text: Text,
  catalogue: PermissionCatalogue,
  pages: AsyncIterable<NamedEvents>,
) =>
  csvParts(Object.keys(columns), pages, ({ events, names }) =>
    events.map((event) => lineOf({ text, catalogue, event, names })),
  )
