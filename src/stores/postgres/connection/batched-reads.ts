import { AsyncResource } from 'node:async_hooks'
import { StoreUnavailable } from '../../../core/language/errors.ts'
import type { Database, StatementWatch } from './database.ts'

/** Running queries for one kind of read; further reads wait and share a query. */
const mostUnderWay = 2
/** Maximum number of reads in one query. */
const largestBatch = 64
/** Milliseconds that a read waits for running queries. Then it runs beside them, because they may never return. */
const longestWait = 5

interface Waiting<Row> {
  values: readonly unknown[]
  resolve(row: Row | null): void
  reject(error: unknown): void
}

/**
 * Combines concurrent reads into one query: a round trip costs this process more CPU time than processing its result.
 * A read never uses a query that began before it, so its result is as fresh as without batching.
 * @param run returns one row for each list of values, in order
 */
export const batch = <Row>(
  run: (batch: readonly (readonly unknown[])[]) => Promise<(Row | null)[]>,
) => {
  let waiting: Waiting<Row>[] = []
  let underWay = 0
  let isDue = false
  let timer: NodeJS.Timeout | null = null

  const alone = async ({ values, resolve, reject }: Waiting<Row>) => {
    try {
      resolve((await run([values]))[0] ?? null)
    } catch (error) {
      reject(error)
    }
  }

  const send = async (batch: Waiting<Row>[]) => {
    underWay++
    try {
      const rows = await run(batch.map(({ values }) => values))
      batch.forEach(({ resolve }, at) => {
        resolve(rows[at] ?? null)
      })
    } catch (error) {
      // Values that Postgres cannot parse must fail only their own read.
      if (batch.length > 1 && !(error instanceof StoreUnavailable))
        await Promise.all(batch.map(alone))
      else for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      if (waiting.length > 0) flush()
    }
  }

  const flush = () => {
    isDue = false
    if (timer) clearTimeout(timer)
    timer = null
    while (waiting.length > 0 && underWay < mostUnderWay) void send(take())
    if (waiting.length > 0) timer = setTimeout(sendAnyway, longestWait)
  }

  const sendAnyway = () => {
    timer = null
    while (waiting.length > 0) void send(take())
  }

  const take = () => {
    const batch = waiting.slice(0, largestBatch)
    waiting = waiting.slice(largestBatch)
    return batch
  }

  return (values: readonly unknown[]): Promise<Row | null> =>
    new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject })
      if (isDue || timer) return
      isDue = true
      // Runs after all requests that have already arrived, so that they share a query.
      setImmediate(flush)
    })
}

type Read<Row> = (values: readonly unknown[]) => Promise<Row | null>
type Run<Row> = Parameters<typeof batch<Row>>[0]

/** Reports the duration of each read as its caller saw it; the shared query belongs to no single caller. */
const watched = <Row>(run: Run<Row>, name: string, watch: StatementWatch): Read<Row> => {
  const detachedResource = new AsyncResource('latchkey.batched_read')
  const read = batch<Row>((batch) => detachedResource.runInAsyncScope(run, undefined, batch))
  return async (values) => {
    const began = performance.now()
    let failed = false
    try {
      return await read(values)
    } catch (error) {
      failed = error instanceof StoreUnavailable
      throw error
    } finally {
      watch(name, began, failed)
    }
  }
}

/** Batches, with each call reported under this name. */
export const batched = <Row>(database: Database, name: string, run: Run<Row>): Read<Row> => {
  const read = database.shared === null ? batch(run) : watched(run, name, database.shared)
  return async (values) =>
    database.isJoined() ? ((await run([values]))[0] ?? null) : await read(values)
}

/** A query with parameters $1, $2 … that returns at most one row, their types, and the name of the statement. */
export type BatchedRead = [query: string, types: readonly string[], name: string]

/**
 * @returns a function that reads one row by the query's parameters. Values that JSON has no type for are text: bytea
 * as `\x…`, times in ISO 8601
 */
export const batchedRead = <Row>(database: Database, ...[query, types, name]: BatchedRead) => {
  const columns = types.map((_, at) => `v${at + 1}`)
  // The sub-select hides the size of the array. Postgres keeps a plan only if it does not look dearer than a plan made
  // for the values. It takes an unknown array for ten rows, so one read would be planned each time, in over a ms.
  const arrays = types.map((type, at) => `(select $${at + 1}::${type}[])`)
  // The result is one JSON value: node-postgres needs more time for thirty columns than for the rest of a query.
  // "offset 0" keeps the plan to one look-up by key after the other, whatever the statistics say.
  const text = `
select coalesce(json_agg(found.row order by asked.at), '[]') as rows
  from unnest(${arrays.join(', ')}) with ordinality as asked(${columns.join(', ')}, at)
  left join lateral (
    select to_json(t) as row from (${query.replaceAll(/\$(\d+)/g, 'asked.v$1')}) t offset 0
  ) found on true`
  const run: Run<Row> = async (batch) => {
    const values = types.map((_, at) => batch.map((one) => one[at] ?? null))
    return (await database.one<{ rows: (Row | null)[] }>(text, values, name)).rows
  }
  return batched(database, name, run)
}

/** A bytea value in JSON. */
export type HexBytes = string

/** A row in JSON: its times and bytes are text. */
export type InJson<Row> = {
  [Field in keyof Row]: Row[Field] extends Date | Buffer
    ? string
    : Row[Field] extends Date | Buffer | null
      ? string | null
      : Row[Field]
}

export const bytesOf = (text: HexBytes) => Buffer.from(text.slice(2), 'hex')
