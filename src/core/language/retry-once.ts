import { StoreUnavailable } from './errors.ts'

/**
 * Does what may be done twice, and once more when the store did not answer: nothing else would make up for it.
 * @throws StoreUnavailable when it does not answer the second time either
 */
export const retryOnce = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return work()
  }
}
