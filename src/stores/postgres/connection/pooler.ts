import pg from 'pg'

/**
 * What stands between a server and Postgres: nothing; a pooler that lends a connection for one transaction at a time,
 * so that nothing may stay on it; or one that keeps named statements all the same.
 */
export type Pooler = 'none' | 'transaction' | 'prepared'

const limits = (timeout: number) => ({
  statement_timeout: timeout,
  lock_timeout: timeout,
  idle_in_transaction_session_timeout: timeout * 5,
})

/** Limits of a connection; behind a pooler they belong to the transaction, or to the role. */
export const connectionLimits = (pooler: Pooler, timeout: number) =>
  pooler === 'none' ? limits(timeout) : {}

/** Begins a transaction, within its limits, in one round trip. */
export const beginStatement = (pooler: Pooler, timeout: number) =>
  [
    'begin',
    ...(pooler === 'none'
      ? []
      : Object.entries(limits(timeout)).map(([name, value]) => `set local ${name} = ${value}`)),
  ].join('; ')

/** By its name a statement is planned once for each connection, if the connection is ours. */
export const mayBeNamed = (pooler: Pooler) => pooler !== 'transaction'

// 26000: there is no such statement; 42P05: there is one already.
const isMixedUp = (error: Error) => {
  const { code } = error as { code?: unknown }
  return code === '26000' || code === '42P05' || /unsupported startup parameter/.test(error.message)
}

/** A pooler that nobody has told us of gives itself away: says so instead of what it said. */
export const explainPooler = (error: unknown): unknown =>
  error instanceof pg.DatabaseError && isMixedUp(error)
    ? new Error('Postgres is behind a pooler in transaction mode: set DATABASE_POOLER', {
        cause: error,
      })
    : error
