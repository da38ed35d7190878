// The operator accepts a document: the app gets everything in it.
import type { Cause } from '../audit/audit.ts'
import { given } from '../audit/changes.ts'
import type { Apps, RegisteredApp } from '../clients/apps.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { NotFound } from '../language/service-errors.ts'
import {
  acceptedPatch,
  type DocumentChange,
  differences,
  ignoredScopes,
  newAppOf,
  type OperatorChoice,
} from './app-of-document.ts'
import type { ClientDocument } from './document.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'

export interface AcceptedDocument {
  app: RegisteredApp
  created: boolean
  changes: DocumentChange[]
  /** Words of the document's scope that are no permission here. */
  ignoredScopes: string[]
}

export interface AcceptDeps {
  apps: Pick<Apps, 'read' | 'edit' | 'put'>
  catalogue: Pick<PermissionCatalogue, 'find'>
  store: Pick<DocumentStore, 'find' | 'accepted'>
}

/** null: there is no such app. */
export const appOrNull = (apps: Pick<Apps, 'read'>, clientId: string) =>
  apps.read(clientId).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })

/** Registers the app of a document, or gives an app everything in its document. @throws Invalid, Conflict id_taken */
export const createAcceptDocument =
  ({ apps, catalogue, store }: AcceptDeps) =>
  async (
    clientUrl: string,
    document: ClientDocument,
    read: Pick<DocumentState, 'etag'> & { freshSeconds: number },
    choice: OperatorChoice,
    cause: Cause,
  ): Promise<AcceptedDocument> => {
    const before = await appOrNull(apps, clientUrl)
    if (!before)
      await apps.put(clientUrl, newAppOf(catalogue, clientUrl, document, given(choice)), cause)
    else {
      const seen = (await store.find(clientUrl))?.scopes ?? []
      const patchOf = (app: RegisteredApp) =>
        acceptedPatch(catalogue, app, document, seen, given(choice))
      const { permissions = [] } = patchOf(before)
      await apps.edit(clientUrl, patchOf, cause, permissions)
    }
    const { etag, freshSeconds } = read
    await store.accepted(clientUrl, { scopes: document.scopes ?? [], etag }, freshSeconds)
    const app = await apps.read(clientUrl)
    return {
      app,
      created: before === null,
      changes: differences(before, app),
      ignoredScopes: ignoredScopes(catalogue, document),
    }
  }

export type AcceptDocument = ReturnType<typeof createAcceptDocument>
