// The filtered trail: a page of it, and its download.
import type { FastifyReply } from 'fastify'
import type { Activity, Names } from '../../../core/audit/activity.ts'
import { queried } from '../forms/sent-values.ts'
import { activityCsv } from './csv.ts'
import { type CausedVisit, type CsvDependencies, createCsvAnswer } from './csv-download.ts'
import { trailDays } from './entries.ts'
import {
  filteredUrl,
  type filterFormOf,
  mostExported,
  type ReadFilter,
  readPlace,
} from './filter.ts'
import type { TrailReader } from './sentences.ts'

const entriesOfPage = 12

/** Whose trail is read by whom, and where. */
export interface TrailPlace {
  reader: TrailReader
  /** null: all of them, for the operator. */
  organizationId: string | null
  address: string
  /** The path of the page that finds a request. */
  requestsUrl: string
  /** Leaves out names that the reader may not read. */
  readable?: (names: Names) => Names
}

const everyName = (names: Names) => names

export const createTrail = (deps: CsvDependencies & { activity: Activity }) => {
  const { activity } = deps
  const sendCsv = createCsvAnswer(deps)

  return {
    /** The page that the address names. */
    show: async (
      { request }: CausedVisit,
      { reader, organizationId, address, requestsUrl, readable = everyName }: TrailPlace,
      { filter, chosen, isFaulty }: ReadFilter,
      form: ReturnType<typeof filterFormOf>,
    ) => {
      const place = readPlace((name) => queried(request, name))
      const page = isFaulty
        ? activity.nothing
        : await activity.page(organizationId, filter, place, entriesOfPage)
      const link = (kind: 'older' | 'newer') =>
        page[kind] && filteredUrl(address, chosen, { [kind]: page[kind] })
      return {
        filter: form,
        days: trailDays(reader, { events: page.events, names: readable(page.names) }),
        ...{ requestsUrl, olderUrl: link('older'), newerUrl: link('newer') },
      }
    },

    download: (
      visit: CausedVisit,
      { reader, organizationId, readable = everyName }: TrailPlace,
      { filter }: ReadFilter,
    ): Promise<FastifyReply> => {
      const day = new Date().toISOString().slice(0, 10)
      const name = ['activity', organizationId, day].filter(Boolean).join('-')
      async function* pages() {
        const parts = activity.export(organizationId, filter, mostExported)
        for await (const { events, names } of parts) yield { events, names: readable(names) }
      }
      const parts = activityCsv(reader, pages())
      return sendCsv(visit, organizationId, name, parts, (rows) => ({ events: rows }))
    },
  }
}

/** The audit trail, filtered. */
export type Trail = Awaited<ReturnType<ReturnType<typeof createTrail>['show']>>

/** True for the download of a filter that can be read. */
export const wantsCsv = ({ request }: CausedVisit, { isFaulty }: ReadFilter): boolean =>
  queried(request, 'format') === 'csv' && !isFaulty
