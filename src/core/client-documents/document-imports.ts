// The operator imports the URL of a metadata document.
import type { Cause } from '../audit/audit.ts'
import { Conflict, Invalid, refuse } from '../language/service-errors.ts'
import type { AcceptDocument, AcceptedDocument } from './accept-document.ts'
import type { OperatorChoice } from './app-of-document.ts'
import type { AppReviewStore } from './app-reviews.ts'
import type { ClientHostStore } from './client-hosts.ts'
import { clientUrlFault, hostOfClient } from './client-url.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

export interface DocumentImportDeps {
  readDocument: ReadClientDocument
  accept: AcceptDocument
  hosts: Pick<ClientHostStore, 'byHost'>
  reviews: Pick<AppReviewStore, 'forget'>
}

/** Faults of a document are those of the request that named it. */
const asInvalid = (error: unknown): unknown =>
  error instanceof DocumentRefused ? new Invalid(error.faults) : error

export const createDocumentImports = (deps: DocumentImportDeps) => ({
  /**
   * Reads the document now, and accepts all of it. What waits for a review of this URL is done then.
   * @throws Invalid for a URL or document that breaks rules, Conflict host_refused, id_taken
   */
  importUrl: async (
    url: string,
    choice: OperatorChoice,
    cause: Cause,
  ): Promise<AcceptedDocument> => {
    const detail = clientUrlFault(url)
    refuse(detail ? [{ pointer: '/url', detail }] : [])
    const host = await deps.hosts.byHost(hostOfClient(url))
    if (host?.policy === 'refuse')
      throw new Conflict(
        'host_refused',
        'documents of this host are refused; change its policy first',
      )
    const read = await deps.readDocument(url).catch((error: unknown) => {
      throw asInvalid(error)
    })
    // Without an entity tag in the request the answer has a document.
    if (!read.document) throw new Error('a document was not modified, though none was known')
    const accepted = await deps.accept(url, read.document, read, choice, cause)
    await deps.reviews.forget(url)
    return accepted
  },
})

export type DocumentImports = ReturnType<typeof createDocumentImports>
