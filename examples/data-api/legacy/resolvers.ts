import type { Access } from '@latchkey-auth/verify'
import type { Protect } from '../access/guard.ts'
import type { Data } from '../data/data.ts'
import { badInput, notFound } from '../data/faults.ts'
import { limits } from '../data/limits.ts'
import type { Reach } from '../data/reach.ts'
import type { Row } from '../data/rows.ts'
import type { FieldChange, Table, TableChange } from '../data/table.ts'
import { typeNamed, typeNames } from '../data/types.ts'
import type { Column } from '../data/values.ts'
import { databaseAnswer, memberAnswer, rowAnswer, writtenAnswer } from './answers.ts'
import {
  bounded,
  type Chosen,
  type InDatabase,
  type Page,
  rangeOf,
  selectionOf,
} from './selection.ts'
import { createSubscriptions } from './subscriptions.ts'

interface Listed {
  organizationId?: string | null
  docDbOnly?: boolean | null
}
interface Documents extends Page {
  templatePaths?: string[] | null
}
interface Written extends InDatabase {
  cols: Column[]
}
interface OneRow extends InDatabase {
  rowId: string
}
interface NewField extends InDatabase {
  field: {
    name: string
    type: string
    required?: boolean | null
    restrict?: string[] | null
    database?: string | null
  }
}

/** Databases are of no workspace; the token's own organization only. */
const reachOf = ({ organizationId }: Access): Reach => ({
  interface: 'legacy',
  organizationId,
  reaches: (workspaceId) => workspaceId === null,
  userId: null,
})

const colsOf = ({ cols }: Written) => bounded(cols, 'cols', limits.fields)

const writtenBy = (access: Access, { cols }: Written, table: Table, row: Row) =>
  access.can('readData')
    ? rowAnswer(table, row)
    : writtenAnswer(
        table,
        row,
        cols.map(({ fieldId }) => fieldId),
      )

/** The changes that are given. @param nullable null is a value of these; elsewhere it is no change */
const changeOf = <Change>(given: object, nullable: readonly string[] = []): Change => {
  const changes = Object.entries(given).filter(
    ([key, value]) => value !== undefined && (value !== null || nullable.includes(key)),
  )
  if (changes.length === 0) throw badInput('nothing is to be changed')
  return Object.fromEntries(changes) as Change
}

/** Each operation with the permissions that it needs. */
export const createLegacyResolvers = (
  { tables, rows, organizations, documents, events }: Data,
  protect: Protect,
) => {
  const databaseOf = async (access: Access, id: string): Promise<Table> => {
    const table = await tables.find(reachOf(access), null, id)
    if (!table) throw notFound('database')
    return table
  }

  /** Templates are read once for all databases, if they are selected. */
  const answersOf = (some: readonly Table[]) => {
    let found: ReturnType<typeof documents.templates> | null = null
    return some.map((table) =>
      databaseAnswer(table, async () => {
        found ??= documents.templates(some)
        return (await found).get(table.id) ?? []
      }),
    )
  }
  const answerOf = (table: Table) => answersOf([table])[0]

  const Query = {
    databases: protect<Listed>(['readData'], async ({ organizationId, docDbOnly }, access) => {
      if ((organizationId ?? access.organizationId) !== access.organizationId)
        throw notFound('organization')
      const all = await tables.list(reachOf(access), null)
      return answersOf(docDbOnly ? all.filter(({ documentApp }) => documentApp) : all)
    }),
    database: protect<InDatabase>(['readData'], async ({ databaseId }, access) =>
      answerOf(await databaseOf(access, databaseId)),
    ),
    data: protect<Page>(['readData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      const selection = await selectionOf(tables, reachOf(access), table, args)
      const found = await rows.select(table, selection, rangeOf(table, args))
      return found.map((row) => rowAnswer(table, row, args.fields ?? null))
    }),
    content: protect<Documents>(['readData'], async ({ templatePaths, ...args }, access) => {
      const table = await databaseOf(access, args.databaseId)
      const selection = await selectionOf(tables, reachOf(access), table, args)
      const range = { ...rangeOf(table, args), only: [] }
      const paths = bounded(templatePaths ?? [], 'templatePaths')
      const all = (await documents.templates([table])).get(table.id) ?? []
      const chosen = all.filter(({ path }) => paths.includes(path)).map(({ id }) => id)
      if (paths.length > 0 && chosen.length === 0) return []
      const templates = paths.length > 0 ? chosen : undefined
      const found = await rows.select(
        table,
        { ...selection, ...(templates && { templates }) },
        range,
      )
      const ids = found.map(({ id }) => id)
      const contents = await documents.content(table, ids, templates)
      return ids.map((id) => ({ _id: id, templates: contents.get(id) ?? [] }))
    }),
    count: protect<Chosen>(['readData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      return rows.count(table, await selectionOf(tables, reachOf(access), table, args))
    }),
    members: protect(['readMembers'], async (_args, { organizationId }) =>
      (await organizations.members(organizationId)).map(memberAnswer),
    ),
  }

  const Mutation = {
    insert: protect<Written>(['insertData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      return writtenBy(access, args, table, await rows.insert(table, colsOf(args), 'cols'))
    }),
    update: protect<Written & OneRow>(['updateData'], async (args, access) => {
      const table = await databaseOf(access, args.databaseId)
      const row = await rows.update(table, args.rowId, colsOf(args), 'cols')
      return writtenBy(access, args, table, row)
    }),
    insertOrUpdate: protect<Written & { matchFields: string[] }>(
      ['insertData', 'updateData'],
      async (args, access) => {
        const table = await databaseOf(access, args.databaseId)
        const matchFields = bounded(args.matchFields, 'matchFields', limits.fields)
        const row = await rows.upsert(table, matchFields, colsOf(args), 'cols')
        return writtenBy(access, args, table, row)
      },
    ),
    delete: protect<OneRow>(['deleteData'], async ({ databaseId, rowId }, access) => {
      await rows.remove(await databaseOf(access, databaseId), rowId)
      return true
    }),
    addField: protect<NewField>(['addFields'], async ({ databaseId, field }, access) => {
      const table = await databaseOf(access, databaseId)
      const type = typeNamed('legacy', field.type)
      if (!type) throw badInput('there is no such type', 'field.type', typeNames('legacy'))
      return answerOf(await tables.addField(reachOf(access), table, { ...field, type }))
    }),
    updateDatabase: protect<InDatabase & TableChange>(
      ['addFields'],
      async ({ databaseId, name, description, color }, access) => {
        const table = await databaseOf(access, databaseId)
        const given = { name, description, color }
        const change = changeOf<TableChange>(given, ['description', 'color'])
        return answerOf(await tables.change(reachOf(access), table, change))
      },
    ),
    updateField: protect<InDatabase & FieldChange & { fieldId: string }>(
      ['addFields'],
      async ({ databaseId, fieldId, name, required, restrict }, access) => {
        const table = await databaseOf(access, databaseId)
        const change = changeOf<FieldChange>({ name, required, restrict })
        return answerOf(await tables.changeField(reachOf(access), table, fieldId, change))
      },
    ),
  }

  const Subscription = createSubscriptions({ events, rows, databaseOf, answerOf }, protect)
  return { Query, Mutation, Subscription }
}
