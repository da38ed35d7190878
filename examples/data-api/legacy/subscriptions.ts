import type { Access } from '@latchkey-auth/verify'
import type { GraphQLResolveInfo } from 'graphql'
import type { Check, Protect } from '../access/guard.ts'
import { watch } from '../access/watch.ts'
import type { Events, TableEvent } from '../data/events.ts'
import { badInput } from '../data/faults.ts'
import type { Rows } from '../data/rows.ts'
import type { Table } from '../data/table.ts'
import { rowAnswer } from './answers.ts'
import type { InDatabase } from './selection.ts'

type ResolverRest = [args: unknown, context: unknown, info: GraphQLResolveInfo]

interface Needed {
  events: Events
  rows: Rows
  databaseOf(access: Access, id: string): Promise<Table>
  answerOf(table: Table): unknown
}

/** Each event is loaded with the access that the token gives at that moment. */
export const createSubscriptions = (
  { events, rows, databaseOf, answerOf }: Needed,
  protect: Protect,
) => {
  const rowsOf = async ({ kind, rowId }: TableEvent, find: () => Promise<Table>) => {
    if (kind === 'table' || rowId === null) return null
    const table = await find()
    if (kind === 'removed') return { rowsChanged: [{ _id: rowId, cols: [] }] }
    const changed = await rows.select(table, { ids: [rowId] }, { limit: 1 })
    return changed.length === 0
      ? null
      : { rowsChanged: changed.map((row) => rowAnswer(table, row)) }
  }
  const databaseIn = async ({ kind }: TableEvent, find: () => Promise<Table>) =>
    kind === 'table' ? { databaseUpdated: answerOf(await find()) } : null

  const following = (
    load: (event: TableEvent, find: () => Promise<Table>) => Promise<object | null>,
  ) => ({
    // Without an event, it is sent as a query.
    resolve: (event: Record<string, unknown>, ...[, , { fieldName }]: ResolverRest) => {
      if (!(fieldName in event)) throw badInput('subscriptions are opened on a websocket')
      return event[fieldName]
    },
    subscribe: protect<InDatabase>(
      ['readData'],
      async ({ databaseId }, access: Access, check: Check) => {
        const { id: tableId } = await databaseOf(access, databaseId)
        return watch(events, {
          tableId,
          check,
          load: (event, now) => load(event, () => databaseOf(now, databaseId)),
        })
      },
    ),
  })
  return { rowsChanged: following(rowsOf), databaseUpdated: following(databaseIn) }
}
