import type { Problem } from './problems.ts'

/** Whether tokens can be verified, and what is wrong. */
export interface Status {
  /** True when revocations and, unless every token is introspected, keys have been read once. */
  readonly ready: boolean
  /** Seconds since the last complete answer of the revocation feed; null before the first. */
  readonly feedAge: number | null
  /** Time of the last successful read of the keys; null before the first, and with `mode: 'introspect'`. */
  readonly keysReadAt: Date | null
  /** Problems that have not passed. Each was logged once. */
  readonly problems: readonly Problem[]
}
