// Reads the documents of apps again. What narrows an app follows; what widens it waits for the operator.
import { byServer } from '../audit/audit.ts'
import type { Admission, Apps, RegisteredApp } from '../clients/apps.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { nullIfMissing } from '../language/service-errors.ts'
import { periodically } from '../limits/periodically.ts'
import { OutboundBusy } from '../outbound/waits.ts'
import { documentFailed } from './admission.ts'
import { followingPatch, needsReview } from './app-of-document.ts'
import { type AppReviewStore, newReview } from './app-reviews.ts'
import type { ClientHostStore } from './client-hosts.ts'
import { hostOfClient, isUnder } from './client-url.ts'
import type { ClientDocument } from './document.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'
import { DocumentRefused, type ReadClientDocument } from './read-document.ts'

const mostAtOnce = 8
/** Seconds; longer than it takes to read a document and to write what follows. */
const lease = 120
/** Seconds until another attempt after a failure. */
const retryAfter = 15 * 60

/** The accepted scopes that the document still has. A wider scope counts once the operator or the host accepts it. */
const remainingScopes = (
  { scopes: seen }: DocumentState,
  { scopes }: ClientDocument,
  accepted: readonly string[],
) => {
  const known = [...new Set([...seen, ...accepted])]
  return scopes === null ? known : known.filter((one) => scopes.includes(one))
}

/** The rule of the host, if the document is in its path. */
const admitsStill = (clientUrl: string, admission: Admission | null) => {
  const { pathPrefix = null } = admission ?? {}
  return pathPrefix === null || isUnder(pathPrefix, clientUrl) ? admission : null
}

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
  const { store, hosts, reviews, apps, catalogue, onError, interval = 15_000 } = options

  /** @returns the scopes that are accepted then */
  const follow = async (due: DocumentState, document: ClientDocument): Promise<string[]> => {
    const { clientId, scopes: seen } = due
    const before = await apps.read(clientId).catch(nullIfMissing)
    if (!before) return seen
    const patchOf = (current: RegisteredApp, admission: Admission | null) =>
      followingPatch(current, document, seen, admitsStill(clientId, admission))
    const admittedBy = before.admitted && { admittedBy: hostOfClient(clientId) }
    const added = [...before.permissions, ...(document.scopes ?? [])]
    const app = await apps.edit({ clientId, patchOf, added, ...admittedBy }, byServer)
    if (needsReview(catalogue, app, document, seen))
      await reviews.requestChange(...newReview(clientId, document, byServer))
    else await reviews.withdraw(clientId)
    return remainingScopes(due, document, app.admitted ? app.permissions : [])
  }

  const refresh = async (due: DocumentState) => {
    const { clientId } = due
    const host = await hosts.byHost(hostOfClient(clientId))
    if (host?.policy === 'refuse') return store.followed(clientId, due, retryAfter)
    const { document, etag, freshSeconds } = await options.readDocument(clientId, due.etag)
    const scopes = document ? await follow(due, document) : due.scopes
    const hasScope = document ? document.scopes !== null : due.hasScope
    return store.followed(clientId, { scopes, hasScope, etag }, freshSeconds)
  }

  /** A document that cannot be taken changes nothing. */
  const tryRefresh = async (due: DocumentState) => {
    try {
      await refresh(due)
    } catch (error) {
      if (error instanceof OutboundBusy) return // it is due again after its lease
      if (!(error instanceof DocumentRefused)) return onError(error)
      const { clientId } = due
      options.onRefused(error, clientId)
      const event = documentFailed(clientId, error.reason, byServer)
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
