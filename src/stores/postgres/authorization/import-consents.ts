import type { AppliedValue } from '../../../core/credentials/secrets.ts'
import type { ImportedConsentStore } from '../../../core/organizations/import-consents.ts'
import type { LineOutcome } from '../../../core/organizations/import-lines.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import {
  digestOfValue,
  judgeValues,
  numbered,
  recordValues,
} from '../credentials/applied-values.ts'
import { isLiveInstall } from '../organizations/live.ts'

/** `installId` null: the person, their membership or the install is missing. `present`: the consent that counts there. */
type Place = Record<'installId' | 'present', string | null>

const given = `jsonb_to_recordset($1::jsonb) as line
  ("user" text, organization text, "clientId" text, permissions text[], "workspaceIds" text[], at timestamptz,
   "installId" text, position integer)`

// Answers of the same person wait for the lock of the membership.
const lock = `
select from members where organization_id = any($1::text[]) and user_id = any($2::text[])
 order by organization_id, user_id for no key update`

// A connection that ended here has an epoch, also without a consent.
const places = `
select i.id as "installId", case when c.user_id is not null or ce.epoch is not null
    then concat(coalesce(ce.epoch, 0), ' ', c.install_id, ' ', c.updated_at) end as present
  from ${given} left join lateral (
    select organization_id, user_id from members
     where organization_id = line.organization and user_id = line."user" offset 0) m on true
  left join installs i on i.organization_id = m.organization_id and i.client_id = line."clientId"
   and ${isLiveInstall('i')}
  left join consents c on c.user_id = m.user_id and c.organization_id = m.organization_id and c.client_id = line."clientId"
  left join lateral (
    select epoch from connection_epochs
     where user_id = m.user_id and client_id = line."clientId" and organization_id = m.organization_id offset 0) ce on true
 order by line.position`

const stored = `
with put as (
  insert into consents as c (user_id, organization_id, client_id, install_id, offered, permissions, workspace_ids,
    offered_workspace_ids, created_at, expires_at, idle_seconds)
  select "user", line.organization, "clientId", "installId", permissions, permissions, "workspaceIds", "workspaceIds",
      least(coalesce(at, now()), now()), now() + make_interval(days => p.default_expires_days),
      p.default_idle_days * 86400
    from ${given} left join lateral (
      select default_expires_days, default_idle_days from organization_policies
       where organization_id = line.organization offset 0) p on true
   order by "user", 2, 3
  on conflict (user_id, organization_id, client_id) do update
    set install_id = excluded.install_id, offered = excluded.offered, permissions = excluded.permissions,
      workspace_ids = excluded.workspace_ids, offered_workspace_ids = excluded.offered_workspace_ids, resources = null, updated_at = now()
  returning user_id, organization_id, client_id, install_id, updated_at
)
select concat(coalesce(ce.epoch, 0), ' ', put.install_id, ' ', put.updated_at) as ref
  from ${given} join put on put.user_id = line."user" and put.organization_id = line.organization
   and put.client_id = line."clientId"
  left join lateral (
    select epoch from connection_epochs
     where user_id = put.user_id and client_id = put.client_id and organization_id = put.organization_id offset 0) ce on true
 order by line.position`

export const createImportedConsentStore = (database: Database): ImportedConsentStore => ({
  consents: (rows, eventOf) =>
    database
      .transaction(async (tx): Promise<LineOutcome[]> => {
        await tx.query(lock, [rows.map((row) => row.organization), rows.map((row) => row.user)])
        const found = await tx.rows<Place>(places, [numbered(rows)])
        const values = rows.map((row, at): AppliedValue & { present: string | null } => ({
          kind: 'consent',
          subject: JSON.stringify([row.user, row.clientId, row.organization]),
          digests: [
            digestOfValue([
              [...row.permissions].sort(),
              row.workspaceIds && [...row.workspaceIds].sort(),
            ]),
          ],
          present: found[at]?.present ?? null,
        }))
        const verdicts = await judgeValues(tx, values)
        const outcomes = rows.map((_, at): LineOutcome => {
          const place = found[at]
          if (verdicts[at] === 'unchanged') return { status: 'unchanged' }
          if (!place?.installId)
            return {
              status: 'refused',
              detail: 'the app, the user, the membership or the install is unknown',
            }
          return verdicts[at] === 'refused'
            ? { status: 'refused', detail: 'the consent was changed here since' }
            : { status: place.present === null ? 'created' : 'updated' }
        })
        const written = rows.flatMap((row, at) =>
          ['created', 'updated'].includes(outcomes[at]?.status ?? '')
            ? [{ row: { ...row, installId: found[at]?.installId }, value: values[at]! }]
            : [],
        )
        if (written.length === 0) return outcomes
        const lines = numbered(written.map(({ row }) => row))
        const refs = await tx.values<string>(stored, [lines])
        await recordValues(
          tx,
          written.map(({ value }, at) => ({ ...value, ref: refs[at] as string })),
        )
        await insertAuditEvents(
          tx,
          written.map(({ row }) => eventOf(row)),
        )
        return outcomes
      })
      .catch(onForeignKeyViolation(null)),
})
