import { StoreUnavailable } from './errors.ts'

/**
 * Runs idempotent work, and once more when the store did not answer. For work that nothing else would repeat.
 * @throws StoreUnavailable when the store does not answer the second time either
 */
export const retryOnce = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return work()
  }
}
