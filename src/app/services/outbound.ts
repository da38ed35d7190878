// Part of the wiring (app.ts): documents and keys of other servers.
import { createFetchDocument } from '../../core/outbound/fetch-document.ts'
import { createRemoteKeys } from '../../core/outbound/remote-keys.ts'
import type { Foundation } from '../foundation.ts'

export const createOutbound = ({ config, stores }: Pick<Foundation, 'config' | 'stores'>) => {
  const fetchDocument = createFetchDocument(config.outbound)
  return { fetchDocument, remoteKeys: createRemoteKeys({ fetchDocument, now: stores.now }) }
}

export type Outbound = ReturnType<typeof createOutbound>
