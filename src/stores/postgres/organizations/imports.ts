// Many lines in one statement. Each locks the rows that its own rows refer to, so that a foreign key cannot fail.

import type { Operator } from '../../../core/credentials/operator-permissions.ts'
import type { BulkChange } from '../../../core/organizations/import-events.ts'
import type { BulkLine, LineOutcome } from '../../../core/organizations/import-lines.ts'
import type { DecideUser, ImportStore } from '../../../core/organizations/imports.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Database, isUniqueViolation, type Queryable } from '../connection/database.ts'
import { storeUsers } from './import-users.ts'

interface Result {
  /** The position in the run. */
  at: number
  status: 'created' | 'updated' | 'unchanged' | 'refused'
}

interface Kind {
  /**
   * Its `$1` is the lines with their positions; it returns a row of `Result` for each. `limits` gives
   * what follows: the organizations of the operator token (null: all), its id.
   */
  text: string
  changed: string[]
  refusal: string
  limits?(operator: Operator): unknown[]
}

type PlainType = Exclude<BulkLine['type'], 'user'>

/** A line that is ready refers to rows that exist; a row that the statement has not written was the same before. */
const outcome = (written: string, ready: string) => `
  select line.at, case when put.created then 'created' when put.created = false then 'updated'
    when ${ready} then 'unchanged' else 'refused' end as status
  from line left join put on ${written}`

/** One of these columns of the lines, as a list that finds rows by an index. */
const listed = (column: string) => `any(array(select ${column} from line))`

const linesWith = (columns: string) => `with line as materialized (
  select * from jsonb_to_recordset($1::jsonb) as l (at integer, ${columns}))`
const owner = `owner as materialized (
  select id from organizations where id = ${listed('organization')} order by id for key share)`

const kinds: Record<PlainType, Kind> = {
  organization: {
    text: `${linesWith('id text, name text')}, put as (
        insert into organizations as o (id, name) select id, name from line order by id
        on conflict (id) do update set name = excluded.name where o.name <> excluded.name
        returning id, xmax::text = '0' as created
      ) ${outcome('put.id = line.id', 'true')}`,
    changed: ['name'],
    refusal: '',
  },
  workspace: {
    text: `${linesWith('id text, organization text, name text')}, ${owner}, put as (
        insert into workspaces as w (id, organization_id, name)
        select line.id, owner.id, line.name from line join owner on owner.id = line.organization order by line.id
        on conflict (id) do update set name = excluded.name
          where w.organization_id = excluded.organization_id and w.name <> excluded.name
        returning id, xmax::text = '0' as created
      ) ${outcome('put.id = line.id', 'line.organization in (select id from owner)')}`,
    changed: ['name'],
    refusal: 'there is no such organization',
  },
  member: {
    text: `${linesWith('organization text, "user" text, role text')}, ${owner}, person as materialized (
        select id from users where id = ${listed('"user"')}
          and id not in (select user_id from test_people where user_id = ${listed('"user"')})
          and ($2::text[] is null or created_by_token = $3
            or exists (select from members where user_id = users.id and organization_id = any($2)))
         order by id for key share
      ), put as (
        insert into members as m (organization_id, user_id, role)
        select owner.id, person.id, line.role
          from line join owner on owner.id = line.organization join person on person.id = line."user"
         order by 1, 2
        on conflict (organization_id, user_id) do update set role = excluded.role
          where m.role <> excluded.role
        returning organization_id, user_id, xmax::text = '0' as created
      ) ${outcome(
        'put.organization_id = line.organization and put.user_id = line."user"',
        'line.organization in (select id from owner) and line."user" in (select id from person)',
      )}`,
    changed: ['role'],
    refusal: 'there is no such organization or user',
    limits: ({ organizationIds, id }) => [organizationIds, id],
  },
  workspaceMember: {
    // The share lock on the member delays a removal from the organization until this row exists.
    text: `${linesWith('workspace text, "user" text')}, place as materialized (
        select id, organization_id from workspaces where id = ${listed('workspace')}
           and ($2::text[] is null or organization_id = any($2))
         order by id for key share
      ), person as materialized (
        select organization_id, user_id from members
         where user_id = ${listed('"user"')}
           and organization_id = any(array(select organization_id from place))
         order by 1, 2 for share
      ), ready as materialized (
        select line.at, place.id, person.user_id
          from line join place on place.id = line.workspace
          join person on person.user_id = line."user" and person.organization_id = place.organization_id
      ), put as (
        insert into workspace_members (workspace_id, user_id)
        select id, user_id from ready order by 1, 2
        on conflict do nothing
        returning workspace_id, user_id, true as created
      ) ${outcome(
        'put.workspace_id = line.workspace and put.user_id = line."user"',
        'line.at in (select at from ready)',
      )}`,
    changed: [],
    refusal: 'there is no such workspace, or the user is not a member of its organization',
    limits: ({ organizationIds }) => [organizationIds],
  },
}

