// Requests of client URLs that are no app here. A document of a host that admits becomes an app, and the request goes on; others
// are refused, and some documents wait for the operator then.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditEvent, byServer } from '../audit/audit.ts'
import { fingerprintOf } from '../crypto/digests.ts'
import { isClientUrl } from '../crypto/identifiers.ts'
import { OAuthError } from '../language/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { RecordStore } from '../limits/records.ts'
import type { Wait } from '../outbound/waits.ts'
import { type Admit, documentFailed } from './admission.ts'
import {
  type AppReviewStore,
  mostWaitingOfHost,
  newReview,
  type ReviewDecision,
} from './app-reviews.ts'
import { admits, type HostRule } from './client-hosts.ts'
import { clientUrlFault, hostOfClient } from './client-url.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

/** What is known about a client URL. */
export interface ClientUrlState {
  app: { disabled: boolean } | null
  /** Of its host. */
  rule: HostRule | null
  /** Apps from documents of its host. */
  apps: number
  review: { decision: ReviewDecision | null } | null
}

export interface DocumentRequestDeps {
  /** One query. */
  stateOf(clientUrl: string, host: string): Promise<ClientUrlState>
  admit: Admit
  reviews: Pick<AppReviewStore, 'request'>
  readDocument: ReadClientDocument
  wait: Wait
  records: Pick<RecordStore, 'insert' | 'delete'>
  limits: Pick<Limits, 'documentRequested'>
  /** Writes events now: a refused request has no transaction. */
  audit: { append(events: readonly AuditEvent[]): Promise<void> }
  /** A document of a host whose documents are read could not be taken. */
  onRefused(error: DocumentRefused, host: string): void
}

/** The request that named the client URL. */
export interface DocumentRequester {
  address: string
  requestId: string
  /** Called before it waits for the document. */
  onWait(): void
}

const descriptions = {
  client_unknown: 'the client is unknown',
  client_not_reviewed:
    'the client is unknown; the operator of this server can import its client_id',
  client_waits_for_review: 'the client waits for the review of the operator of this server',
  client_document_refused: 'the client metadata document cannot be read or breaks a rule',
}

/** Why the request of a client URL is refused; stable, for logs and pages. */
export type ClientUrlRefusal = keyof typeof descriptions

type Outcome = 'known' | ClientUrlRefusal

const refusal = (reason: ClientUrlRefusal) =>
  new OAuthError('invalid_client', descriptions[reason], { reason, status: 400 })

/** Is no app known by the client id? Programs, pages and the authorization endpoint say so in their own words. */
const isUnknown = (error: unknown): error is OAuthError =>
  error instanceof OAuthError &&
  (error.reason === 'client_unknown' ||
    (error.code === 'invalid_client' &&
      ['unknown_client', 'not_redirected'].includes(error.reason)))

const reading = 'document'
/** Seconds; longer than it takes to read a document and to write what becomes of it. */
const longestReading = 10
const pause = 100 // ms

const anonymous = { kind: 'anonymous', id: null } as const

/** The outcome without the document; null: it must be read. */
const outcomeOf = (clientUrl: string, state: ClientUrlState): Outcome | null => {
  const { app, rule, apps, review } = state
  if (app) return app.disabled ? 'client_unknown' : 'known'
  if (rule === null || rule.policy === 'refuse' || review?.decision === 'refuse')
    return 'client_not_reviewed'
  const isWaiting = review?.decision === null && !admits(rule, clientUrl, apps)
  return isWaiting ? 'client_waits_for_review' : null
}

export const createDocumentRequests = (deps: DocumentRequestDeps) => {
  const { stateOf, admit, reviews, readDocument, wait, records, limits, audit, onRefused } = deps
  /** Requests of one URL at the same time share a fetch, and what becomes of the document. */
  const underway = new Map<string, Promise<Outcome>>()

  const once = (url: string, work: () => Promise<Outcome>) => {
    const working = underway.get(url) ?? work().finally(() => underway.delete(url))
    underway.set(url, working)
    return working
  }

  /** One instance reads a document at a time; the others wait, and find what it has made of it. */
  const alone = async (url: string, work: () => Promise<Outcome>) => {
    const key = fingerprintOf(url)
    while (!(await records.insert(reading, key, { state: 'reading', value: '' }, longestReading)))
      await sleep(pause)
    try {
      return await work()
    } finally {
      await records.delete(reading, key)
    }
  }

  type From = Omit<DocumentRequester, 'onWait'>

  /** @returns null for a document that cannot be taken */
  const documentOf = async (url: string, host: string, from: From) => {
    try {
      return await readDocument(url)
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error
      onRefused(error, host)
      await audit.append([documentFailed(url, error.reason, { ...byServer, ...from })])
      return null
    }
  }

  /** Reads the document, and makes an app of it or adds it to the queue. */
  const read = async (url: string, host: string, from: From): Promise<Outcome> => {
    // Another request may have read it since this one asked.
    const known = outcomeOf(url, await stateOf(url, host))
    if (known) return known
    const found = await documentOf(url, host, from)
    if (!found?.document) return 'client_document_refused'
    const { document } = found
    const cause = { actor: anonymous, ...from }
    if (await admit(url, { ...found, document }, cause)) return 'known'
    const [review, events] = newReview(url, document, cause)
    const waiting = await reviews.request(review, mostWaitingOfHost, events)
    return waiting === 'waiting' ? 'client_waits_for_review' : 'client_not_reviewed'
  }

  /** @returns null: there is an app now @throws OAuthError slow_down; OutboundBusy */
  const refusalOf = async (clientUrl: string, { onWait, ...from }: DocumentRequester) => {
    if (clientUrlFault(clientUrl)) return refusal('client_unknown')
    const host = hostOfClient(clientUrl)
    let outcome = outcomeOf(clientUrl, await stateOf(clientUrl, host))
    if (!outcome) {
      await limits.documentRequested(from.address, host)
      const work = () => once(clientUrl, () => alone(clientUrl, () => read(clientUrl, host, from)))
      outcome = await wait(clientUrl, { owner: host, onWait }, work)
    }
    return outcome === 'known' ? null : refusal(outcome)
  }

  return {
    /**
     * Does the work of a request. If its client is a URL that no app has, its document may make an app of it, and the work
     * is done again. A document is fetched only if the rule of its host says so, and if it does not wait already and was
     * not refused.
     * @throws what the work throws; OAuthError that says why there is no app; OAuthError slow_down; OutboundBusy
     */
    withClient: async <Result>(
      clientId: unknown,
      requester: DocumentRequester,
      work: () => Promise<Result>,
    ): Promise<Result> => {
      try {
        return await work()
      } catch (error) {
        if (!isUnknown(error) || !isClientUrl(clientId)) throw error
        const refused = await refusalOf(clientId, requester)
        if (!refused) return work()
        // A program gets the answer of its endpoint (RFC 6749 §5.2).
        throw error.reason === 'unknown_client'
          ? new OAuthError(refused.code, refused.description, { reason: error.reason })
          : refused
      }
    },
  }
}

export type DocumentRequests = ReturnType<typeof createDocumentRequests>
