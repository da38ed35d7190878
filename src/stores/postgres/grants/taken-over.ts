import type { AppliedValue } from '../../../core/credentials/secrets.ts'
import type { GrantPlace, TakenOverGrant, TakenOverStore } from '../../../core/grants/taken-over.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import {
  digestOfValue,
  judgeValues,
  numbered,
  recordValues,
} from '../credentials/applied-values.ts'
import { isLiveInstall } from '../organizations/live.ts'

const lines = `jsonb_to_recordset($1::jsonb) as line
  (id uuid, "user" text, organization text, "clientId" text, "installId" text, "appEpoch" integer, "userEpoch" integer,
   permissions text[], "workspaceIds" text[], source text, "issuedAt" timestamptz, "endsAt" timestamptz, position integer)`

const isUnused = 'taken_over_from is not null and not used'

const places = `
select case when i.id is not null then json_build_object('interface', a.interface, 'installId', i.id,
    'appEpoch', a.families_epoch, 'userEpoch', u.credentials_epoch) end as place, r.rivals,
    coalesce(own.unused, false) as unused
  from ${lines} left join lateral (
    select ${isUnused} and ended_at is null and coalesce(ends_at > now(), true) as unused
      from grants where id = line.id offset 0) own on true
  left join apps a on a.client_id = line."clientId"
  left join lateral (select id, credentials_epoch from users where id = line."user" offset 0) u on true
  left join lateral (
    select organization_id, user_id from members
     where organization_id = line.organization and user_id = u.id offset 0) m on true
  left join installs i on i.organization_id = m.organization_id and i.client_id = a.client_id and ${isLiveInstall('i')}
  left join connection_epochs ce
    on ce.user_id = m.user_id and ce.client_id = a.client_id and ce.organization_id = m.organization_id
  left join lateral (
    select coalesce(json_agg(json_build_object('id', id, 'unused', unused, 'issuedAt', issued)), '[]') as rivals from (
      select g.id, ${isUnused} as unused,
          floor(extract(epoch from g.issued_at) * 1000) as issued
        from grants g
       where g.user_id = m.user_id and g.install_id = i.id and g.expires_at is null and g.ended_at is null
         and g.app_epoch = a.families_epoch and g.user_epoch = u.credentials_epoch
         and g.connection_epoch = coalesce(ce.epoch, 0) and coalesce(g.ends_at > now(), true)
       order by g.created_at desc, g.id desc limit $2) live) r on true
 order by line.position`

const inserted = `
insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
  workspace_ids, redirect_uri, created_at, issued_at, ends_at, taken_over_from)
select id, "user", "clientId", organization, "installId", "appEpoch", "userEpoch", permissions,
    "workspaceIds", '', least(coalesce("issuedAt", now()), now()), "issuedAt", "endsAt", source
  from ${lines} order by id on conflict (id) do nothing`

/** The owner is the only value that a token ever has. */
const appliedOf = ({ digest, clientId, user, organization }: TakenOverGrant): AppliedValue => ({
  kind: 'grant',
  subject: digest,
  digests: [digestOfValue([clientId, user, organization])],
})

export const createTakenOverStore = (database: Database): TakenOverStore => ({
  places: async (grants, mostRivals) => {
    const found = await database.rows<Omit<GrantPlace, 'known'>>(
      places,
      [numbered(grants), mostRivals],
      'taken_over_places',
    )
    const verdicts = await judgeValues(
      database,
      grants.map((grant) => ({ ...appliedOf(grant), present: null })),
    )
    const known = { unchanged: 'same', refused: 'other', applies: null } as const
    return found.map(({ place, unused, rivals }, at) => ({
      ...{ place, unused, rivals: rivals ?? [] },
      known: known[verdicts[at] ?? 'refused'],
    }))
  },
  insert: (grants, event) =>
    database
      .transaction(async (tx) => {
        await tx.query(inserted, [numbered(grants)])
        await recordValues(
          tx,
          grants.map((grant) => ({ ...appliedOf(grant), ref: grant.id })),
        )
        await insertAuditEvents(tx, [event])
        return true as const
      })
      .catch(onForeignKeyViolation(null)),
})
