// Part of the wiring (app.ts): documents and keys of other servers.
import { createFetchDocument } from '../../core/outbound/fetch-document.ts'
import { createRemoteKeys } from '../../core/outbound/remote-keys.ts'
import { createWait } from '../../core/outbound/waits.ts'
import type { Foundation } from '../foundation.ts'

/** Requests that wait for keys or documents: in all, and for each source and each owner. */
const mostWaiting = { all: 400, each: 20 }

export const createOutbound = ({ config, stores }: Pick<Foundation, 'config' | 'stores'>) => {
  const fetchDocument = createFetchDocument(config.outbound)
  const wait = createWait(mostWaiting)
  const remoteKeys = createRemoteKeys({ fetchDocument, wait, now: stores.now })
  return { fetchDocument, wait, remoteKeys }
}

export type Outbound = ReturnType<typeof createOutbound>
