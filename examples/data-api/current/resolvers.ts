import type { Access } from '@latchkey-auth/verify'
import type { Protect } from '../access/guard.ts'
import type { Data } from '../data/data.ts'
import { notFound } from '../data/faults.ts'
import type { Reach } from '../data/reach.ts'
import type { Table } from '../data/table.ts'
import type { Column } from '../data/values.ts'
import { memberAnswer, recordAnswer, tableAnswer } from './answers.ts'
import { readFilter } from './filter.ts'
import { homeOf, readId, readRecordId, type WireId } from './ids.ts'
import { columnsOf, type FieldInput, newFieldsOf, rethrowHere } from './input.ts'
import { connectionAnswer, type PageArgs, readPage } from './page.ts'
import { reachOf } from './reach.ts'

interface InWorkspace {
  workspaceId: string
}
interface InTable {
  tableId: string
}
interface OneRecord {
  recordId: string
}
interface Written {
  fields: Column[]
}
interface Page extends InTable, PageArgs {
  filter?: unknown
}
interface NewTable {
  name: string
  description?: string | null
  color?: string | null
  fields: FieldInput[]
}
interface Choices extends InTable {
  fieldId: string
  choices: string[]
}

/** null for what belongs to the organization itself. */
const workspaceIn = ({ organizationId }: Reach, { home }: WireId) =>
  home === organizationId ? null : home

/** Each operation with the permissions that it needs; reading needs none. */
export const createCurrentResolvers = <Protected>(
  { tables, rows, organizations, views, documents }: Data,
  protect: Protect<Protected>,
) => {
  /** A foreign, unreachable or unknown table looks the same to the caller. */
  const tableOf = async (access: Access, wire: string) => {
    const reach = await reachOf(access, organizations)
    const id = readId(wire, 'tbl') ?? { home: '', id: '' }
    const table = await tables.find(reach, workspaceIn(reach, id), id.id)
    if (!table) throw notFound('table')
    return { reach, table }
  }

  const recordOf = async (access: Access, wire: string) => {
    const reach = await reachOf(access, organizations)
    const id = readRecordId(wire) ?? { home: '', id: '' }
    const table = await tables.findByRow(reach, workspaceIn(reach, id), id.id)
    if (!table) throw notFound('record')
    return { table, id: id.id }
  }

  const workspaceOf = async (access: Access, workspaceId: string) => {
    const reach = await reachOf(access, organizations)
    const found = (await organizations.workspaces(reach)).some(({ id }) => id === workspaceId)
    if (!found) throw notFound('workspace')
    return reach
  }

  const tablesIn = async (access: Access, workspaceId: string | null): Promise<Table[]> =>
    workspaceId === null
      ? tables.list(await reachOf(access, organizations), null)
      : tables.list(await workspaceOf(access, workspaceId), workspaceId)

  const makeTable = async (reach: Reach, workspaceId: string | null, given: NewTable) => {
    const made = { ...given, fields: newFieldsOf(given.fields) }
    return tableAnswer(await tables.create(reach, workspaceId, made).catch(rethrowHere))
  }

  const Query = {
    organization: protect([], (_args, { organizationId }) =>
      organizations.organization(organizationId),
    ),
    workspaces: protect([], async (_args, access) =>
      organizations.workspaces(await reachOf(access, organizations)),
    ),
    tables: protect<Partial<InWorkspace>>([], async ({ workspaceId }, access) =>
      (await tablesIn(access, workspaceId ?? null)).map(tableAnswer),
    ),
    table: protect<InTable>([], async ({ tableId }, access) =>
      tableAnswer((await tableOf(access, tableId)).table),
    ),
    record: protect<OneRecord>([], async ({ recordId }, access) => {
      const { table, id } = await recordOf(access, recordId)
      const [row] = await rows.select(table, { ids: [id] }, { limit: 1 })
      if (!row) throw notFound('record')
      return recordAnswer(table, row)
    }),
    recordsConnection: protect<Page>([], async (args, access) => {
      const { reach, table } = await tableOf(access, args.tableId)
      const page = readPage(table, args)
      const { after, limit, skip, sort } = page
      const condition = await readFilter(table, args.filter, (field) => tables.target(reach, field))
      const selection = { condition, ...(after !== null && { after }) }
      // One extra row tells whether there is a next page.
      const found = await rows.select(table, selection, { sort, skip, limit: limit + 1 })
      const totalCount = () => rows.count(table, { condition })
      return { ...connectionAnswer(table, page, found), totalCount }
    }),
    views: protect<InTable>([], async ({ tableId }, access) => {
      const { reach, table } = await tableOf(access, tableId)
      const seen = await views.list(reach, table)
      return seen.map(({ isPrivate, ...view }) => ({ ...view, private: isPrivate }))
    }),
    workspaceMembers: protect<InWorkspace>(['workspace_members:read'], async (args, access) => {
      const { organizationId } = await workspaceOf(access, args.workspaceId)
      return (await organizations.workspaceMembers(organizationId, args.workspaceId)).map(
        memberAnswer,
      )
    }),
    teams: protect(['teams:read'], async (_args, { organizationId }) => {
      const teams = await organizations.teams(organizationId)
      return teams.map(({ members, ...team }) => ({ ...team, members: members.map(memberAnswer) }))
    }),
    templates: protect<InTable>(['documents:read'], async ({ tableId }, access) => {
      const { table } = await tableOf(access, tableId)
      return (await documents.templates([table])).get(table.id) ?? []
    }),
    documents: protect<OneRecord>(['documents:read'], async ({ recordId }, access) => {
      const { table, id } = await recordOf(access, recordId)
      return (await documents.content(table, [id])).get(id) ?? []
    }),
  }

  const Mutation = {
    createRecord: protect<InTable & Written>(['records:create'], async (args, access) => {
      const { table } = await tableOf(access, args.tableId)
      const cols = columnsOf(table, args.fields)
      return recordAnswer(table, await rows.insert(table, cols, 'fields'))
    }),
    updateRecord: protect<OneRecord & Written>(['records:update'], async (args, access) => {
      const { table, id } = await recordOf(access, args.recordId)
      const cols = columnsOf(table, args.fields)
      return recordAnswer(table, await rows.update(table, id, cols, 'fields'))
    }),
    deleteRecord: protect<OneRecord>(['records:delete'], async ({ recordId }, access) => {
      const { table, id } = await recordOf(access, recordId)
      await rows.remove(table, id)
      return true
    }),
    createTable: protect<NewTable & InWorkspace>(
      ['table:create'],
      async ({ workspaceId, ...given }, access) =>
        makeTable(await workspaceOf(access, workspaceId), workspaceId, given),
    ),
    createRootTable: protect<NewTable>(['rootTable:create'], async (given, access) =>
      makeTable(await reachOf(access, organizations), null, given),
    ),
    updateFieldChoices: protect<Choices>(['table:modify'], async (args, access) => {
      const { reach, table } = await tableOf(access, args.tableId)
      const read = readId(args.fieldId, 'fld')
      if (read?.home !== homeOf(table)) throw notFound('field', 'fieldId')
      const change = { restrict: args.choices }
      const changed = await tables.changeField(reach, table, read.id, change).catch(rethrowHere)
      return tableAnswer(changed)
    }),
  }

  return { Query, Mutation }
}
