import type { Stores } from '../../src/app/stores.ts'
import { createUnsettledRequests } from '../../src/core/grants/unsettled.ts'

const quiet = () => undefined

/** Unsettled requests of one instance on these stores. */
export const unsettledIn = (stores: Pick<Stores, 'grants'>) =>
  createUnsettledRequests({
    store: stores.grants,
    answerWithin: 30_000,
    onRecorded: quiet,
    onLate: quiet,
  })
