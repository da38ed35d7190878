import type { Access } from '@latchkey-auth/verify'
import type { Protect } from '../access/guard.ts'
import { watch } from '../access/watch.ts'
import type { Data } from '../data/data.ts'
import { badInput, notFound } from '../data/faults.ts'
import { fieldOf, isFieldType } from '../data/fields.ts'
import type { Table } from '../data/tables.ts'
import type { Column } from '../data/values.ts'
import { databaseAnswer, memberAnswer, rowAnswer } from './answers.ts'
import { readFilter } from './filter.ts'

interface InDatabase {
  databaseId: string
}
interface Chosen extends InDatabase {
  filter?: unknown
  in?: string[] | null
}
interface Page extends Chosen {
  sort?: unknown
  limit?: number | null
  skip?: number | null
  fields?: string[] | null
}
interface Written extends InDatabase {
  cols: Column[]
}
interface OneRow extends InDatabase {
  rowId: string
}
interface NewField extends InDatabase {
  field: { name: string; type: string; required?: boolean; restrict?: string[] }
}

const mostRows = 100

const placeOf = ({ organizationId }: Access) => ({ organizationId, workspaceId: null })

const selectionOf = ({ fields }: Table, { filter, in: ids }: Chosen) => ({
  condition: readFilter(fields, filter),
  ...(ids && { ids }),
})

const sortOf = ({ fields }: Table, sort: unknown) =>
  Object.entries(sort ?? {}).map(([id, direction]) => {
    if (direction !== 1 && direction !== -1) throw badInput('sort is by 1 or -1')
    return { field: fieldOf(fields, id), descending: direction === -1 }
  })

const rangeOf = (table: Table, { sort, limit, skip }: Page) => {
  if ((limit ?? 0) < 0 || (skip ?? 0) < 0) throw badInput('limit and skip are not negative')
  return {
    sort: sortOf(table, sort),
    limit: Math.min(limit ?? mostRows, mostRows),
    skip: skip ?? 0,
  }
}

/** Each operation with the permissions that it needs. */
export const createLegacyResolvers = (
  { tables, rows, organizations, events }: Data,
  protect: Protect,
) => {
  /** Searches the token's own organization only. */
  const databaseOf = async (access: Access, id: string): Promise<Table> => {
    const table = await tables.find(placeOf(access), id)
    if (!table) throw notFound('database')
    return table
  }

  const Query = {
    databases: protect<{ organizationId?: string | null }>(['readData'], async (args, access) => {
      if ((args.organizationId ?? access.organizationId) !== access.organizationId)
        throw notFound('organization')
      return (await tables.list(placeOf(access))).map(databaseAnswer)
    }),
    database: protect<InDatabase>(['readData'], async ({ databaseId }, access) =>
      databaseAnswer(await databaseOf(access, databaseId)),
    ),
    data: protect<Page>(['readData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      const found = await rows.select(table, selectionOf(table, args), rangeOf(table, args))
      return found.map((row) => rowAnswer(table, row, args.fields ?? null))
    }),
    count: protect<Chosen>(['readData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      return rows.count(table, selectionOf(table, args))
    }),
    members: protect(['readMembers'], async (_args, { organizationId }) =>
      (await organizations.members(organizationId)).map(memberAnswer),
    ),
  }

  const Mutation = {
    insert: protect<Written>(['insertData'], async ({ databaseId, cols }, access) => {
      const table = await databaseOf(access, databaseId)
      return rowAnswer(table, await rows.insert(table, cols))
    }),
    update: protect<Written & OneRow>(['updateData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      return rowAnswer(table, await rows.update(table, args.rowId, args.cols))
    }),
    insertOrUpdate: protect<Written & { matchFields: string[] }>(
      ['insertData', 'updateData'],
      async ({ databaseId, matchFields, cols }, access) => {
        const table = await databaseOf(access, databaseId)
        return rowAnswer(table, await rows.upsert(table, matchFields, cols))
      },
    ),
    delete: protect<OneRow>(['deleteData'], async ({ databaseId, rowId }, access) => {
      await rows.remove(await databaseOf(access, databaseId), rowId)
      return true
    }),
    addField: protect<NewField>(['addFields'], async ({ databaseId, field }, access) => {
      const { type } = field
      if (!isFieldType(type)) throw badInput('there is no such type of field')
      const table = await databaseOf(access, databaseId)
      return databaseAnswer(await tables.addField(table, { ...field, type }))
    }),
  }

  const Subscription = {
    rowsChanged: {
      subscribe: protect<InDatabase>(['readData'], async ({ databaseId }, access, check) => {
        const { id: tableId } = await databaseOf(access, databaseId)
        return watch(events, {
          tableId,
          check,
          load: async ({ kind, rowId }) => {
            if (kind !== 'row' || rowId === null) return null
            const table = await databaseOf(access, databaseId)
            const changed = await rows.select(table, { ids: [rowId] }, { limit: 1 })
            return { rowsChanged: changed.map((row) => rowAnswer(table, row)) }
          },
        })
      }),
    },
    databaseUpdated: {
      subscribe: protect<InDatabase>(['readData'], async ({ databaseId }, access, check) => {
        const { id: tableId } = await databaseOf(access, databaseId)
        return watch(events, {
          tableId,
          check,
          load: async ({ kind }) =>
            kind === 'table'
              ? { databaseUpdated: databaseAnswer(await databaseOf(access, databaseId)) }
              : null,
        })
      }),
    },
  }

  return { Query, Mutation, Subscription }
}
