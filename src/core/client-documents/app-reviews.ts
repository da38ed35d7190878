// The queue of documents that wait for the operator: unknown ones, and those that would widen their app.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { AppReach } from '../clients/app-change-rules.ts'
import type { Apps, RegisteredApp } from '../clients/apps.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import { permissionFaults } from '../clients/permission-rules.ts'
import { newId } from '../crypto/identifiers.ts'
import { descriptionFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Conflict, found, nullIfMissing, refuse } from '../language/service-errors.ts'
import type { AcceptDocument } from './accept-document.ts'
import {
  acceptedPatch,
  type DocumentChange,
  differences,
  ignoredScopes,
  newAppOf,
  type OperatorChoice,
} from './app-of-document.ts'
import { hostOfClient } from './client-url.ts'
import type { ClientDocument } from './document.ts'
import type { DocumentStore } from './document-store.ts'

/** A document that waits for the operator. Another document of the same URL gets another id. */
export interface StoredReview {
  id: string
  clientId: string
  document: ClientDocument
  createdAt: Date
}

export type NewReview = Omit<StoredReview, 'createdAt'> & { host: string }

export interface AppReview extends StoredReview {
  /** `new`: there is no app yet. `change`: the document would widen its app. */
  kind: 'new' | 'change'
  changes: DocumentChange[]
  ignoredScopes: string[]
}

export const reviewDecisions = ['approve', 'refuse'] as const
export type ReviewDecision = (typeof reviewDecisions)[number]

interface DecidedReview extends OperatorChoice {
  id: string
  decision: ReviewDecision
  /** The operator's words for the owners of the app. */
  note?: string | null | undefined
}

/** A document that the operator has refused. */
export interface RefusedDocument {
  note: string | null
  decidedAt: Date
}

/** A document for the operator, and the event of its request. */
export const newReview = (clientId: string, document: ClientDocument, cause: Cause) => {
  const id = newId('appReview')
  const event = auditEvent(cause, 'app_review.requested', { clientId, detail: { review_id: id } })
  return [{ id, clientId, host: hostOfClient(clientId), document }, [event]] as const
}

/** Documents of one host that may wait at the same time. */
export const mostWaitingOfHost = 20

export interface AppReviewStore {
  /** Waiting ones, oldest first. */
  list(page: PageRequest): Promise<Page<StoredReview>>
  byId(id: string): Promise<(StoredReview & { decision: ReviewDecision | null }) | null>
  /**
   * Adds an unknown document if its host has the policy `review` or `admit`, fewer than `most` of its documents wait, and none of
   * this URL waits or was refused.
   * @returns how it is with the URL then
   */
  request(
    review: NewReview,
    most: number,
    events: readonly AuditEvent[],
  ): Promise<'waiting' | 'refused' | 'full'>
  /** Adds a document of an app in the place of its last one, unless it is the same as that. @returns false: the same */
  requestChange(review: NewReview, events: readonly AuditEvent[]): Promise<boolean>
  /**
   * Adds a document that the operator wants to see, whatever the policy of its host and earlier decisions are. The same
   * document keeps its id while it waits.
   * @returns the id of what waits
   */
  propose(review: NewReview, events: readonly AuditEvent[]): Promise<string>
  /** Removes what waits for a URL. */
  withdraw(clientId: string): Promise<void>
  /** Decides once. @returns false when it was decided already, or has made room for another document */
  decide(
    id: string,
    decision: ReviewDecision,
    note: string | null,
    events: readonly AuditEvent[],
  ): Promise<boolean>
  /** The document of an app that was refused last; null: none, or a later one took its place. */
  refused(clientId: string): Promise<RefusedDocument | null>
  /** Undoes a decision that could not be carried out. */
  undecide(id: string): Promise<void>
  /** Removes the review of a URL, and writes the events. */
  forget(clientId: string, events?: readonly AuditEvent[]): Promise<void>
}

/** A document from the queue is due soon, because it may have changed while it waited. */
const freshSeconds = 5 * 60

export const createAppReviews = (deps: {
  store: AppReviewStore
  documents: Pick<DocumentStore, 'find'>
  accept: AcceptDocument
  apps: Pick<Apps, 'read'>
  catalogue: LivePermissionCatalogue
  reachOf(clientId: string): Promise<AppReach>
}) => {
  const { store, documents, accept, apps, catalogue, reachOf } = deps

  const widened = async (app: RegisteredApp, document: ClientDocument) => {
    const seen = (await documents.find(app.clientId))?.scopes ?? []
    return { ...app, ...acceptedPatch(catalogue, app, document, seen, {}) }
  }

  const shown = async (review: StoredReview): Promise<AppReview> => {
    const { id, clientId, document, createdAt } = review
    const app = await apps.read(clientId).catch(nullIfMissing)
    const after = app ? await widened(app, document) : newAppOf(catalogue, clientId, document, {})
    return {
      id,
      clientId,
      document,
      createdAt,
      kind: app ? 'change' : 'new',
      changes: differences(app, after),
      ignoredScopes: ignoredScopes(catalogue, document),
    }
  }

  const approve = async (review: StoredReview, choice: OperatorChoice, cause: Cause) => {
    const { clientId: clientUrl, document } = review
    try {
      const { app } = await accept({ clientUrl, document, etag: null, freshSeconds, choice }, cause)
      return app
    } catch (error) {
      await store.undecide(review.id)
      throw error
    }
  }

  return {
    list: async (page: PageRequest): Promise<Page<AppReview>> => {
      const { items, next } = await store.list(page)
      return { items: await Promise.all(items.map(shown)), next }
    },

    /** @throws NotFound */
    read: async (id: string): Promise<AppReview & AppReach> => {
      const review = found(await store.byId(id), 'review')
      const waiting = found(review.decision === null ? review : null, 'review')
      return { ...(await shown(waiting)), ...(await reachOf(waiting.clientId)) }
    },

    /** What its owners read of the last decision. */
    refused: store.refused,

    /**
     * Decides once: concurrent decisions are refused.
     * @returns the app that was approved, or null for a refused document
     * @throws NotFound, Conflict review_decided, Invalid for permissions, which leaves the document in the queue
     */
    decide: async ({ id, decision, note = null, ...choice }: DecidedReview, cause: Cause) => {
      const { permissions = [] } = choice
      refuse(descriptionFaults('/note', note))
      await catalogue.meet(permissions)
      refuse(permissionFaults(catalogue, 'current', permissions))
      const review = found(await store.byId(id), 'review')
      const { clientId } = review
      const about = { clientId, detail: { review_id: id, ...(note && { note }) } }
      const refusal = auditEvent(cause, 'app_review.refused', about)
      if (!(await store.decide(id, decision, note, decision === 'refuse' ? [refusal] : [])))
        throw new Conflict('review_decided', 'the review was decided before')
      if (decision === 'refuse') return { clientId, app: null }
      const app = await approve(review, choice, cause)
      await store.forget(clientId, [auditEvent(cause, 'app_review.approved', about)])
      return { clientId, app }
    },
  }
}

export type AppReviews = ReturnType<typeof createAppReviews>