/** A workspace that was not written may belong to another organization. A new statement sees also the latest ones. */
const refuseForeign = async (
  tx: Queryable,
  lines: readonly BulkLine[],
  outcomes: LineOutcome[],
): Promise<void> => {
  const unwritten = lines.flatMap((line, at) =>
    line.type === 'workspace' && outcomes[at]?.status === 'unchanged' ? [{ at, ...line.row }] : [],
  )
  if (unwritten.length === 0) return
  const rows = await tx.rows<{ id: string; organization_id: string }>(
    'select id, organization_id from workspaces where id = any($1)',
    [unwritten.map(({ id }) => id)],
  )
  const owners = new Map(rows.map((row) => [row.id, row.organization_id]))
  for (const { at, id, organization } of unwritten)
    if (owners.get(id) !== organization)
      outcomes[at] = {
        status: 'refused',
        detail: 'the id belongs to a workspace of another organization',
      }
}

const storePlain = async (
  tx: Queryable,
  type: PlainType,
  lines: readonly BulkLine[],
  operator: Operator,
) => {
  const { text, changed, refusal, limits } = kinds[type]
  const rows = await tx.rows<Result>(text, [
    JSON.stringify(lines.map(({ row }, at) => ({ at, ...row }))),
    ...(limits?.(operator) ?? []),
  ])
  const outcomes: LineOutcome[] = Array(lines.length)
  const changes: BulkChange[] = []
  for (const { at, status } of rows) {
    outcomes[at] = status === 'refused' ? { status, detail: refusal } : { status }
    if (status === 'created' || status === 'updated')
      changes.push({ line: lines[at] as BulkLine, status, changed })
  }
  await refuseForeign(tx, lines, outcomes)
  return { outcomes, changes }
}

const storeRun = (
  tx: Queryable,
  lines: readonly BulkLine[],
  decide: DecideUser,
  operator: Operator,
) => {
  const [first] = lines
  if (first?.type === 'user')
    return storeUsers(tx, lines as (BulkLine & { type: 'user' })[], decide)
  return storePlain(tx, first?.type as PlainType, lines, operator)
}

class Raced extends Error {}

export const createImportStore = (database: Database): ImportStore => ({
  apply: (runs, decide, eventsOf, operator) =>
    database
      .transaction(async (tx) => {
        const outcomes: LineOutcome[][] = []
        const changes: BulkChange[] = []
        for (const run of runs) {
          const stored = await storeRun(tx, run, decide, operator)
          if (!stored) throw new Raced()
          outcomes.push(stored.outcomes)
          changes.push(...stored.changes)
        }
        await insertAuditEvents(tx, eventsOf(changes))
        return outcomes
      })
      .catch((error: unknown) => {
        if (error instanceof Raced || isUniqueViolation(error)) return null
        throw error
      }),
})
