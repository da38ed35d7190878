import { StoreUnavailable } from '../domain/errors.ts'
import type { GrantStore } from './grant-store.ts'

/**
 * Does what may be done twice, and once more when the store did not answer: nothing else would make up for it.
 * @throws StoreUnavailable when it does not answer the second time either
 */
export const sentAgain = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return work()
  }
}

/**
 * The family is gone already; the row only follows, and what Postgres says is no condition of the answer.
 * @returns false when the row is known to have ended before
 */
export const endRow = async (store: Pick<GrantStore, 'end'>, grantId: string, reason: string) => {
  try {
    return await sentAgain(() => store.end(grantId, reason))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return true
  }
}
