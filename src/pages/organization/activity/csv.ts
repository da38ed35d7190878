import type { NamedEvents } from '../../../core/audit/activity.ts'
import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { csvLine } from '../../rendering/csv.ts'
import type { CsvPart } from './csv-download.ts'
import { actorPhrase, addressOf, detailsOf, eventPhrase } from './entries.ts'

/** Names for programs, the same in every language. */
const columns = [
  'time',
  'event',
  'who',
  'what',
  'details',
  'actor_kind',
  'actor_id',
  'client_id',
  'app_or_key_set',
  'user_id',
  'person',
  'address',
  'request_id',
]

const plain = (phrase: Phrase) =>
  phrase.map((part) => (typeof part === 'string' ? part : part.name)).join('')

const lineOf = (
  text: Text,
  catalogue: PermissionCatalogue,
  event: LoggedEvent,
  { names }: NamedEvents,
) =>
  csvLine([
    event.at.toISOString(),
    event.type,
    plain(actorPhrase(text, event, names)),
    plain(eventPhrase(text, event, names)),
    detailsOf(text, catalogue, event).join('. '),
    event.actor.kind,
    // Operator ids are not shown to organizations.
    event.actor.kind === 'operator' ? '' : (event.actor.id ?? ''),
    event.clientId ?? '',
    (event.clientId && names.clients.get(event.clientId)) ?? '',
    event.userId ?? '',
    (event.userId && names.people.get(event.userId)) ?? '',
    addressOf(event) ?? '',
    event.requestId ?? '',
  ])

/** The trail as CSV, a page at a time. */
export async function* activityCsv(
  text: Text,
  catalogue: PermissionCatalogue,
  pages: AsyncIterable<NamedEvents>,
): AsyncGenerator<CsvPart, void, undefined> {
  yield { text: csvLine(columns), rows: 0 }
  for await (const page of pages) {
    const lines = page.events.map((event) => lineOf(text, catalogue, event, page))
    yield { text: lines.join(''), rows: lines.length }
  }
}
