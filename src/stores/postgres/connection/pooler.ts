import pg from 'pg'

/**
 * The pooler in front of Postgres: none; `transaction`: one that assigns a connection per transaction, so that no
 * state may stay on it; `prepared`: the same, but it supports named statements.
 */
export type Pooler = 'none' | 'transaction' | 'prepared'

const limits = (timeout: number) => ({
  statement_timeout: timeout,
  lock_timeout: timeout,
  idle_in_transaction_session_timeout: timeout * 5,
})

/** Limits of a connection. Behind a pooler they are set per transaction, or on the role. */
export const connectionLimits = (pooler: Pooler, timeout: number) =>
  pooler === 'none' ? limits(timeout) : {}

/** Begins a transaction and sets its limits, in one round trip. */
export const beginTransaction = (pooler: Pooler, timeout: number) =>
  [
    'begin',
    ...(pooler === 'none'
      ? []
      : Object.entries(limits(timeout)).map(([name, value]) => `set local ${name} = ${value}`)),
  ].join('; ')

/** A named statement is planned once per connection, which works only on a connection of our own. */
export const allowsNamedStatements = (pooler: Pooler) => pooler !== 'transaction'

// 26000: the statement does not exist; 42P05: it exists already.
const isMixedUp = (error: Error) => {
  const { code } = error as { code?: unknown }
  return code === '26000' || code === '42P05' || /unsupported startup parameter/.test(error.message)
}

/** Recognises an unconfigured pooler by its errors, and replaces them with advice. */
export const explainPooler = (error: unknown): unknown =>
  error instanceof pg.DatabaseError && isMixedUp(error)
    ? new Error('Postgres is behind a pooler in transaction mode: set DATABASE_POOLER', {
        cause: error,
      })
    : error
