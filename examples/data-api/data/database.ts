import type pg from 'pg'
import { conflict, tooCostly } from './faults.ts'

/** The pool, or one connection of it within a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>

/** A statement that is cancelled because it takes too long is a fault of the request. */
export const faultOf = (error: unknown): unknown =>
  (error as { code?: unknown } | null)?.code === '57014'
    ? tooCostly('the request takes too long')
    : error

const attempts = 3

const isDeadlock = (error: unknown) => (error as { code?: unknown } | null)?.code === '40P01'

type Isolation = 'read committed' | 'repeatable read'

const once = async <Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
  isolation: Isolation,
): Promise<Result> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(`begin isolation level ${isolation}`)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw faultOf(error)
  } finally {
    client.release(broken)
  }
}

/** Runs `work` in one transaction; any error rolls it back, and a deadlock starts it again. */
export const transaction = async <Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
  isolation: Isolation = 'read committed',
): Promise<Result> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await once(pool, work, isolation)
    } catch (error) {
      if (!isDeadlock(error)) throw error
      if (attempt === attempts) throw conflict()
    }
}
