import { createUnsettledRequests } from '../../src/services/unsettled.ts'
import type { Stores } from '../../src/stores.ts'

const quiet = () => undefined

/** Unsettled requests of one instance on these stores. */
export const unsettledIn = (stores: Pick<Stores, 'grants'>) =>
  createUnsettledRequests({
    store: stores.grants,
    patience: 30_000,
    onRecorded: quiet,
    onLate: quiet,
  })
