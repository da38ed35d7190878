// One file per table. SQL is written only in `stores/postgres`.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { StoreUnavailable } from '../../../core/language/errors.ts'
import type { Page, PageRequest } from '../../../core/language/paging.ts'
import { connectionLost, translate } from './failures.ts'
import { allowsNamedStatements, beginTransaction, connectionLimits, type Pooler } from './pooler.ts'
import { OwnClient, PooledClient } from './settings.ts'
import { ask } from './timed-query.ts'

/** A statement, its parameters from $1, and a name that makes it a prepared one. */
type Statement = [text: string, values?: readonly unknown[], name?: string]

/** Each method runs one statement. @throws StoreUnavailable when Postgres is unavailable or too slow */
export interface Queryable {
  /** @returns `count` of the rows that it found or changed */
  query<Row extends object>(...statement: Statement): Promise<{ rows: Row[]; count: number }>
  run(...statement: Statement): Promise<void>
  rows<Row extends object>(...statement: Statement): Promise<Row[]>
  /** Its first row; null: it returns none. */
  row<Row extends object>(...statement: Statement): Promise<Row | null>
  /** The only column of its rows. */
  values<Value>(...statement: Statement): Promise<Value[]>
  /** The only column of its first row; null: it returns none. */
  value<Value>(...statement: Statement): Promise<Value | null>
  /** Its first row, which it always has. */
  one<Row extends object>(...statement: Statement): Promise<Row>
  /** @param from a table and a condition */
  count(from: string, values: readonly unknown[]): Promise<number>
  /** Has it found or changed a row? */
  affects(...statement: Statement): Promise<boolean>
  /** Its rows as a page: each has its `place`, and one more than the limit shows whether there is another page. */
  page<Item extends object>(page: PageRequest, ...statement: Statement): Promise<Page<Item>>
}

/** Removes the extra row and each row's place, and computes the place of the next page. */
const toPage = <Item extends object>(
  rows: readonly (Item & { place: string })[],
  { limit }: PageRequest,
): Page<Item> => ({
  items: rows.slice(0, limit).map(({ place: _, ...item }) => item as unknown as Item),
  next: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null,
})

