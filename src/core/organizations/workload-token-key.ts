import type { Workload } from '../clients/workloads.ts'

/**
 * The text whose keyed digest signs the tokens of one workload of a key set. The digest exists in no store. A workload that
 * the key set no longer trusts has no key, so its tokens are invalid, while a new secret of the key set changes nothing.
 */
export const workloadTokenKey = (keySetId: string, workload: Workload): string =>
  `token of a workload ${JSON.stringify([keySetId, workload])}`
