/** The services of metadata documents on some stores, without a server around them. */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import type { Stores } from '../../src/app/stores.ts'
import { createAcceptDocument } from '../../src/core/client-documents/accept-document.ts'
import { createAdmit } from '../../src/core/client-documents/admission.ts'
import { createAppReviews } from '../../src/core/client-documents/app-reviews.ts'
import {
  createClientHosts,
  type HostPolicy,
  type HostRule,
} from '../../src/core/client-documents/client-hosts.ts'
import { createDocumentImports } from '../../src/core/client-documents/document-imports.ts'
import { createDocumentRefresh } from '../../src/core/client-documents/document-refresh.ts'
import { createReadDocument } from '../../src/core/client-documents/read-document.ts'
import { createApps } from '../../src/core/clients/apps.ts'
import { createPermissionCatalogue } from '../../src/core/clients/permission-catalogue.ts'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { createFetchDocument } from '../../src/core/outbound/fetch-document.ts'
import { createWait } from '../../src/core/outbound/waits.ts'
import { textIn } from '../../src/words/text.ts'

/** The server itself. */
export const cause = {
  actor: { kind: 'system', id: null },
  address: null,
  requestId: null,
} as const
export const onWait = () => undefined
const lifetimes = { current: 3600, legacy: 7200 }
export const longAgo =
  "update client_documents set due_at = now() - interval '1 second' where client_id = $1"

export const hostRule = (policy: HostPolicy, ceiling: string[] | null = null): HostRule => ({
  ...{ policy, pathPrefix: null, limit: 100, ceiling },
  defaults: {
    optionalPermissions: null,
    accessTokenSeconds: null,
    retryWindowSeconds: null,
    expiresDays: null,
  },
})

export const documentServicesOn = (stores: Stores) => {
  const { clientDocuments: store, appReviews: reviews, clientHosts: hosts } = stores
  const builtIn = textIn('en').permissions
  const catalogue = createPermissionCatalogue({ store: stores.ownPermissions, builtIn })
  const keyring = createKeyring([randomBytes(32)])
  const prepareKey = async () => undefined
  const apps = createApps({
    store: stores.apps,
    keyring,
    lifetimes,
    catalogue,
    addresses: { allowPrivate: true },
    issuer: 'https://auth.example',
    renewLogo: stores.logos.renew,
    prepareKey,
  })
  const fetchDocument = createFetchDocument({ allowPrivate: true })
  const wait = createWait({ all: 20, each: 20 })
  const readDocument = createReadDocument({
    fetchDocument,
    lifetimes,
    addresses: { allowPrivate: true },
    now: Date.now,
  })
  const accept = createAcceptDocument({ apps, catalogue, store, hosts })
  const refused: string[] = []
  const newRefresh = (t: Test) => {
    const refresh = createDocumentRefresh({
      store,
      hosts,
      reviews,
      apps,
      catalogue,
      readDocument,
      onRefused: ({ reason }) => refused.push(reason),
      onError: (error) => t.fail(String(error)),
      interval: 3_600_000,
    })
    t.teardown(refresh.close)
    return refresh
  }
  const admit = createAdmit({ hosts, apps, catalogue, reviews })
  return {
    apps,
    refused,
    hosts: createClientHosts({ store: hosts, apps, catalogue, lifetimes }),
    /** As the first request of a client does. */
    admit: async (url: string) => {
      const { document, ...read } = await readDocument(url)
      return admit(url, { ...read, document: document! }, cause)
    },
    newRefresh,
    imports: createDocumentImports({ readDocument, wait, accept, hosts, reviews }),
    reviews: createAppReviews({
      ...{ store: reviews, documents: store, accept, apps, catalogue },
      reachOf: stores.appUse.reach,
    }),
  }
}