const queryableBy = (query: Queryable['query']): Queryable => {
  const rows = async <Row extends object>(...statement: Statement) =>
    (await query<Row>(...statement)).rows
  const values = async <Value>(...statement: Statement) =>
    (await rows(...statement)).map((row) => Object.values(row)[0] as Value)
  return {
    query,
    run: async (...statement) => void (await query(...statement)),
    rows,
    values,
    value: async <Value>(...statement: Statement) => (await values<Value>(...statement))[0] ?? null,
    row: async <Row extends object>(...statement: Statement) =>
      (await rows<Row>(...statement))[0] ?? null,
    one: async <Row extends object>(...statement: Statement) =>
      (await rows<Row>(...statement))[0] as Row,
    count: async (from, given) =>
      (await values<number>(`select count(*)::integer from ${from}`, given))[0] as number,
    affects: async (...statement) => (await query(...statement)).count > 0,
    page: async <Item extends object>(page: PageRequest, ...statement: Statement) =>
      toPage(await rows<Item & { place: string }>(...statement), page),
  }
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction; any error rolls it back. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /** @returns a function that does `work` with its arguments in a transaction of its own */
  inTransaction<Given extends unknown[], Result>(
    work: (tx: Queryable, ...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result>
  /**
   * Runs `work` in one transaction, which each statement and each transaction that it causes joins. Any error rolls back
   * all, that of a statement too whose caller goes on.
   */
  inOneTransaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs `work` as if its caller were in no such transaction: what it writes stays. */
  outsideTransaction<Result>(work: () => Result): Result
  /** Is the caller in such a transaction? It must not share a query with others. */
  isJoined(): boolean
  /** State of the pool: open and idle connections, waiting callers, and the maximum size. */
  connections(): { open: number; idle: number; waiting: number; most: number }
  /** Called for each read that shared a query, with its own duration; null: not reported. */
  shared: StatementWatch | null
  close(): Promise<void>
}

/**
 * @param statement its name, or its text when it has none
 * @param began performance.now()
 * @param failed Postgres was unavailable or too slow
 */
export type StatementWatch = (statement: string, began: number, failed: boolean) => void

export interface DatabaseOptions {
  url: string
  poolSize: number
  pooler?: Pooler
  /** Milliseconds for one statement, and for the wait for a free connection. */
  timeout: number
  onError(error: Error): void
  onRoundTrip?: StatementWatch
  onShared?: StatementWatch | undefined
  /** Called after the commit of a transaction that has ended something, with the request of its events. */
  onStop?: ((requestId: string, stop: string) => void) | undefined
}

/** What is deferred runs first, so that a stop has all entries of the feed. One round trip. */
const commit = 'set constraints all immediate; select * from finish_stop(); commit'

/** A stop, and the request whose events it has; null: the transaction has none. */
type Made = Record<'stop' | 'request_id', string | null>

/** Statements that may be repeated: reads, and `select advance_family(…)`, which is idempotent by nonce. */
const isRepeatable = (text: string) => /^\s*select\b/i.test(text)

export const openDatabase = (options: DatabaseOptions): Database => {
  const { pooler = 'none' } = options
  const named = allowsNamedStatements(pooler)
  const begin = beginTransaction(pooler, options.timeout)
  const pool = new pg.Pool({
    Client: pooler === 'none' ? OwnClient : PooledClient,
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.timeout,
    ...connectionLimits(pooler, options.timeout),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'latchkey',
  })
  pool.on('error', options.onError)
  // The pool handles errors of idle connections only. For a connection in use, its statement fails; without a
  // listener the error event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const run = async <Row extends object>(
    on: pg.Pool | pg.PoolClient,
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ) => {
    const began = performance.now()
    let failed = false
    try {
      const config = { text, values: [...values], ...(named && name && { name }) }
      const result = await ask<Row>(on, config, options.timeout + 500)
      const rows = Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows
      return { rows, count: result.rowCount ?? 0 }
    } catch (error) {
      const cause = translate(error)
      failed = cause instanceof StoreUnavailable
      throw cause
    } finally {
      options.onRoundTrip?.(name ?? text, began, failed)
    }
  }

  const joined = new AsyncLocalStorage<{ tx: Queryable; isOpen: boolean }>()
  /** null also for what was started in such a transaction and outlives it, such as a timer. */
  const joinedTransaction = () => {
    const scope = joined.getStore()
    return scope?.isOpen ? scope.tx : null
  }

  /** Repeats a read on another connection when its own was lost: a pool may contain dead connections. */
  const runAgain: Queryable['query'] = async <Row extends object>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ) => {
    const tx = joinedTransaction()
    if (tx) return tx.query<Row>(text, values, name)
    try {
      return await run<Row>(pool, text, values, name)
    } catch (error) {
      const cause = error instanceof StoreUnavailable ? error.cause : error
      if (!isRepeatable(text) || !connectionLost(cause)) throw error
      return run<Row>(pool, text, values, name).catch((second) => {
        // Even if the second attempt was not sent, the first may have run.
        throw second instanceof StoreUnavailable
          ? new StoreUnavailable('postgres', second.cause)
          : second
      })
    }
  }

  const ownTransaction: Database['transaction'] = async (work) => {
    const client = await pool.connect().catch((error) => {
      throw translate(error)
    })
    let broken: Error | undefined
    try {
      await run(client, begin)
      const tx = queryableBy((text, values, name) => run(client, text, values, name))
      const result = await work(tx)
      const [made] = (await run<Made>(client, commit)).rows
      if (made?.stop && made.request_id) options.onStop?.(made.request_id, made.stop)
      return result
    } catch (error) {
      await run(client, 'rollback').catch((cause: Error) => {
        broken = cause
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  const transaction: Database['transaction'] = (work) => {
    const tx = joinedTransaction()
    return tx ? work(tx) : ownTransaction(work)
  }

  return {
    ...queryableBy(runAgain),
    transaction,
    inOneTransaction: (work) =>
      ownTransaction(async (tx) => {
        const scope = { tx, isOpen: true }
        try {
          const result = await joined.run(scope, work)
          // Postgres would roll back at the commit, without an error, what a failed statement has ended.
          await tx.query('select')
          return result
        } finally {
          scope.isOpen = false
        }
      }),
    outsideTransaction: (work) => joined.exit(work),
    isJoined: () => joinedTransaction() !== null,
    inTransaction:
      (work) =>
      (...given) =>
        transaction((tx) => work(tx, ...given)),
    shared: options.onShared ?? null,
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: options.poolSize,
    }),
    close: () => pool.end(),
  }
}

const hasCode = (code: string) => (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === code

/** True when a unique row existed already (SQLSTATE 23505). */
export const isUniqueViolation = hasCode('23505')

/** True when a referenced row was missing (SQLSTATE 23503). */
const isForeignKeyViolation = hasCode('23503')

const insteadOf =
  (isExpected: (error: unknown) => boolean) =>
  <const Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (isExpected(error)) return answer
    throw error
  }

/** For `catch`: this answer where a unique row existed already. */
export const onUniqueViolation = insteadOf(isUniqueViolation)

/** For `catch`: this answer where a referenced row was missing. */
export const onForeignKeyViolation = insteadOf(isForeignKeyViolation)
