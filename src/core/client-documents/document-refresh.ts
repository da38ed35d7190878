// Reads the documents of apps again. What narrows an app follows; what widens it waits for the operator.

import { auditEvent } from '../audit/audit.ts'
import type { Apps, RegisteredApp } from '../clients/apps.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { periodically } from '../limits/periodically.ts'
import { OutboundBusy } from '../outbound/waits.ts'
import { appOrNull } from './accept-document.ts'
import { followingPatch, needsReview } from './app-of-document.ts'
import { type AppReviewStore, newReview } from './app-reviews.ts'
import type { ClientHostStore } from './client-hosts.ts'
import { hostOfClient } from './client-url.ts'
import type { ClientDocument } from './document.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

const mostAtOnce = 8
/** Seconds; longer than it takes to read a document and to write what follows. */
const lease = 120
/** Seconds until another attempt after a failure. */
const retryAfter = 15 * 60

const system = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const

/** The accepted scopes that the document still has. A wider scope counts once the operator accepts it. */
const remainingScopes = (seen: readonly string[], { scopes }: ClientDocument) =>
  scopes === null ? [...seen] : seen.filter((one) => scopes.includes(one))

/** Reads due documents in the background. Any number of instances share the work. */
export const createDocumentRefresh = (options: {
  store: DocumentStore
  hosts: Pick<ClientHostStore, 'byHost'>
  reviews: Pick<AppReviewStore, 'requestChange' | 'withdraw'>
  apps: Pick<Apps, 'read' | 'edit'>
  catalogue: Pick<PermissionCatalogue, 'find'>
  readDocument: ReadClientDocument
  /** A document cannot be taken, so nothing changes. */
  onRefused(error: DocumentRefused, clientId: string): void
  onError(error: unknown): void
  /** Milliseconds between two queries for due documents. */
  interval?: number
}) => {
  const {
    store,
    hosts,
    reviews,
    apps,
    catalogue,
    readDocument,
    onRefused,
    onError,
    interval = 15_000,
  } = options

  const follow = async ({ clientId, scopes: seen }: DocumentState, document: ClientDocument) => {
    const before = await appOrNull(apps, clientId)
    if (!before) return
    const patchOf = (current: RegisteredApp) => followingPatch(current, document, seen)
    const app = await apps.edit({ clientId, patchOf, added: before.permissions }, system)
    if (!needsReview(catalogue, app, document, seen)) return reviews.withdraw(clientId)
    await reviews.requestChange(...newReview(clientId, document, system))
    return undefined
  }

  const refresh = async (due: DocumentState) => {
    const { clientId } = due
    const host = await hosts.byHost(hostOfClient(clientId))
    if (host?.policy === 'refuse') return store.followed(clientId, due, retryAfter)
    const { document, etag, freshSeconds } = await readDocument(clientId, due.etag)
    if (document) await follow(due, document)
    const scopes = document ? remainingScopes(due.scopes, document) : due.scopes
    return store.followed(clientId, { scopes, etag }, freshSeconds)
  }

  /** A document that cannot be taken changes nothing. */
  const tryRefresh = async (due: DocumentState) => {
    try {
      await refresh(due)
    } catch (error) {
      if (error instanceof OutboundBusy) return // it is due again after its lease
      if (!(error instanceof DocumentRefused)) return onError(error)
      const { clientId } = due
      onRefused(error, clientId)
      const detail = { reason: error.reason }
      const event = auditEvent(system, 'app.document_failed', { clientId, detail })
      await store.failed(clientId, retryAfter, [event])
    }
  }

  /** Reads the documents that are due now. @returns how many */
  const run = async (): Promise<number> => {
    const due = await store.claim(mostAtOnce, lease)
    await Promise.all(due.map((one) => tryRefresh(one).catch(onError)))
    return due.length
  }

  /** `close` finishes the documents that are being read. */
  return { run, close: periodically({ every: interval, run, onError }).close }
}
