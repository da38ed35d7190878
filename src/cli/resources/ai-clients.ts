// AI clients by their names: where they publish who they are, or where they return to. ai-clients.json names the public
// page of each, and the day on which it was read; scripts/ai-clients.mjs compares the list with the pages.
import type { ImportedAppJson } from '../../http/operator/apps/documents.ts'
import type { AppJson } from '../../http/operator/apps/schemas.ts'
import type { Action } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import type { OperatorApi } from '../operator-api.ts'
import { type Column, columnsOf, listed, print, table } from '../output.ts'
import clients from './ai-clients.json' with { type: 'json' }

/** `url` is that of its metadata document; absent: it publishes none. */
type AiClient = (typeof clients)[number]

const columns: Column<AiClient>[] = [
  ...columnsOf<AiClient>('name'),
  ['address', ({ url, redirect_uris }) => url ?? listed(redirect_uris)],
  ...columnsOf<AiClient>('source', ['read_on', 'read on']),
]

/** Prints the list. Needs no server. */
export const listClients: Action['run'] = async (input, terminal) =>
  print(
    terminal,
    input,
    clients.map(({ title: _, ...client }) => client),
    () => table(columns, clients),
  )

/** The client of a name, or of the URL of its document. @throws CommandError for a name that is not in the list */
export const clientOf = (word: string): AiClient => {
  const client = clients.find(({ name }) => name === word)
  if (!client && !word.includes(':'))
    throw usageError(`unknown client ${word}`, ['latchkey app import --list lists the known ones'])
  return client ?? { name: word, title: word, url: word, source: word, read_on: '' }
}

/**
 * Reads the document of the client. Without one it registers an app with the redirect URIs, or gives them to the app that has
 * one of them.
 */
export const importClient = async (
  api: OperatorApi,
  { title, url, redirect_uris = [] }: AiClient,
  permissions: string[] | undefined,
): Promise<AppJson & Partial<ImportedAppJson>> => {
  if (url) return api.call('POST', '/apps/import', { url, permissions })
  const apps = await api.list<AppJson>('/apps', { q: title })
  const app = apps.find((one) => one.redirect_uris.some((uri) => redirect_uris.includes(uri)))
  const body = { redirect_uris, ...(permissions && { permissions }) }
  if (app) return api.call('PATCH', `/apps/${encodeURIComponent(app.client_id)}`, body)
  const fresh = { name: title, interface: 'current', client_type: 'public', permissions: [] }
  return api.call('POST', '/apps', { ...fresh, ...body })
}
