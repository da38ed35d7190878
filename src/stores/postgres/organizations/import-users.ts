import type { Applicability, AppliedValue } from '../../../core/credentials/secrets.ts'
import type { BulkChange } from '../../../core/organizations/import-events.ts'
import type { BulkLine, LineOutcome } from '../../../core/organizations/import-lines.ts'
import type { DecideUser } from '../../../core/organizations/imports.ts'
import type { User } from '../../../core/people/user.ts'
import type { Queryable } from '../connection/database.ts'
import { digestOfValue, judgeValues, recordValues } from '../credentials/applied-values.ts'
import { lockedUsers } from '../people/users.ts'

type UserLine = BulkLine & { type: 'user' }

const clients = `select client_id as id from apps where client_id = any($1)
  union all select client_id from key_sets where client_id = any($1)
  union all select client_id from resource_servers where client_id = any($1)`

const line = `jsonb_to_recordset($1::jsonb) as line
  (id text, email text, name text, "emailVerified" boolean, disabled boolean, locale text,
   "passwordHash" text)`

const inserted = `insert into users (id, email, name, verified_email, disabled_at, locale, password_hash)
  select id, email, name, case when "emailVerified" then email end, case when disabled then now() end,
      locale, "passwordHash"
    from ${line} order by id
  on conflict do nothing returning id`

const updated = `update users u set email = line.email, name = line.name, locale = line.locale,
    sessions_epoch = u.sessions_epoch + (
      (u.disabled_at is null and line.disabled) or (u.password_hash is not null and line."passwordHash" is not null))::integer,
    password_hash = coalesce(line."passwordHash", u.password_hash),
    disabled_at = case when line.disabled then coalesce(u.disabled_at, now()) end,
    verified_email = case when line."emailVerified" then line.email end
  from ${line}
  where u.id = line.id and u.id = any(array(select id from ${line}))`

type StoredUser = User & { passwordHash: string | null }

/** What happens to each hash of these lines, by user. The users must be locked. */
const judgePasswords = async (tx: Queryable, lines: readonly UserLine[]) => {
  const given = lines.flatMap(({ row: { id, passwordHash } }) =>
    typeof passwordHash === 'string' ? [{ id, text: passwordHash }] : [],
  )
  if (given.length === 0) return new Map<string, never>()
  const rows = await tx.rows<{ id: string; epoch: string; has: boolean }>(
    `select id, credentials_epoch::text as epoch, password_hash is not null as has
       from users where id = any($1::text[])`,
    [given.map(({ id }) => id)],
  )
  const users = new Map(rows.map((row) => [row.id, row]))
  const values = given.map(({ id, text }) => ({
    ...{ kind: 'password' as const, subject: id, digests: [digestOfValue(text)] },
    present: users.get(id)?.has ? (users.get(id)?.epoch ?? null) : null,
  }))
  const verdicts = await judgeValues(tx, values)
  return new Map(
    given.map(({ id, text }, at) => {
      const [value, verdict] = [values[at] as AppliedValue, verdicts[at] as Applicability]
      return [id, { text, value, verdict, ref: users.get(id)?.epoch ?? '0' }]
    }),
  )
}

const refused = (detail: string): LineOutcome => ({ status: 'refused', detail })

/** @returns null when another transaction has inserted one of the users or addresses meanwhile */
export const storeUsers = async (tx: Queryable, lines: readonly UserLine[], decide: DecideUser) => {
  const ids = lines.map(({ row }) => row.id)
  const users = new Map((await lockedUsers(tx, ids)).map((row) => [row.id, row]))
  const newIds = ids.filter((id) => !users.has(id))
  const taken = await tx.values<string>(clients, [newIds])
  const clientIds = new Set(taken)
  const addresses = await tx.rows<{ id: string; email: string }>(
    'select id, lower(email) as email from users where lower(email) = any($1)',
    [lines.map(({ row }) => row.email)],
  )
  const owners = new Map(addresses.map(({ id, email }) => [email, id]))

  const hashes = await judgePasswords(tx, lines)
  const inserts: StoredUser[] = []
  const updates: StoredUser[] = []
  const applied: (AppliedValue & { ref: string })[] = []
  const changes: BulkChange[] = []
  const outcomes = lines.map((one): LineOutcome => {
    const current = users.get(one.row.id) ?? null
    if (!current && clientIds.has(one.row.id)) return refused('the id belongs to a client')
    const owner = owners.get(one.row.email)
    if (owner !== undefined && owner !== one.row.id)
      return refused('another user has this e-mail address')
    const { passwordHash: _, ...fields } = one.row
    const decided = decide(current, fields as Parameters<DecideUser>[1])
    if ('refused' in decided) return refused(decided.refused)
    const hash = hashes.get(one.row.id)
    if (hash?.verdict === 'refused') return refused('the password was changed here since')
    const passwordHash = hash?.verdict === 'applies' ? hash.text : null
    const changed = [...decided.changed, ...(current && passwordHash ? ['password'] : [])]
    const values = { ...decided.values, passwordHash }
    if (current && changed.length === 0) return { status: 'unchanged' }
    owners.set(one.row.email, one.row.id)
    const status = current ? 'updated' : 'created'
    if (current) updates.push(values)
    else inserts.push(values)
    changes.push({ line: one, status, changed })
    if (hash && passwordHash) applied.push({ ...hash.value, ref: hash.ref })
    return { status }
  })
  if (inserts.length > 0) {
    const { count } = await tx.query(inserted, [JSON.stringify(inserts)])
    if (count < inserts.length) return null
  }
  await recordValues(tx, applied)
  if (updates.length > 0) await tx.query(updated, [JSON.stringify(updates)])
  return { outcomes, changes }
}
