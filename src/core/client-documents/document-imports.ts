// The operator imports the URL of a metadata document.
import type { Cause } from '../audit/audit.ts'
import { faultAt } from '../language/faults.ts'
import { Conflict, Invalid, refuse } from '../language/service-errors.ts'
import type { Wait } from '../outbound/waits.ts'
import type { AcceptDocument } from './accept-document.ts'
import type { OperatorChoice } from './app-of-document.ts'
import { type AppReviewStore, newReview } from './app-reviews.ts'
import type { ClientHostStore } from './client-hosts.ts'
import { clientUrlFault, hostOfClient } from './client-url.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

/** Faults of a document are those of the request that named it. */
const asInvalid = (error: unknown): unknown =>
  error instanceof DocumentRefused ? new Invalid(error.faults) : error

export const createDocumentImports = (deps: {
  readDocument: ReadClientDocument
  wait: Wait
  accept: AcceptDocument
  hosts: Pick<ClientHostStore, 'byHost'>
  reviews: Pick<AppReviewStore, 'forget' | 'propose'>
}) => {
  const { readDocument, wait, accept, hosts, reviews } = deps

  const readNow = async (url: string, onWait: () => void) => {
    const detail = clientUrlFault(url)
    refuse(detail ? [faultAt('/url', 'document_url', detail)] : [])
    const host = hostOfClient(url)
    const known = await hosts.byHost(host)
    if (known?.policy === 'refuse')
      throw new Conflict(
        'host_refused',
        'documents of this host are refused; change its policy first',
      )
    const read = await wait(url, { owner: host, onWait }, () => readDocument(url)).catch(
      (error: unknown) => {
        throw asInvalid(error)
      },
    )
    // Without an entity tag in the request the answer has a document.
    if (!read.document) throw new Error('a document was not modified, though none was known')
    return { ...read, document: read.document }
  }

  return {
    /**
     * Reads the document now, and accepts all of it. What waits for a review of this URL is done then.
     * @param onWait called before it waits for the document
     * @throws Invalid for a URL or document that breaks rules, Conflict host_refused, id_taken; OutboundBusy
     */
    importUrl: async (url: string, choice: OperatorChoice, cause: Cause, onWait: () => void) => {
      const read = await readNow(url, onWait)
      const accepted = await accept({ ...read, clientUrl: url, choice }, cause)
      await reviews.forget(url)
      return accepted
    },

    /**
     * Reads the document now, and adds it to the reviews, so that the operator sees what it changes before it counts.
     * @returns the id of the review
     * @throws Invalid for a URL or document that breaks rules, Conflict host_refused; OutboundBusy
     */
    propose: async (url: string, cause: Cause, onWait: () => void): Promise<string> => {
      const { document } = await readNow(url, onWait)
      return reviews.propose(...newReview(url, document, cause))
    },
  }
}

export type DocumentImports = ReturnType<typeof createDocumentImports>
