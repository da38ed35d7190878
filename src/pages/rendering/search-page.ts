// The search in the header: its field, and the page of what it has found.
import type { FastifyRequest } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { longestSearch, mostFound } from '../../core/organizations/search.ts'
import type { Text } from '../../words/text.ts'
import { code, type Shown, table, words } from './forms/blocks.ts'
import type { PartOfPage } from './forms/blocks-page.ts'
import { searchedText } from './long-list.ts'
import type { SearchField } from './view-models/frame.ts'

/** One result. `within`: the organization that it is in, where the page is about all. */
export interface ShownFound {
  kind: keyof Text['search']['kinds']
  id: string
  name: Shown
  within?: Shown
}

/** The search text of the address. Empty where the page is no search. */
export const searchText = (request: FastifyRequest): string =>
  searchedText(request, 'q', longestSearch)

/** The field of the header. @param action the page that shows what is found */
export const searchField = (request: FastifyRequest, action: string): SearchField => ({
  action,
  value: request.url.split('?', 1)[0] === action ? searchText(request) : '',
})

/** Is the text a whole request id, as error pages and the header X-Request-Id have it? */
export const isRequestId = (text: string) => text.startsWith('req_') && isIdShaped(text)

/** What was found, grouped by kind, in the order of the first of each. */
export const foundPage = (text: Text, q: string, found: readonly ShownFound[]): PartOfPage => {
  const { search } = text
  const tableOf = (kind: ShownFound['kind']) => {
    const own = found.filter((one) => one.kind === kind)
    const isWithin = own.some(({ within }) => within !== undefined)
    return table({
      id: `found-${kind}`,
      heading: search.kinds[kind],
      columns: [search.name, ...(isWithin ? [search.within] : []), search.id],
      rows: own.map((one) => [one.name, ...(isWithin ? [one.within ?? ''] : []), code(one.id)]),
      empty: '',
    })
  }
  const lead = found.length >= mostFound ? search.most(mostFound) : search.nothing
  return {
    title: search.title,
    heading: q === '' ? search.title : search.heading(found.length, q),
    ...(q === '' && { lead: search.lead }),
    blocks: [
      ...[...new Set(found.map(({ kind }) => kind))].map(tableOf),
      ...(q !== '' && (found.length === 0 || found.length >= mostFound) ? [words(lead)] : []),
    ],
  }
}
