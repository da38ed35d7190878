// The operator accepts a document: the app gets everything in it.
import type { Cause } from '../audit/audit.ts'
import { given } from '../audit/changes.ts'
import type { AcceptedDocumentState, Apps, RegisteredApp } from '../clients/apps.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { Conflict, nullIfMissing } from '../language/service-errors.ts'
import {
  acceptedPatch,
  type DocumentChange,
  differences,
  ignoredScopes,
  newAppOf,
  type OperatorChoice,
} from './app-of-document.ts'
import type { ClientHostStore } from './client-hosts.ts'
import { hostOfClient } from './client-url.ts'
import type { ClientDocument } from './document.ts'
import type { DocumentStore } from './document-store.ts'

export interface AcceptedDocument {
  app: RegisteredApp
  created: boolean
  changes: DocumentChange[]
  /** Words of the document's scope that are no permission here. */
  ignoredScopes: string[]
}

export interface AcceptDeps {
  apps: Pick<Apps, 'read' | 'edit' | 'registerDocument'>
  catalogue: Pick<PermissionCatalogue, 'find'>
  store: Pick<DocumentStore, 'find'>
  hosts: Pick<ClientHostStore, 'byHost'>
}

interface ChosenDocument {
  clientUrl: string
  document: ClientDocument
  choice: OperatorChoice
}

/** Registers the app of a document, or gives an app everything in its document. @throws Invalid, Conflict id_taken */
export const createAcceptDocument = ({ apps, catalogue, store, hosts }: AcceptDeps) => {
  /** @returns the app as it was; null: there was none */
  const register = async (
    { clientUrl, document, choice }: ChosenDocument,
    state: AcceptedDocumentState,
    cause: Cause,
  ): Promise<RegisteredApp | null> => {
    const before = await apps.read(clientUrl).catch(nullIfMissing)
    if (!before) {
      const host = await hosts.byHost(hostOfClient(clientUrl))
      const draft = newAppOf(catalogue, clientUrl, document, choice, host?.defaults)
      await apps.registerDocument({ clientId: clientUrl, draft, document: state }, cause)
      return null
    }
    const seen = (await store.find(clientUrl))?.scopes ?? []
    const patchOf = (app: RegisteredApp) => acceptedPatch(catalogue, app, document, seen, choice)
    const added = patchOf(before).permissions
    await apps.edit({ clientId: clientUrl, patchOf, added, document: state }, cause)
    return before
  }

  return async (
    {
      etag,
      freshSeconds,
      ...chosen
    }: ChosenDocument & Omit<AcceptedDocumentState, 'scopes' | 'hasScope'>,
    cause: Cause,
  ): Promise<AcceptedDocument> => {
    const { clientUrl, document } = chosen
    const { scopes } = document
    const state = { scopes: scopes ?? [], hasScope: scopes !== null, etag, freshSeconds }
    const choice = given(chosen.choice)
    const attempt = () => register({ clientUrl, document, choice }, state, cause)
    // Another request may register the same URL between the two steps. Then there is an app to change.
    const before = await attempt().catch((error: unknown) => {
      if (error instanceof Conflict && error.reason === 'id_taken') return attempt()
      throw error
    })
    const app = await apps.read(clientUrl)
    return {
      app,
      created: before === null,
      changes: differences(before, app),
      ignoredScopes: ignoredScopes(catalogue, document),
    }
  }
}

export type AcceptDocument = ReturnType<typeof createAcceptDocument>
