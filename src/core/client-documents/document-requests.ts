// Authorization requests of client URLs that are no app here. Each is refused; some documents wait for the operator then.
import { OAuthError } from '../language/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Wait } from '../outbound/waits.ts'
import {
  type AppReviewStore,
  mostWaitingOfHost,
  newReview,
  type ReviewDecision,
} from './app-reviews.ts'
import type { HostPolicy } from './client-hosts.ts'
import { clientUrlFault, hostOfClient } from './client-url.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

/** What is known about a client URL. */
export interface ClientUrlState {
  /** There is an app, which is disabled. */
  isApp: boolean
  policy: HostPolicy | null
  review: { decision: ReviewDecision | null } | null
}

export interface DocumentRequestDeps {
  /** One query. */
  stateOf(clientUrl: string, host: string): Promise<ClientUrlState>
  reviews: Pick<AppReviewStore, 'request'>
  readDocument: ReadClientDocument
  wait: Wait
  limits: Pick<Limits, 'documentRequested'>
  /** A document of a host with the policy `review` could not be taken. */
  onRefused(error: DocumentRefused, host: string): void
}

/** The authorization request that named the client URL. */
export interface DocumentRequester {
  address: string
  requestId: string
  /** Called before it waits for the document. */
  onWait(): void
}

/** Why the request of a client URL is refused; stable, for logs and pages. */
export type ClientUrlRefusal =
  | 'client_unknown'
  | 'client_not_reviewed'
  | 'client_waits_for_review'
  | 'client_document_refused'

const descriptions: Record<ClientUrlRefusal, string> = {
  client_unknown: 'the client is unknown',
  client_not_reviewed:
    'the client is unknown; the operator of this server can import its client_id',
  client_waits_for_review: 'the client waits for the review of the operator of this server',
  client_document_refused: 'the client metadata document cannot be read or breaks a rule',
}

const refusal = (reason: ClientUrlRefusal, cause?: unknown) =>
  new OAuthError('invalid_client', descriptions[reason], { reason, cause, status: 400 })

const anonymous = { kind: 'anonymous', id: null } as const

export const createDocumentRequests = (deps: DocumentRequestDeps) => {
  const { stateOf, reviews, readDocument, wait, limits, onRefused } = deps
  /** Requests of one URL at the same time share a fetch. */
  const underway = new Map<string, ReturnType<ReadClientDocument>>()

  const readOnce = (url: string) => {
    const running = underway.get(url)
    if (running) return running
    const reading = readDocument(url).finally(() => underway.delete(url))
    underway.set(url, reading)
    return reading
  }

  /** @returns null for a document that cannot be taken */
  const documentOf = async (url: string, host: string, onWait: () => void) => {
    try {
      return (await wait(url, { owner: host, onWait }, () => readOnce(url))).document
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error
      onRefused(error, host)
      return null
    }
  }

  /** Reads the document and adds it to the queue. */
  const request = async (url: string, { onWait, ...from }: DocumentRequester) => {
    const host = hostOfClient(url)
    await limits.documentRequested(from.address, host)
    const document = await documentOf(url, host, onWait)
    if (!document) return 'client_document_refused'
    const [review, events] = newReview(url, document, { actor: anonymous, ...from })
    const waiting = await reviews.request(review, mostWaitingOfHost, events)
    return waiting === 'waiting' ? 'client_waits_for_review' : 'client_not_reviewed'
  }

  return {
    /**
     * The refusal of an authorization request whose client URL is no app that can be used. Only a document of a host with
     * the policy `review` is fetched, if it does not wait already and was not refused.
     * @throws OAuthError slow_down; OutboundBusy
     */
    refusalOf: async (clientUrl: string, from: DocumentRequester): Promise<OAuthError> => {
      if (clientUrlFault(clientUrl)) return refusal('client_unknown')
      const { isApp, policy, review } = await stateOf(clientUrl, hostOfClient(clientUrl))
      if (isApp) return refusal('client_unknown')
      if (policy !== 'review' || review?.decision === 'refuse')
        return refusal('client_not_reviewed')
      if (review?.decision === null) return refusal('client_waits_for_review')
      return refusal(await request(clientUrl, from))
    },
  }
}

export type DocumentRequests = ReturnType<typeof createDocumentRequests>
