// Fetches a metadata document and checks it.
import { type Fault, faultAt } from '../language/faults.ts'
import { Invalid } from '../language/service-errors.ts'
import { type FetchDocument, FetchFailed, type FetchFailure } from '../outbound/fetch-document.ts'
import { freshSeconds } from '../outbound/freshness.ts'
import { hostOfClient } from './client-url.ts'
import { type ClientDocument, checkedDocument, type DocumentRules } from './document.ts'

const mostBytes = 32 * 1024
const seconds = 5
/** Seconds for which a document is not read again. */
const freshness = { least: 5 * 60, most: 24 * 3600 }

/** Why a document cannot be taken: it was not fetched, or it breaks rules. Stable, for the log and the audit trail. */
export type DocumentFault = FetchFailure | 'invalid'

/** The document cannot be taken. */
export class DocumentRefused extends Error {
  readonly reason: DocumentFault
  readonly faults: readonly Fault[]

  constructor(reason: DocumentFault, faults: readonly Fault[], cause: unknown) {
    super(`the metadata document is refused: ${reason}`, { cause })
    this.name = 'DocumentRefused'
    this.reason = reason
    this.faults = faults
  }
}

/** What is wrong with the URL of a document that was not fetched. */
const fetchFaults: Record<FetchFailure, string> = {
  address: 'leads to an address that this server does not connect to',
  timeout: `did not answer within ${seconds} seconds`,
  too_large: `answered more than ${mostBytes / 1024} KiB`,
  redirect: 'answered with a redirect',
  unreachable: 'cannot be reached',
  content_type: 'did not answer with JSON',
  status: 'did not answer with status 200',
}

export interface ReadDocument {
  /** null: the same as the one with this `etag`. */
  document: ClientDocument | null
  etag: string | null
  /** Seconds until it should be read again. */
  freshSeconds: number
}

const refused = (error: unknown): unknown => {
  if (error instanceof FetchFailed) {
    const detail = fetchFaults[error.reason]
    const reason = `document_${error.reason}` as const
    return new DocumentRefused(error.reason, [faultAt('/url', reason, detail)], error)
  }
  if (!(error instanceof Invalid)) return error
  const faults = error.faults.map(({ pointer, ...rest }) => ({
    pointer: `/document${pointer}`,
    ...rest,
  }))
  return new DocumentRefused('invalid', faults, error)
}

export interface ReadDocumentOptions extends DocumentRules {
  fetchDocument: FetchDocument
  /** Milliseconds since 1970. */
  now(): number
}

/** Reads the document of a client URL, which must have been checked. @throws DocumentRefused, OutboundBusy */
export type ReadClientDocument = (clientUrl: string, etag?: string | null) => Promise<ReadDocument>

export const createReadDocument =
  ({ fetchDocument, now, ...rules }: ReadDocumentOptions): ReadClientDocument =>
  async (clientUrl, etag = null) => {
    try {
      const owner = hostOfClient(clientUrl)
      const bounds = { mostBytes, seconds, accept: 'application/json', etag, owner }
      const response = await fetchDocument(clientUrl, bounds)
      const fresh = freshSeconds(response, now(), freshness)
      if (response.status === 304) return { document: null, etag, freshSeconds: fresh }
      const document = await checkedDocument(clientUrl, response.body, rules)
      return { document, etag: response.headers.etag ?? null, freshSeconds: fresh }
    } catch (error) {
      throw refused(error)
    }
  }
