// Part of the wiring (app.ts): apps by their metadata documents.
import { createAcceptDocument } from '../../core/client-documents/accept-document.ts'
import { createAdmit } from '../../core/client-documents/admission.ts'
import { createAppReviews } from '../../core/client-documents/app-reviews.ts'
import { createClientHosts } from '../../core/client-documents/client-hosts.ts'
import { createDocumentImports } from '../../core/client-documents/document-imports.ts'
import { createDocumentRequests } from '../../core/client-documents/document-requests.ts'
import { createReadDocument } from '../../core/client-documents/read-document.ts'
import type { Apps } from '../../core/clients/apps.ts'
import type { LivePermissionCatalogue } from '../../core/clients/permission-catalogue.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { Foundation } from '../foundation.ts'
import type { Outbound } from './outbound.ts'

export const createDocumentServices = (
  { config, stores, logger }: Foundation,
  services: Outbound & { apps: Apps; catalogue: LivePermissionCatalogue; limits: Limits },
) => {
  const { apps, catalogue, limits, fetchDocument, wait } = services
  const { tokenLifetimes: lifetimes, outbound: addresses } = config
  const { clientDocuments: store, clientHosts: hosts, appReviews: reviews } = stores
  const readDocument = createReadDocument({ fetchDocument, lifetimes, addresses, now: stores.now })
  const accept = createAcceptDocument({ apps, catalogue, store, hosts })
  return {
    readDocument,
    documentImports: createDocumentImports({ readDocument, wait, accept, hosts, reviews }),
    clientHosts: createClientHosts({ store: hosts, apps, catalogue, lifetimes }),
    appReviews: createAppReviews({
      store: reviews,
      documents: store,
      accept,
      apps,
      catalogue,
      reachOf: stores.appUse.reach,
    }),
    documentRequests: createDocumentRequests({
      stateOf: stores.clientUrlState,
      records: stores.records,
      admit: createAdmit({ hosts, apps, catalogue, reviews }),
      audit: stores.audit,
      reviews,
      readDocument,
      wait,
      limits,
      onRefused: ({ reason, faults }, host) =>
        logger.info({ host, reason, faults }, 'refused a metadata document'),
    }),
  }
}
