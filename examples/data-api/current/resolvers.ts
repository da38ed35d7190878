import type { Access } from '@latchkey-auth/verify'
import type { Protect } from '../access/guard.ts'
import type { Data } from '../data/data.ts'
import { badInput, notFound } from '../data/faults.ts'
import type { NewField } from '../data/fields.ts'
import type { Table } from '../data/tables.ts'
import type { Column } from '../data/values.ts'
import { connectionAnswer, memberAnswer, recordAnswer, tableAnswer } from './answers.ts'
import { readFilter } from './filter.ts'
import { readId } from './ids.ts'
import { typeNamed } from './types.ts'

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
interface Page extends InTable {
  filter?: unknown
  first?: number | null
  after?: string | null
}
interface NewTable extends InWorkspace {
  name: string
  fields: { name: string; type: string; choices?: string[] | null }[]
}

const mostRecords = 100

/** Ids on the wire name the workspace; these are fields of this table. */
const columnsOf = ({ workspaceId }: Table, given: readonly Column[]): Column[] =>
  given.map(({ fieldId, value }) => {
    const id = readId(fieldId, 'fld')
    if (!id || id.workspaceId !== workspaceId) throw notFound('field')
    return { fieldId: id.id, value }
  })

const newFieldOf = ({ name, type, choices }: NewTable['fields'][number]): NewField => {
  const known = typeNamed(type)
  if (!known) throw badInput('there is no such type of field')
  return { name, type: known, restrict: choices ?? null }
}

const rangeOf = ({ first, after }: Page) => {
  if ((first ?? 0) < 0) throw badInput('first is not negative')
  if (after && !/^\d{1,18}$/.test(after)) throw badInput('after is a cursor')
  return { limit: Math.min(first ?? mostRecords, mostRecords), after }
}

/** Each operation with the permissions that it needs; reading needs none. */
export const createCurrentResolvers = <Protected>(
  { tables, rows, organizations }: Data,
  protect: Protect<Protected>,
) => {
  /**
   * Finds organization, workspace and table in one query. A foreign, unreachable or unknown one
   * looks the same to the caller, also in its timing.
   */
  const tableOf = async (access: Access, wire: string): Promise<Table> => {
    const { workspaceId = '', id = '' } = readId(wire, 'tbl') ?? {}
    const table = await tables.find({ organizationId: access.organizationId, workspaceId }, id)
    if (!table || !access.reaches(table.organizationId, workspaceId)) throw notFound('table')
    return table
  }

  const recordOf = async (access: Access, wire: string): Promise<{ table: Table; id: string }> => {
    const { workspaceId = '', id = '' } = readId(wire, 'rec') ?? {}
    const table = await tables.findByRow({ organizationId: access.organizationId, workspaceId }, id)
    if (!table || !access.reaches(table.organizationId, workspaceId)) throw notFound('record')
    return { table, id }
  }

  const reached = async (access: Access) => {
    const { organizationId } = access
    const all = await organizations.workspaces(organizationId)
    return all.filter(({ id }) => access.reaches(organizationId, id))
  }

  const placeOf = async (access: Access, workspaceId: string) => {
    const found = (await reached(access)).find(({ id }) => id === workspaceId)
    if (!found) throw notFound('workspace')
    return { organizationId: access.organizationId, workspaceId }
  }

  const Query = {
    workspaces: protect([], (_args, access) => reached(access)),
    tables: protect<InWorkspace>([], async ({ workspaceId }, access) =>
      (await tables.list(await placeOf(access, workspaceId))).map(tableAnswer),
    ),
    recordsConnection: protect<Page>([], async (args, access) => {
      const table = await tableOf(access, args.tableId)
      const { limit, after } = rangeOf(args)
      const condition = readFilter(table, args.filter)
      // One extra row tells whether there is a next page.
      const selection = { condition, ...(after && { after }) }
      const found = await rows.select(table, selection, { limit: limit + 1 })
      return connectionAnswer(table, found.slice(0, limit), found.length > limit)
    }),
    workspaceMembers: protect<InWorkspace>(['workspace_members:read'], async (args, access) => {
      const { organizationId, workspaceId } = await placeOf(access, args.workspaceId)
      return (await organizations.workspaceMembers(organizationId, workspaceId)).map(memberAnswer)
    }),
  }

  const Mutation = {
    createRecord: protect<InTable & Written>(['records:create'], async (args, access) => {
      const table = await tableOf(access, args.tableId)
      return recordAnswer(table, await rows.insert(table, columnsOf(table, args.fields)))
    }),
    updateRecord: protect<OneRecord & Written>(['records:update'], async (args, access) => {
      const { table, id } = await recordOf(access, args.recordId)
      return recordAnswer(table, await rows.update(table, id, columnsOf(table, args.fields)))
    }),
    deleteRecord: protect<OneRecord>(['records:delete'], async ({ recordId }, access) => {
      const { table, id } = await recordOf(access, recordId)
      await rows.remove(table, id)
      return true
    }),
    createTable: protect<NewTable>(['table:create'], async (args, access) => {
      const place = await placeOf(access, args.workspaceId)
      return tableAnswer(await tables.create(place, args.name, args.fields.map(newFieldOf)))
    }),
  }

  return { Query, Mutation }
}
